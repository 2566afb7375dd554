/** Lookups of files: their texts, their names, templates, vaulted and tabular ones. */
import path from 'node:path'
import type { Value } from '../../base/index.ts'
import type { FileOptions } from '../api.ts'
import { fromBytes } from '../filters/bytes.ts'
import { globFiles } from '../filters/glob.ts'
import { isMapping, isUndefined, lookupError, str } from '../python/index.ts'
import { compileRegex } from '../regex/regex.ts'
import type { CallContext } from '../registry.ts'
import { templateVariables } from '../template-vars.ts'
import { parseCsv } from './csv.ts'
import { baseFolder, findFile, keyValues, type LookupTable, Options, pluginError, readText } from './define.ts'
import { readIni } from './ini.ts'

export const FILE_LOOKUPS: LookupTable = {
  binary_file: (context, terms, kwargs) => {
    const missing = new Options(kwargs).text('not_exist', 'error')
    return terms.flatMap((term) => {
      const file = findFile(context, 'files', str(term))
      if (file !== undefined) return [Buffer.from(context.scope.files!.readBytes(file)).toString('base64')]
      if (missing === 'empty') return ['']
      if (missing === 'empty_str') return ['empty']
      throw lookupError(`Could not locate file in community.general.binary_file lookup: ${str(term)}`)
    })
  },
  csvfile: (context, terms, kwargs) => {
    if (terms.length === 0) throw pluginError('Search key is required but was not found')
    return terms.flatMap((term) => csvField(context, str(term), kwargs))
  },
  file: (context, terms, kwargs) => {
    const options = new Options(kwargs)
    return terms.map((term) => {
      const file = findFile(context, 'files', str(term))
      if (file === undefined)
        throw lookupError(
          `The 'file' lookup had an issue accessing the file '${str(term)}'. file not found, use -vvvvv to see paths searched`,
        )
      let text = readText(context, file)
      if (options.flag('lstrip', false)) text = text.trimStart()
      return options.flag('rstrip', true) ? text.trimEnd() : text
    })
  },
  fileglob: (context, terms) => terms.flatMap((term) => globTerm(context, str(term))),
  first_found: firstFound,
  ini: (context, terms, kwargs) => terms.flatMap((term) => iniValue(context, str(term), kwargs)),
  template: (context, terms, kwargs) => {
    const options = new Options(kwargs)
    const given = options.value('template_vars')
    return terms.map((term) => {
      const file = findFile(context, 'templates', str(term))
      if (file === undefined) throw pluginError(`the template file ${str(term)} could not be found for the lookup`)
      const variables = new Map(templateVariables({ name: str(term), fullPath: file, ...clockOf(context) }))
      if (isMapping(given)) for (const key of given.keys()) variables.set(str(key), given.get(str(key)) ?? null)
      const how = { ...fileOptions(options), native: options.flag('jinja2_native', false), convert: options.flag('convert_data', true) }
      return context.renderFile({ name: file, text: readText(context, file) }, how, variables)
    })
  },
  unvault: (context, terms) =>
    terms.map((term) => {
      const file = findFile(context, 'files', str(term))
      if (file === undefined) throw pluginError(`Unable to find file matching "${str(term)}" `)
      return readText(context, file)
    }),
}

function clockOf({ scope }: CallContext): { now: Date; managed: Value | undefined } {
  return { now: scope.run?.now() ?? new Date(), managed: scope.run?.setting?.('DEFAULT_MANAGED_STR') }
}

function fileOptions(options: Options): FileOptions {
  return {
    keepTrailingNewline: true,
    variableStart: options.text('variable_start_string', '{{'),
    variableEnd: options.text('variable_end_string', '}}'),
    commentStart: options.text('comment_start_string', '{#'),
    commentEnd: options.text('comment_end_string', '#}'),
  }
}

function globTerm(context: CallContext, term: string): string[] {
  const name = path.basename(term)
  const folders = name === term ? searchFolders(context) : [findFile(context, 'files', path.dirname(term))]
  for (const folder of folders) {
    const found = folder === undefined ? [] : globFiles(path.join(folder, name))
    if (found.length > 0) return found
  }
  return []
}

function searchFolders(context: CallContext): readonly string[] {
  return context.scope.files?.folders('files') ?? [path.join(baseFolder(context), 'files'), baseFolder(context)]
}

/** The first file there is; with `skip`, none is no mistake. */
function firstFound(context: CallContext, terms: Value[], kwargs: ReadonlyMap<string, Value>): Value[] {
  const wanted = terms.length > 0 ? terms : ((kwargs.get('files') as Value[] | undefined) ?? [])
  const { names, skip } = candidates(wanted, kwargs)
  for (const name of names) {
    if (isUndefined(name)) continue
    const file = findFile(context, str(kwargs.get('_subdir') ?? 'files'), str(name))
    if (file !== undefined) return [path.normalize(file)]
  }
  if (skip) return []
  throw lookupError('No file was found when using first_found.')
}

function candidates(terms: readonly Value[], kwargs: ReadonlyMap<string, Value>): { names: Value[]; skip: boolean } {
  const names: Value[] = []
  let skip = new Options(kwargs).flag('skip', false)
  for (const term of terms) {
    if (isUndefined(term)) continue
    if (Array.isArray(term)) {
      const inner = candidates(term, kwargs)
      names.push(...inner.names)
      skip = inner.skip
    } else if (isMapping(term) || typeof term === 'string') {
      const options = new Options(isMapping(term) ? new Map([...term.keys()].map((key) => [str(key), term.get(str(key)) ?? null])) : kwargs)
      const files = isMapping(term) ? options.value('files', []) : [term]
      skip = options.flag('skip', false)
      const fileList = divided(files, /[,;]/)
      const pathList = divided(options.value('paths', []), /[,:;]/)
      if (pathList.length > 0) for (const folder of pathList) for (const file of fileList) names.push(joined(folder, file))
      else names.push(...(fileList.length > 0 ? fileList : [term]))
    } else throw lookupError(`Invalid term supplied, can handle string, mapping or list of strings but got: ${str(term)}`)
  }
  return { names, skip }
}

function divided(value: Value, at: RegExp): Value[] {
  if (value === null) return []
  if (typeof value === 'string') return value.split(at)
  if (Array.isArray(value)) return value.flatMap((item) => divided(item, at))
  return [value]
}

const joined = (folder: Value, file: Value): Value =>
  isUndefined(folder)
    ? folder
    : isUndefined(file)
      ? file
      : path.isAbsolute(str(file))
        ? file
        : `${str(folder).replace(/\/$/, '')}/${str(file)}`

const CSV_OPTIONS = new Set(['col', 'default', 'delimiter', 'encoding', 'file', 'keycol'])

function csvField(context: CallContext, term: string, kwargs: ReadonlyMap<string, Value>): Value[] {
  const { raw, pairs } = keyValues(term)
  if (raw === '') throw pluginError('Search key is required but was not found')
  for (const name of pairs.keys()) if (!CSV_OPTIONS.has(name)) throw pluginError(`${name} is not a valid option`)
  const options = new Options(new Map<string, Value>([...kwargs, ...pairs]))
  const name = options.text('file', 'ansible.csv')
  const file = findFile(context, 'files', name)
  if (file === undefined) throw pluginError(`csvfile: [Errno 2] No such file or directory: '${name}'`)
  const delimiter = options.text('delimiter', 'TAB')
  const text = fromBytes(context.scope.files!.readBytes(file), options.text('encoding', 'utf-8'))
  const keyColumn = Number(options.text('keycol', '0'))
  const column = Number(options.text('col', '1'))
  for (const row of parseCsv(text, delimiter === 'TAB' ? '\t' : delimiter)) {
    if (row.length === 0) continue
    if (row[keyColumn] === undefined) throw pluginError('csvfile: list index out of range')
    if (row[keyColumn] !== raw) continue
    const field = row.at(column)
    if (field === undefined) throw pluginError('csvfile: list index out of range')
    return [field]
  }
  const fallback = options.value('default')
  return fallback === null ? [] : Array.isArray(fallback) ? fallback : [fallback]
}

const INI_OPTIONS = new Set('type file section encoding default case_sensitive allow_no_value allow_none interpolation re'.split(' '))

function iniValue(context: CallContext, term: string, kwargs: ReadonlyMap<string, Value>): Value[] {
  const { raw, pairs } = term.includes('=') || /\s/.test(term.trim()) ? keyValues(term) : { raw: term, pairs: new Map<string, string>() }
  for (const option of pairs.keys()) if (!INI_OPTIONS.has(option)) throw lookupError(`${option} is not a valid option.`)
  if (raw === '') throw lookupError(`No key to lookup was provided as first term with in string inline options: ${term}`)
  const options = new Options(new Map<string, Value>([...kwargs, ...pairs]))
  const name = options.text('file', 'ansible.ini')
  const file = findFile(context, 'files', name)
  if (file === undefined) throw pluginError(`Could not find file: ${name}`)
  const isProperties = options.text('type', 'ini') === 'properties'
  const sensitive = options.flag('case_sensitive', false)
  const text = fromBytes(context.scope.files!.readBytes(file), options.text('encoding', 'utf-8'))
  const sections = readIni(isProperties ? `[java_properties]\n${text}` : text, {
    caseSensitive: sensitive,
    allowNoValue: options.flag('allow_no_value', false) || options.flag('allow_none', false),
    interpolate: options.flag('interpolation', true),
    file: name,
  })
  const sectionName = isProperties ? 'java_properties' : options.text('section', 'global')
  const section = sections.get(sectionName)
  if (!section) throw lookupError(`No section '${sectionName}' in ${name}`)
  if (options.flag('re', false)) {
    const regex = compileRegex(raw)
    return [...section].filter(([key]) => regex.match(key) !== undefined).map(([, value]) => value)
  }
  const value = section.get(sensitive ? raw : raw.toLowerCase())
  const found: Value = value === undefined ? options.value('default', '') : value
  return found === null ? [] : Array.isArray(found) ? found : [found]
}
