/** Turns `-e` options into variables: k=v words, JSON or YAML text, @files; later ones win. */
import { asWritten, Problem, type Raw, type RawVars, type Source } from '../base/index.ts'
import { type DocumentOptions, nodeToRaw, parseYaml, readVars } from '../documents/index.ts'

/** Where words go that are no name=value. */
const NAMELESS = '_raw_params'

export function extraVarsOf(given: readonly string[], documents: DocumentOptions): RawVars {
  const out = new Map<string, Raw>()
  for (const text of given) {
    for (const [name, value] of oneOption(text, documents)) {
      if (name === NAMELESS) documents.warn?.(`-e '${text}' has words that are no name=value: they are kept as ${NAMELESS}`)
      out.set(name, value)
    }
  }
  return out
}

/** The names whose last value was given on the command line itself, not in a file. */
export function typedNames(given: readonly string[], documents: DocumentOptions): ReadonlySet<string> {
  const out = new Set<string>()
  for (const text of given) {
    for (const [name] of oneOption(text, documents)) {
      if (isYaml(text.trim())) out.delete(name)
      else out.add(name)
    }
  }
  return out
}

/** JSON and words are plain texts to the reference, YAML is what people write. */
function isYaml(text: string): boolean {
  if (text.startsWith('@')) return !text.endsWith('.json')
  if (!text.startsWith('{') && !text.startsWith('[') && !text.startsWith('---')) return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

function oneOption(text: string, documents: DocumentOptions): Iterable<[string, Raw]> {
  const trimmed = text.trim()
  if (trimmed.startsWith('@')) return readVars(trimmed.slice(1), documents)
  if (trimmed.startsWith('{') || trimmed.startsWith('[') || trimmed.startsWith('---'))
    return yamlVars({ name: '-e', text: trimmed }, documents)
  const given = words(text)
  const named = given.flatMap((word): [string, Raw][] => {
    const at = word.indexOf('=')
    return at <= 0 ? [] : [[word.slice(0, at), asWritten(word.slice(at + 1))]]
  })
  const rest = given.filter((word) => word.indexOf('=') <= 0)
  return rest.length === 0 ? named : [...named, [NAMELESS, asWritten(rest.join(' '))]]
}

function yamlVars(source: Source, documents: DocumentOptions): Iterable<[string, Raw]> {
  const node = parseYaml(source, documents)
  const raw = node ? nodeToRaw(node, documents) : new Map<Raw, Raw>()
  if (!(raw instanceof Map)) throw new Problem('extra variables must be a mapping', { kind: 'usage' })
  return [...raw].map(([k, v]): [string, Raw] => [String(k), v])
}

/** Words of k=v text: quotes keep blanks together and go; a backslash keeps the next quote. */
function words(text: string): string[] {
  const out: string[] = []
  let word = ''
  let open = ''
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === '{' && text[i + 1] === '{') depth++
    if (c === '}' && text[i + 1] === '}') depth = Math.max(0, depth - 1)
    if (c === '\\' && (text[i + 1] === '"' || text[i + 1] === "'")) word += text[++i]
    else if (open !== '' && depth === 0) {
      if (c === open) open = ''
      else word += c
    } else if ((c === '"' || c === "'") && depth === 0) open = c
    else if (/\s/.test(c) && depth === 0) {
      if (word !== '') out.push(word)
      word = ''
    } else word += c
  }
  if (word !== '') out.push(word)
  return out
}
