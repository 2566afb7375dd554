/** The name of an encoding → how its text becomes bytes and bytes become text: the single-byte and East Asian ones, as Python spells their names. */

export interface CodePage {
  /** undefined for a character that the encoding does not have */
  bytesOf(char: string): Uint8Array | undefined
  /** throws where the bytes are none of this encoding */
  textOf(bytes: Uint8Array): string
  /** for bytes that come in pieces; throws like textOf */
  reader(): (bytes: Uint8Array, last: boolean) => string
}

/** Python's names, without case, dashes, underscores and blanks, where they are not those that browsers know. */
const LABELS: readonly (readonly [RegExp, string])[] = [
  [/^(?:cp|windows)(125\d|874)$/, 'windows-$1'],
  [/^iso8859(1[0-6]|[2-9])$/, 'iso-8859-$1'],
  [/^koi8([ru])$/, 'koi8-$1'],
  [/^(?:cp)?866$/, 'ibm866'],
  [/^(?:macroman|macintosh)$/, 'macintosh'],
  [/^(?:gbk|cp936|936|ms936|gb2312|euccn)$/, 'gbk'],
  [/^gb18030$/, 'gb18030'],
  [/^big5$/, 'big5'],
  [/^(?:sjis|shiftjis|cp932|ms932)$/, 'shift_jis'],
  [/^eucjp$/, 'euc-jp'],
  [/^(?:euckr|cp949|949)$/, 'euc-kr'],
]

/** `latin5` and the like stand for other parts of ISO 8859 than their numbers say. */
const LATIN: Readonly<Record<string, number>> = { 5: 9, 6: 10, 7: 13, 8: 14, 9: 15, 10: 16 }

const made = new Map<string, CodePage>()

export function codePage(name: string): CodePage | undefined {
  const plain = name.toLowerCase().replace(/[-_ ]/g, '')
  const key = plain.replace(/^(?:l|latin)([2-9]|10)$/, (_, number: string) => `iso8859${LATIN[number] ?? number}`)
  const found = LABELS.find(([pattern]) => pattern.test(key))
  if (!found) return undefined
  const label = key.replace(found[0], found[1])
  const known = made.get(label) ?? makePage(label)
  if (known) made.set(label, known)
  return known
}

/** 0x80 to 0x9f of Windows' western code page, which some releases of Node take for Latin-1; a blank stands where it has nothing. */
const WESTERN = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

function westernPage(): CodePage {
  const charOf = (byte: number): string => (byte >= 0x80 && byte < 0xa0 ? WESTERN[byte - 0x80]! : String.fromCharCode(byte))
  const isNothing = (byte: number): boolean => byte >= 0x80 && byte < 0xa0 && charOf(byte) === ' '
  const all = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !isNothing(byte))
  const table = new Map(all.map((byte) => [charOf(byte), Uint8Array.of(byte)]))
  const textOf = (bytes: Uint8Array): string => {
    if (bytes.some(isNothing)) throw new TypeError('a byte that stands for nothing')
    return Array.from(bytes, charOf).join('')
  }
  return { bytesOf: (char) => table.get(char), textOf, reader: () => textOf }
}

function makePage(label: string): CodePage | undefined {
  if (label === 'windows-1252') return westernPage()
  const decoder = decoderOf(label)
  if (!decoder) return undefined
  let table: ReadonlyMap<string, Uint8Array> | undefined
  return {
    bytesOf(char) {
      table ??= tableOf(label)
      return table.get(char)
    },
    textOf: (bytes) => decoder.decode(bytes),
    reader() {
      const own = decoderOf(label)!
      return (bytes, last) => own.decode(bytes, { stream: !last })
    },
  }
}

/** undefined where this Node was built without the encoding. */
function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true })
  } catch {
    return undefined
  }
}

/** Every character with its bytes, found by reading all there are of one and of two bytes. */
function tableOf(label: string): ReadonlyMap<string, Uint8Array> {
  const decoder = new TextDecoder(label, { ignoreBOM: true })
  const table = new Map<string, Uint8Array>()
  const learn = (bytes: Uint8Array): boolean => {
    const char = decoder.decode(bytes)
    if (char.includes('\ufffd')) return false
    if (!table.has(char)) table.set(char, bytes)
    return true
  }
  for (let first = 0; first < 256; first++) {
    if (learn(Uint8Array.of(first))) continue
    for (let second = 0x40; second < 256; second++) learn(Uint8Array.of(first, second))
  }
  return table
}
