#!/bin/sh
if [ "$2" = dev ]; then echo pw1; else echo pw2; fi
