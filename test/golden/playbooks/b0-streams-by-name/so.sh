#!/bin/sh
echo hi > /dev/stdout; echo err > /dev/stderr; echo x | tee /dev/stderr
