#!/bin/sh
echo pw1
