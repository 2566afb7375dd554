/** Releases as numbers with dots: which of two comes first. */

/** True when `release` (2.13.13) is older than `other` (2.16). Parts that are not numbers count as 0. */
export function isOlder(release: string, other: string): boolean {
  const [left, right] = [numbersOf(release), numbersOf(other)]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

const numbersOf = (release: string): number[] => release.split('.').map((part) => Number.parseInt(part, 10) || 0)
