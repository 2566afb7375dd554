/** Turns a scalar with a tag into its value; knows which tags there are. */
import type { Scalar } from '../base/index.ts'
import { readFloat, readInteger, resolvePlain } from './scalar.ts'

const STANDARD = 'tag:yaml.org,2002:'

/** A tag in the short spelling. */
export const shortTag = (tag: string): string => (tag.startsWith(STANDARD) ? `!!${tag.slice(STANDARD.length)}` : tag)

const asText = (text: string): Scalar => text

/** What each tag makes of a scalar's text; undefined: the text does not fit the tag. */
const SCALAR_TAGS: { readonly [tag: string]: (text: string) => Scalar | undefined } = {
  '!': asText,
  '!vault': asText,
  '!vault-encrypted': asText,
  '!unsafe': asText,
  '!!str': asText,
  '!!timestamp': asText,
  '!!binary': asText,
  '!!null': () => null,
  '!!int': (text) => readInteger(text),
  '!!float': (text) => readFloat(text) ?? readFloat(`${text}.0`),
  '!!bool': (text) => {
    const value = resolvePlain(text.toLowerCase())
    return typeof value === 'boolean' ? value : undefined
  },
}

const COLLECTION_TAGS = ['!!map', '!!seq', '!!set', '!!omap', '!!pairs']

export const KNOWN_TAGS: readonly string[] = [...Object.keys(SCALAR_TAGS), ...COLLECTION_TAGS]
const known = new Set(KNOWN_TAGS)

export const isKnownTag = (tag: string): boolean => known.has(tag)

export function resolveTagged(tag: string, text: string): Scalar | undefined {
  const resolve = SCALAR_TAGS[tag]
  return resolve ? resolve(text) : text
}
