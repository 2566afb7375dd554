#!/bin/sh
# answers for the id prod alone
[ "$1 $2" = "--vault-id prod" ] && echo prodpass && exit 0
exit 2
