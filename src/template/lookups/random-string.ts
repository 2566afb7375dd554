/** random_string: how many characters of which kinds → a text of them by chance. */
import type { Value } from '../../base/index.ts'
import { below, type RandomSource, SYSTEM_RANDOM, seededRandom, shuffled } from '../filters/mersenne.ts'
import type { LookupFunction } from '../registry.ts'
import { DIGITS, LOWER, PUNCTUATION, UPPER } from './character-sets.ts'
import { Options, pluginError } from './define.ts'

/** Kinds of characters: the option that wants them, the option for their least number, the characters. */
const KINDS: readonly (readonly [wanted: string, least: string, characters: string])[] = [
  ['upper', 'min_upper', UPPER],
  ['lower', 'min_lower', LOWER],
  ['numbers', 'min_numeric', DIGITS],
  ['special', 'min_special', PUNCTUATION],
]
const USUAL_LENGTH = '8'
const SIMILAR = 'il1LoO0'

export const randomString: LookupFunction = (_, __, kwargs) => {
  const options = new Options(kwargs)
  const seed = options.value('seed')
  const source = seed === null ? SYSTEM_RANDOM : seededRandom(seed)
  const made = shuffled(source, draw(source, options)).join('')
  return [options.flag('base64', false) ? Buffer.from(made).toString('base64') : made] as Value[]
}

function draw(source: RandomSource, options: Options): string[] {
  const length = Number(options.text('length', USUAL_LENGTH))
  const all = options.text('override_all', '')
  if (all !== '') return pick(source, unlike(all, options), length)
  const out: string[] = []
  let available = ''
  for (const [wanted, least, usual] of KINDS) {
    const kind = unlike(wanted === 'special' ? options.text('override_special', usual) : usual, options)
    if (options.flag(wanted, true)) available += kind
    const count = Number(options.text(least, '0'))
    if (count > 0) out.push(...pick(source, kind, count))
  }
  const missing = length - out.length
  if (missing > 0 && available === '') throw pluginError('Available characters cannot be None, please change constraints')
  return [...out, ...pick(source, available, Math.max(0, missing))]
}

function unlike(characters: string, options: Options): string {
  if (!options.flag('ignore_similar_chars', false)) return characters
  const similar = options.text('similar_chars', SIMILAR)
  return [...characters].filter((char) => !similar.includes(char)).join('')
}

const pick = (source: RandomSource, from: string, count: number): string[] =>
  Array.from({ length: count }, () => from[below(source, from.length)]!)
