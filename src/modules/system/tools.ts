/** Runs the programs of a host for modules that are made of them: to look, or as a change; a program that is missing is told by its name. */
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure } from '../api.ts'
import { type Ran, ran } from './looking.ts'

const MISSING = 93

export interface ToolOptions {
  /** folder to be in */
  readonly chdir?: string | undefined
  readonly stdin?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly counts?: boolean | undefined
  readonly diff?: Change['diff']
  /** the locale that it runs in; C */
  readonly locale?: string
}

const lookAround = (locale = 'C'): Script => sh`PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin:/snap/bin; LC_ALL=${locale}; export PATH LC_ALL`

/** The script of one call; the first word is the program. */
export function toolScript(words: readonly string[], chdir?: string, locale?: string): Script {
  const [program = ''] = words
  return joinScripts([
    lookAround(locale),
    chdir === undefined ? sh`` : sh`cd -- ${chdir} || exit 2`,
    sh`command -v ${program} >/dev/null || exit ${MISSING}`,
    sh`${words} </dev/null`,
  ])
}

const typing = ({ stdin }: ToolOptions): { stdin?: Uint8Array } => (stdin === undefined ? {} : { stdin: new TextEncoder().encode(stdin) })

const scriptOf = (words: readonly string[], { chdir, stdin, locale }: ToolOptions): Script => {
  const script = toolScript(words, chdir, locale)
  return stdin === undefined
    ? script
    : joinScripts([sh`exec 5<&0`, lookAround(locale), chdir === undefined ? sh`` : sh`cd -- ${chdir} || exit 2`, sh`${words} <&5`])
}

/** A call that only looks. */
export async function askTool(host: Host, words: readonly string[], options: ToolOptions = {}): Promise<Ran> {
  const env = options.env === undefined ? {} : { env: new Map(Object.entries(options.env)) }
  return found(ran(await host.look(scriptOf(words, options), { onFailure: 'tell', ...typing(options), ...env })), words)
}

/** A call that changes something; undefined in check mode. */
export async function* useTool(
  what: string,
  words: readonly string[],
  options: ToolOptions = {},
): AsyncGenerator<Change, Ran | undefined, Done> {
  const done = yield {
    what,
    script: scriptOf(words, options),
    onFailure: 'tell',
    counts: options.counts,
    diff: options.diff,
    ...typing(options),
    ...(options.env === undefined ? {} : { env: new Map(Object.entries(options.env)) }),
  }
  return done && found(ran(done), words)
}

function found(told: Ran, words: readonly string[]): Ran {
  if (told.rc === MISSING && told.stdout === '' && told.stderr === '')
    throw new ModuleFailure(
      `Failed to find required executable "${words[0]}" in paths: /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    )
  return told
}

/** Ends the module as `run_command(check_rc=True)` would. */
export function mustSucceed(told: Ran | undefined, words: readonly string[], message?: string): void {
  if (!told || told.rc === 0) return
  throw new ModuleFailure(message ?? told.stderr.trim(), { cmd: words.join(' '), rc: told.rc, stdout: told.stdout, stderr: told.stderr })
}
