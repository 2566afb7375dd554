/** read_csv: tells the rows of a CSV file, as a list or by a column's value. */
import { type JsonObject, record } from '../../base/index.ts'
import { type Args, bool, fallback, list, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { parseCsv } from './csv.ts'

const params = {
  delimiter: str({ description: 'what parts the fields' }),
  dialect: fallback(str({ description: 'excel, excel-tab or unix' }), 'excel'),
  fieldnames: list('str', { description: 'names of the columns; the first row otherwise' }),
  key: str({ description: 'column whose values name the rows of dict' }),
  path: required(path({ aliases: ['filename'], description: 'the file' })),
  skipinitialspace: bool({ description: 'blanks after a delimiter do not count' }),
  strict: bool({ description: 'fail on wrong quotes' }),
  unique: fallback(bool({ description: 'fail when two rows have the same key' }), true),
} as const

const DIALECTS: Readonly<Record<string, string>> = { excel: ',', 'excel-tab': '\t', unix: ',' }

export default defineModule({
  name: 'community.general.read_csv',
  summary: 'Tells the rows of a CSV file.',
  params,
  async *run(args, host) {
    const delimiter = args.delimiter ?? DIALECTS[args.dialect]
    if (delimiter === undefined) throw new ModuleFailure(`Dialect '${args.dialect}' is not supported by your version of python.`)
    const bytes = await host.look(sh`[ -e ${args.path} ] || exit 94; cat -- ${args.path}`, { onFailure: 'tell' })
    if (bytes.code === 94) throw new ModuleFailure(`Unable to open file: [Errno 2] No such file or directory: '${args.path}'`)
    if (bytes.code !== 0) throw new ModuleFailure(`Unable to open file: ${textOf(bytes.stderr).trim()}`)
    const text = textOf(bytes.stdout).replace(/^\ufeff/, '')
    const rows = parseCsv(text, { delimiter, skipSpace: args.skipinitialspace ?? false, strict: args.strict ?? false })
    const names = args.fieldnames ?? rows.shift() ?? []
    const records = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])) as JsonObject)
    if (args.key === undefined) return { changed: false, dict: {}, list: records }
    if (!names.includes(args.key)) throw new ModuleFailure(`Key '${args.key}' was not found in the CSV header fields: ${names.join(', ')}`)
    return { changed: false, dict: byKey(args, args.key, records), list: [] }
  },
})

function byKey(args: Args<typeof params>, key: string, records: readonly JsonObject[]): JsonObject {
  const found: Record<string, JsonObject> = record()
  for (const record of records) {
    const name = String(record[key])
    if (args.unique && Object.hasOwn(found, name)) throw new ModuleFailure(`Key '${key}' is not unique for value '${name}'`)
    found[name] = record
  }
  return found
}
