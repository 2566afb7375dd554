#!/bin/sh
echo "script $1"; echo err >&2
