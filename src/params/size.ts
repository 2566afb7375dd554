/** Turns sizes as people write them (`10M`, `1.5 GB`, `8Mb`) into numbers of bytes or bits. */

const POWERS: Readonly<Record<string, number>> = { Y: 80, Z: 70, E: 60, P: 50, T: 40, G: 30, M: 20, K: 10, B: 0 }

/** The size in bytes (or bits), or undefined where the text is no size. */
export function sizeOf(text: string, unit: 'bytes' | 'bits'): number | undefined {
  const match = /^\s*([0-9]*\.?[0-9]*)\s*([A-Za-z]+)?\s*$/.exec(text)
  if (!match?.[1] || match[1] === '.') return undefined
  const amount = Number(match[1])
  const word = match[2]
  if (word === undefined) return Math.round(amount)
  const power = POWERS[word[0]!.toUpperCase()]
  if (power === undefined || !fits(word, unit)) return undefined
  return Math.round(amount * 2 ** power)
}

/** A one-letter unit fits both; in longer ones the last letter says bytes (B) or bits (b), or the word is spelled out. */
function fits(word: string, unit: 'bytes' | 'bits'): boolean {
  if (word.length === 1) return word.toUpperCase() !== 'B' || word === (unit === 'bytes' ? 'B' : 'b')
  const spelledOut = unit === 'bytes' ? 'byte' : 'bit'
  if (word.toLowerCase().endsWith(spelledOut)) return true
  return word.length === 2 && word[1] === (unit === 'bytes' ? 'B' : 'b')
}
