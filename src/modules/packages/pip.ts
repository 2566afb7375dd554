/** pip: makes Python packages be there, be gone or be the latest. */
import type { Json } from '../../base/index.ts'
import type { Look } from '../../facts/index.ts'
import { type Args, bool, choice, fallback, list, path, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { splitWords } from '../files/words.ts'
import { lookAt } from '../system/looking.ts'
import { runListed } from './listing.ts'

const params = {
  name: list(),
  version: str(),
  requirements: str(),
  virtualenv: path(),
  virtualenv_site_packages: fallback(bool(), false),
  virtualenv_command: fallback(path(), 'virtualenv'),
  virtualenv_python: str(),
  state: choice(['absent', 'forcereinstall', 'latest', 'present'], 'present'),
  extra_args: str(),
  editable: fallback(bool(), false),
  chdir: path(),
  executable: path(),
  umask: str(),
  break_system_packages: fallback(bool(), false),
} as const

type PipArgs = Args<typeof params>

export default defineModule({
  name: 'ansible.builtin.pip',
  summary: 'Manages Python packages.',
  params,
  rules: { requiredOneOf: [['name', 'requirements', 'virtualenv']], mutuallyExclusive: [['executable', 'virtualenv']] },
  async *run(args, host) {
    const names = (args.name ?? []).map((name) => name.trim()).filter(Boolean)
    if (args.version !== undefined && names.length !== 1)
      throw new ModuleFailure(
        "'version' argument is ambiguous when installing multiple package distributions. Please specify version restrictions next to each package in 'name' argument.",
      )
    if (args.version !== undefined && args.state === 'latest') throw new ModuleFailure('version is incompatible with state=latest')
    const look = await lookAt(host, pipLook(args))
    const base: Record<string, Json> = {
      name: args.name ?? null,
      version: args.version ?? null,
      state: args.state,
      requirements: args.requirements ?? null,
      virtualenv: args.virtualenv ?? null,
    }
    let made = false
    if (args.virtualenv !== undefined && look.section('venv') === undefined) {
      const done = yield { what: 'virtualenv', onFailure: 'tell', script: venvScript(args) }
      if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr) || textOf(done.stdout), { rc: done.code })
      made = true
    }
    const pip = look.section('pip')?.trim() || (args.virtualenv === undefined ? undefined : `${args.virtualenv}/bin/pip`)
    if (pip === undefined) throw new ModuleFailure('Unable to find any of pip3, pip to use.  pip needs to be installed.')
    const specs = names.map((name) => (args.version === undefined ? name : `${name}==${args.version}`))
    const wanted = specs.filter((spec) => mustAct(spec, args.state, installedVersions(look)))
    if (wanted.length === 0 && args.requirements === undefined) return { changed: made, ...base, cmd: [] }
    const words = commandWords(args, pip, wanted)
    const freeze = sh`${args.chdir === undefined ? sh`` : sh`cd ${args.chdir} && `}${pip} freeze --all 2>/dev/null`
    const place = args.chdir === undefined ? sh`` : sh`cd ${args.chdir} && `
    const outcome = yield* runListed(freeze, sh`${args.umask === undefined ? sh`` : sh`umask ${args.umask}; `}${place}${words}`)
    if (!outcome) return { changed: true, ...base, cmd: words }
    if (outcome.rc !== 0) throw new ModuleFailure(`\n:stderr: ${outcome.stderr}\n`, { ...base, cmd: words, rc: outcome.rc })
    return {
      changed: made || outcome.changed || args.state === 'forcereinstall',
      ...base,
      cmd: words,
      stdout: outcome.stdout,
      stderr: outcome.stderr,
    }
  },
})

const pipLook = (args: PipArgs): Script => sh`
p=
if [ -n ${args.virtualenv ?? ''} ]; then
  if [ -x ${`${args.virtualenv ?? ''}/bin/pip`} ]; then p=${`${args.virtualenv ?? ''}/bin/pip`}; printf '\036venv\n'; fi
else
  for x in ${args.executable === undefined ? ['pip3', 'pip'] : [args.executable]}; do if [ -z "$p" ] && w "$x"; then p=$(command -v "$x"); fi; done
fi
if [ -n "$p" ]; then printf '\036pip\n%s\n\036list\n' "$p"; "$p" list --format=json --disable-pip-version-check 2>/dev/null; fi`

/** name in its plain form → version */
function installedVersions(look: Look): ReadonlyMap<string, string> {
  try {
    const rows = JSON.parse(look.section('list') || '[]') as readonly { readonly name: string; readonly version: string }[]
    return new Map(rows.map((row) => [plainName(row.name), row.version]))
  } catch {
    return new Map()
  }
}

/** Case, dots, dashes and underscores make no difference. */
const plainName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

function mustAct(spec: string, state: PipArgs['state'], installed: ReadonlyMap<string, string>): boolean {
  const match = /^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?\s*(.*)$/.exec(spec)
  if (!match || /[:/@]/.test(spec)) return true
  const version = installed.get(plainName(match[1]!))
  if (state === 'absent') return version !== undefined
  if (state !== 'present' || version === undefined) return true
  return !match[2]!
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .every((part) => satisfies(version, part))
}

/** Whether a version keeps to `==1.2`, `>=1`, `!=2`, `~=1.4`. */
function satisfies(version: string, condition: string): boolean {
  const [, sign = '', wanted = ''] = /^(===?|[<>!~]=|[<>])\s*(.+)$/.exec(condition) ?? []
  const order = compare(version, wanted)
  const tests: Readonly<Record<string, boolean>> = {
    '==': wanted.endsWith('.*') ? `${version}.`.startsWith(wanted.slice(0, -1)) : order === 0,
    '===': version === wanted,
    '!=': order !== 0,
    '>=': order >= 0,
    '<=': order <= 0,
    '>': order > 0,
    '<': order < 0,
    '~=': order >= 0 && `${version}.`.startsWith(wanted.replace(/\.[^.]*$/, '.')),
  }
  return tests[sign] ?? false
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0)) as [number[], number[]]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function commandWords(args: PipArgs, pip: string, specs: readonly string[]): string[] {
  const verbs: Readonly<Record<PipArgs['state'], readonly string[]>> = {
    present: ['install'],
    latest: ['install', '-U'],
    forcereinstall: ['install', '-U', '--force-reinstall'],
    absent: ['uninstall', '-y'],
  }
  const extra = splitWords(args.extra_args ?? '')
  const system = args.break_system_packages ? ['--break-system-packages'] : []
  const targets =
    args.requirements === undefined ? (args.editable ? specs.flatMap((spec) => ['-e', spec]) : specs) : ['-r', args.requirements]
  return [pip, ...verbs[args.state], ...extra, ...system, ...targets]
}

function venvScript(args: PipArgs): Script {
  const words = args.virtualenv_command.split(/\s+/)
  const options = [
    ...(args.virtualenv_site_packages ? ['--system-site-packages'] : []),
    ...(args.virtualenv_python === undefined ? [] : [`-p${args.virtualenv_python}`]),
  ]
  return sh`${words} ${options} ${args.virtualenv!}`
}
