/** A text → the script that puts it in a file by renaming, with the owner and mode of the file that was there. */
import { joinScripts, realName, type Script, sh } from '../../remote/index.ts'

export interface WriteOptions {
  /** of a new file; 0644 where nothing is said */
  readonly mode?: string | undefined
  /** keep a copy beside the file; its name is printed in the section `backup` */
  readonly backup?: boolean | undefined
}

/** Ends with the status of the first step that fails. Links are followed; a file that cannot be replaced, such as a mounted one, is overwritten. */
export const writeText = (path: string, text: string, { mode = '0644', backup = false }: WriteOptions = {}): Script =>
  joinScripts([
    sh`(
p=${path}
if [ -L "$p" ]; then p=$(${realName}); fi`,
    backup ? backupScript : sh``,
    sh`t=$p.new.$$
umask 077
printf %s ${text} >"$t" || exit 1
if [ -e "$p" ]; then chown "$(stat -c %u:%g "$p")" "$t" && chmod "$(stat -c %a "$p")" "$t"; else chmod ${mode} "$t"; fi || { rm -f "$t"; exit 1; }
mv -f "$t" "$p" 2>/dev/null || { cat "$t" >"$p"; r=$?; rm -f "$t"; exit $r; }
)`,
  ])

const backupScript: Script = sh`if [ -f "$p" ]; then b=$p.$$.$(date +%Y-%m-%d@%H:%M:%S)~; cp -p "$p" "$b" || exit 1; printf '\036backup\n%s\n' "$b"; fi`
