/** Finds names near to a mistyped one, for “did you mean”. */

/** The candidates within a third of the word's length in edits (what stands before its last dot does not count where it is the same), nearest first, three at the most, none much farther than the nearest. */
export function nearNames(word: string, candidates: Iterable<string>): string[] {
  const scored: [number, string][] = []
  const before = word.slice(0, word.lastIndexOf('.') + 1)
  for (const name of new Set(candidates)) {
    // what both begin with says nothing of how near they are
    const shared = name.startsWith(before) ? before.length : 0
    const limit = Math.max(1, Math.floor((word.length - shared) / 3))
    if (Math.abs(name.length - word.length) > limit) continue
    const d = distance(word.slice(shared).toLowerCase(), name.slice(shared).toLowerCase())
    if (d <= limit) scored.push([d, name])
  }
  const nearest = Math.min(...scored.map(([d]) => d))
  return scored
    .filter(([d]) => d <= nearest + 1)
    .sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1))
    .slice(0, 3)
    .map(([, name]) => name)
}

/** “did you mean 'a' or 'b'?”, or nothing where nothing is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const near = nearNames(word, candidates)
  return near.length === 0 ? undefined : `did you mean ${near.map((n) => `'${n}'`).join(' or ')}?`
}

/** Edits between two words; a swap of neighbours counts one (Damerau, restricted). */
function distance(a: string, b: string): number {
  let previous: number[] = []
  let current = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(current[j]! + 1, next[j - 1]! + 1, current[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, previous[j - 2]! + 1)
      next[j] = best
    }
    previous = current
    current = next
  }
  return current[b.length]!
}
