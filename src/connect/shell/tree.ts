/** Words to a shell, a line each → which processes are below another. */

/** Defines `list`: every process and its parent. /proc is read with builtins only; systems without it have a ps that knows -A and -o. */
export const LIST =
  'list(){ if [ -r /proc/1/stat ];then for f in /proc/[0-9]*/stat;do { IFS= read -r line <$f;} 2>/dev/null||continue;p=${f#/proc/};set -- ${line##*) };echo "${p%/stat} $2";done;else ps -A -o pid= -o ppid=;fi;}'

/** `all` is what `list` told: takes into `known` and `below` all that descends from a process in `known`. */
export const TREE =
  'grew=1;while [ $grew = 1 ];do grew=0;set -- $all;while [ $# -gt 1 ];do case $known in *" $1 "*);;*)case $known in *" $2 "*)known="$known$1 " below="$below $1" grew=1;;esac;;esac;shift 2;done;done'
