/** Words to a shell → streams that its programs can open by name. */

/** In the first place that can be written to and lets programs run, for scripts are started from there; else in any that can be written to. */
export const newFolder = `umask 077
for __p in run any;do for __d in "\${TMPDIR:-/tmp}" /var/tmp "$HOME";do
__t=$(mktemp -d "$__d/ansible-tmp-XXXXXXXXXX")||continue
if [ $__p = any ]||{ echo : >"$__t/x"&&chmod 700 "$__t/x"&&[ -x "$__t/x" ]&&rm -f "$__t/x";};then printf %s "$__t";exit 0;fi
rm -rf "$__t"
done;done
exit 1`

/**
 * /dev/stdout and /dev/stderr are opened anew by who writes to them, which sockets do not allow, nor pipes of another user: then pipes of our own lead
 * there. What carries them is no child of the shell, so that it outlives whatever is stopped below it, and ends with the last that writes.
 */
export const openable = (
  errors: 2 | 4,
): string => `[ ! -e /dev/stdout ]||{ true >/dev/stdout;} 2>/dev/null||{ __t=$(${newFolder})&&mkfifo "$__t/1" "$__t/2"&&{ (trap '' 1 2 15
cat "$__t/1" ${errors}>&- & cat "$__t/2" >&${errors} ${errors}>&- &)
exec >"$__t/1" ${errors}>"$__t/2"
};rm -rf "$__t";}
`
