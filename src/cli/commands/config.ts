/** `tsspray config VERB`: shows the settings, what each is for, and where its value comes from. */
import { readFileSync } from 'node:fs'
import { didYouMean, own, Problem } from '../../base/index.ts'
import { type Entry, type Settings, settingName, tellOrigin } from '../../config/index.ts'
import { type OptionTable, type Parsed, parseArgs } from '../options.ts'
import { readSettings } from '../session.ts'
import { common } from '../tables.ts'
import type { Terminal } from '../terminal.ts'

const options = {
  onlyChanged: { kind: 'flag', names: ['--only-changed', '--changed-only'], about: 'dump: only settings that are not the default' },
  format: { kind: 'text', names: ['-f, --format'], value: 'format', about: 'dump: display or json' },
  ...common,
} as const satisfies OptionTable

type Options = Parsed<typeof options>
type Verb = (settings: Settings, names: readonly string[], options: Options, terminal: Terminal) => void

const VERBS: { readonly [name: string]: Verb } = { dump, list, view }

export const usage = {
  name: 'tsspray config',
  about: 'Shows settings: dump (values and where they come from), list (what there is), view (the file that is read).',
  args: '[verb] [names...]',
  options,
}

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { args, options: given } = parseArgs({ ...usage, args: '[args...]' }, argv, terminal)
  const [name = 'dump', ...rest] = args
  const verb = own(VERBS, name)
  if (!verb)
    throw new Problem(`there is no verb '${name}'`, { kind: 'usage', hint: didYouMean(name, Object.keys(VERBS)) ?? 'dump, list or view' })
  verb(readSettings(terminal), rest, given, terminal)
  return 0
}

function chosen(settings: Settings, names: readonly string[]): Entry[] {
  const wanted = new Set(names.map(settingName))
  const entries = settings.entries().filter((entry) => wanted.size === 0 || wanted.has(entry.name))
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function dump(settings: Settings, names: readonly string[], { onlyChanged, format }: Options, { out }: Terminal): void {
  const entries = chosen(settings, names).filter(({ origin }) => !onlyChanged || origin !== 'default')
  if (format === 'json')
    out(
      `${JSON.stringify(
        entries.map(({ name, value, origin }) => ({ name, value: value ?? null, origin: tellOrigin(origin) })),
        null,
        4,
      )}\n`,
    )
  else for (const { name, value, origin } of entries) out(`${name}(${tellOrigin(origin)}) = ${shown(value)}\n`)
}

function list(settings: Settings, names: readonly string[], _options: Options, { out }: Terminal): void {
  for (const { name, definition } of chosen(settings, names)) {
    const where = [
      ...(definition.ini ?? []).map(([section, key]) => `[${section}] ${key}`),
      ...(definition.env ?? []).map((variable) => `$${variable}`),
    ]
    out(
      `${name}: ${definition.summary}\n  type: ${definition.type}; default: ${shown(definition.default)}\n  set with: ${where.join(', ')}\n`,
    )
    if (definition.choices) out(`  one of: ${definition.choices.join(', ')}\n`)
  }
}

function view(settings: Settings, _names: readonly string[], _options: Options, { out }: Terminal): void {
  if (settings.file === undefined) throw new Problem('no settings file is read', { kind: 'file', hint: './ansible.cfg would be' })
  out(readFileSync(settings.file, 'utf8'))
}

/** A value in Python's spelling, which people know from Ansible's own dump. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return Array.isArray(value) ? `[${value.map((part) => `'${part}'`).join(', ')}]` : String(value)
}
