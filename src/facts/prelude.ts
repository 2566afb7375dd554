/** The shell words in which every probe speaks; their output is what Look reads. */
import { type Script, sh } from '../remote/index.ts'

/**
 * `f` prints files whole, `r` files of one line without starting a program, `e` paths that exist, `c NAME CMD…` the output of a command that succeeds,
 * `w NAME` whether a program is there, `k LINK…` where links point.
 */
export const prelude: Script = sh`
lc_was=$LC_ALL; path_was=$PATH; LC_ALL=C; export LC_ALL; PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
f() { for f_x; do if [ -f "$f_x" ] && [ -r "$f_x" ]; then printf '\036f:%s\n' "$f_x"; cat "$f_x" 2>/dev/null; fi; done; }
r() { for r_x; do r_v=; if [ -f "$r_x" ]; then { IFS= read -r r_v <"$r_x"; } 2>/dev/null; if [ -n "$r_v" ]; then printf '\036f:%s\n%s\n' "$r_x" "$r_v"; fi; fi; done; }
e() { for e_x; do if [ -e "$e_x" ]; then printf '\036e:%s\n' "$e_x"; fi; done; }
w() { command -v "$1" >/dev/null 2>&1; }
c() { c_n=$1; shift; if c_o=$("$@" 2>/dev/null </dev/null); then printf '\036c:%s\n%s\n' "$c_n" "$c_o"; fi; }
k() { for k_x; do if [ -L "$k_x" ]; then printf '\036k:%s\n' "$k_x"; readlink "$k_x" 2>/dev/null; fi; done; }
`
