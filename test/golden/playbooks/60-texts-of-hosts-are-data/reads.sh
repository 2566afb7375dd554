#!/bin/sh
cat
echo done
