/** sefcontext: makes the policy of SELinux give paths a context, or the context of another path, or not. */
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, required, str } from '../../params/index.ts'
import { type Change, type Done, defineModule, type Host, type Result } from '../api.ts'
import { failSemanage, mustBeEnabled, semanage } from './selinux-tools.ts'
import { useTool } from './tools.ts'

const params = {
  ftype: choice(['a', 'b', 'c', 'd', 'f', 'l', 'p', 's'], 'a', { description: 'kind of files: a for all' }),
  ignore_selinux_state: fallback(bool(), false),
  reload: fallback(bool({ description: 'load the policy anew' }), true),
  selevel: str({ aliases: ['serange'] }),
  setype: str(),
  seuser: str(),
  state: choice(['absent', 'present'], 'present'),
  substitute: str({ aliases: ['equal'], description: 'path whose contexts the target has' }),
  target: required(str({ aliases: ['path'], description: 'pattern of the paths' })),
} as const

type SefArgs = Args<typeof params>
type Run = AsyncGenerator<Change, Result, Done>

const KINDS: Readonly<Record<SefArgs['ftype'], string>> = {
  a: 'all files',
  b: 'block device',
  c: 'character device',
  d: 'directory',
  f: 'regular file',
  l: 'symbolic link',
  p: 'named pipe',
  s: 'socket',
}

export default defineModule({
  name: 'community.general.sefcontext',
  summary: "Manages contexts of files in SELinux's policy.",
  params,
  rules: {
    mutuallyExclusive: [
      ['setype', 'substitute'],
      ['substitute', 'ftype'],
      ['substitute', 'seuser'],
      ['substitute', 'selevel'],
    ],
    requiredIf: [['state', 'present', ['setype', 'substitute'], true]],
  },
  async *run(args, host) {
    await mustBeEnabled(host, args.ignore_selinux_state)
    const now = await mapped(host, args)
    return yield* args.state === 'present'
      ? args.substitute === undefined
        ? withType(args, host, now)
        : withEqual(args, host, now)
      : without(args, host, now)
  },
})

interface Context {
  readonly user: string
  readonly role: string
  readonly type: string
  readonly level: string
}

interface Mapped {
  readonly context: Context | undefined
  readonly equal: string | undefined
}

/** `/path   all files   user:role:type:level`, and `/path = /other` below */
async function mapped(host: Host, args: SefArgs): Promise<Mapped> {
  const lines = await semanage(host, ['fcontext', '-l', '-n'])
  let context: Context | undefined
  let equal: string | undefined
  for (const line of lines) {
    const [, target, kind, words] = /^(.*?\S)\s{2,}(\S.*?\S)\s{2,}(\S.*)$/.exec(line) ?? []
    if (target === args.target && kind === KINDS[args.ftype]) context = contextOf(words!.trim())
    const [, from, to] = /^(\S.*?) = (\S.*?)\s*$/.exec(line) ?? []
    if (from === args.target) equal ??= to
  }
  return { context, equal }
}

function contextOf(words: string): Context | undefined {
  const [user, role, type, ...level] = words.split(':')
  return type === undefined ? undefined : { user: user!, role: role!, type, level: level.join(':') }
}

const told = ({ target, ftype, setype, substitute, state }: SefArgs): JsonObject => ({
  target,
  ftype,
  setype: setype ?? null,
  substitute: substitute ?? null,
  state,
})

const spelled = (args: SefArgs, { user, role, type, level }: Context): string =>
  `${args.target}      ${args.ftype}      ${user}:${role}:${type}:${level}\n`

async function* apply(args: SefArgs, host: Host, words: readonly string[], prepared: string, more: JsonObject): Run {
  const [verb, ...rest] = words
  failSemanage(yield* useTool('context', ['semanage', 'fcontext', verb!, ...(args.reload ? [] : ['-N']), ...rest], { diff: { prepared } }))
  return { changed: true, ...more, ...told(args), ...(host.diff ? { diff: { prepared } } : {}) }
}

async function* withType(args: SefArgs, host: Host, { context }: Mapped): Run {
  const seuser = args.seuser ?? context?.user ?? 'system_u'
  const serange = args.selevel ?? context?.level ?? 's0'
  const next: Context = { user: seuser, role: context?.role ?? 'object_r', type: args.setype!, level: serange }
  const more = { seuser, serange }
  if (context && spelled(args, context) === spelled(args, next)) return { changed: false, ...more, ...told(args) }
  const prepared = context
    ? `# Change to semanage file context mappings\n-${spelled(args, context)}+${spelled(args, next)}`
    : `# Addition to semanage file context mappings\n+${spelled(args, next)}`
  const words = [context ? '-m' : '-a', '-t', next.type, '-f', args.ftype, '-r', serange, '-s', seuser, args.target]
  return yield* apply(args, host, words, prepared, more)
}

async function* withEqual(args: SefArgs, host: Host, { equal }: Mapped): Run {
  const more = { seuser: args.seuser ?? null, serange: args.selevel ?? null }
  if (equal === args.substitute) return { changed: false, ...more, ...told(args) }
  const next = `+${args.target} = ${args.substitute}\n`
  const prepared =
    equal === undefined
      ? `# Addition to semanage file context path substitutions\n${next}`
      : `# Change to semanage file context path substitutions\n-${args.target} = ${equal}\n${next}`
  return yield* apply(args, host, [equal === undefined ? '-a' : '-m', '-e', args.substitute!, args.target], prepared, more)
}

async function* without(args: SefArgs, host: Host, { context, equal }: Mapped): Run {
  let result: Result = { changed: false, ...told(args) }
  let prepared = ''
  if (context && args.substitute === undefined) {
    prepared += `# Deletion to semanage file context mappings\n-${spelled(args, context)}`
    result = yield* apply(args, host, ['-d', '-f', args.ftype, args.target], prepared, {})
  }
  if (equal !== undefined && args.setype === undefined && (args.substitute === undefined || args.substitute === equal)) {
    prepared += `# Deletion to semanage file context path substitutions\n-${args.target} = ${equal}\n`
    result = yield* apply(args, host, ['-d', '-e', equal, args.target], prepared, {})
  }
  return result
}
