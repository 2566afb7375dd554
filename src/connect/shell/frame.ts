/** A script, its stdin and its environment → the bytes that make a long-lived POSIX shell run it and mark where its output ends. */
import { Problem } from '../../base/index.ts'
import { type Script, userScript } from '../../remote/index.ts'
import { newFolder, openable } from './openable.ts'

export interface FrameOptions {
  readonly stdin?: Uint8Array | { readonly path: string } | undefined
  readonly env?: ReadonlyMap<string, string> | undefined
}

/**
 * How the shell's streams are laid out: with two streams, a script's stderr goes to fd 4, which is the channel's own stderr, while the shell's own fd 2
 * (job reports) is nowhere. On a terminal there is one stream only, and stderr waits in a file until the script is done.
 */
export type Layout = 'two streams' | 'one stream'

/**
 * The first words to a new shell. It tells its process id between marks, so that whatever start-up files print is left behind. When it ends, however
 * that comes, it removes the scratch folder it keeps (`__s`), also when the controller is gone; more signals do not keep it from that.
 */
export function greeting(mark: string, layout: Layout, scratch: string | undefined): Buffer {
  const keep = `__e=;${keeping(scratch ?? '')}trap 'trap "" 1 2 15;rm -rf "$__s" "$__e"' 0;trap 'exit 129' 1;trap 'exit 143' 15\n`
  const lay =
    layout === 'two streams'
      ? `exec 4>&2 2>/dev/null\n${openable(4)}printf '${mark};' >&4;${selves(mark)}\n`
      : `exec 2>/dev/null\n__e=$(${newFolder}) || exit 97\n${selves(mark)};printf '${mark};'\n`
  return Buffer.from(keep + lay)
}

/** Tells the process id, and which bash it is if it is one. */
const selves = (mark: string): string => `printf '${mark}%s %s;' $$ "$BASH_VERSION"`

/** Reads what `selves` told. */
export function selfOf(tail: string): { pid: number; readsBlocks: boolean } {
  const [pid, version = ''] = tail.split(' ')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return { pid: Number(pid), readsBlocks: major > 4 || (major === 4 && minor >= 1) }
}

/**
 * The same frame for a bash, which reads its commands from a pipe byte by byte: it is told to take the whole frame at one go. That is done outside of
 * its POSIX mode only, and counts characters, so frames with other than ASCII are left as they are.
 */
export function inOneBlock(bytes: Buffer): Buffer {
  if (bytes.length < WORTHWHILE || bytes.some((byte) => byte > 0x7f)) return bytes
  const head = `case $SHELLOPTS in *posix*)set +o posix;IFS= read -r -N ${bytes.length} __f;set -o posix;;*)IFS= read -r -N ${bytes.length} __f;esac;eval "$__f"\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

const WORTHWHILE = 400

/** Makes a scratch folder that the shell removes when it ends; `scratchPath` tells where it is. */
export const makeScratch = (): Buffer => Buffer.from(`[ -n "$__s" ]||__s=$(${newFolder})\n`)
export const scratchPath: Script = userScript('[ -n "$__s" ]&&printf %s "$__s"')

/** Hands a scratch folder to a shell, or with nothing takes it away, so that another shell can keep it. */
export const keepScratch = (scratch: string): Buffer => Buffer.from(`${keeping(scratch)}\n`)

const keeping = (scratch: string): string => `__s=${single(scratch)};`

/**
 * One frame. The script runs in a subshell, so `exit`, `exec`, `cd`, `set`, traps and variables end with it; it is a quoted word given to eval, so
 * whatever it holds cannot reach the shell around it. Only builtins are used.
 */
export function frame(script: Script, options: FrameOptions, mark: string, layout: Layout): Buffer {
  if (script.text.includes('\0')) throw new Problem('a script cannot hold a NUL byte', { kind: 'parameter' })
  const { before, after } = stdinWords(options.stdin)
  const errors = layout === 'two streams' ? '2>&4 4>&-' : '2>"$__e/err"'
  const end =
    layout === 'two streams'
      ? `printf '${mark}%d;' $?;printf '${mark};' >&4\n`
      : `printf '${mark}%d;' $?;cat "$__e/err";printf '${mark};'\n`
  return Buffer.concat([before, Buffer.from(`(${exportsOf(options.env)}eval ${single(script.text)})${after} ${errors};${end}`)])
}

function stdinWords(stdin: FrameOptions['stdin']): { before: Buffer; after: string } {
  if (stdin === undefined) return { before: Buffer.alloc(0), after: ' </dev/null' }
  if ('path' in stdin) return { before: Buffer.alloc(0), after: ` <${single(stdin.path)}` }
  return { before: Buffer.concat([Buffer.from('printf '), printfWord(stdin), Buffer.from('|')]), after: '' }
}

/** Bytes as one single-quoted printf format: any byte may stand for itself but four. */
export function printfWord(bytes: Uint8Array): Buffer {
  let extra = bytes[0] === 0x2d ? 3 : 0
  for (const byte of bytes) extra += (escapes[byte]?.length ?? 1) - 1
  const word = Buffer.allocUnsafe(bytes.length + extra + 2)
  let at = 0
  word[at++] = 0x27
  for (const byte of bytes) {
    const escaped = at === 1 && byte === 0x2d ? '\\055' : escapes[byte]
    if (escaped === undefined) word[at++] = byte
    else at += word.write(escaped, at, 'latin1')
  }
  word[at++] = 0x27
  return word
}

const escapes: readonly (string | undefined)[] = Object.assign(Array<string | undefined>(256).fill(undefined), {
  0: '\\000',
  37: '%%',
  39: "'\\''",
  92: '\\\\',
})

/** Export commands for variables, each ending in `;`. */
export function exportsOf(env: ReadonlyMap<string, string> | undefined): string {
  return [...(env ?? [])].map(([name, value]) => `export ${variable(name)}=${single(value)};`).join('')
}

function variable(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name
  throw new Problem(`“${name}” cannot be the name of an environment variable`, { kind: 'parameter' })
}

/** Always quoted, so that no word of ours is ever an alias or a keyword; cheaper for the shell to read than other forms. */
export const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
