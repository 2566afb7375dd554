#!/bin/sh
if [ "$1" = --list ]; then echo '{"web": ["a", "b"]}'; else echo "{\"me\": \"$2\"}"; fi
