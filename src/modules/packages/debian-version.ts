/** Two Debian versions → which is the newer, by Debian's rules for epochs, tildes and digits. */

/** Negative when a is older than b, 0 when they are one version, positive when it is newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [split(a), split(b)]
  return left.epoch - right.epoch || compareParts(left.upstream, right.upstream) || compareParts(left.revision, right.revision)
}

function split(text: string): { epoch: number; upstream: string; revision: string } {
  const colon = text.indexOf(':')
  const rest = text.slice(colon + 1)
  const dash = rest.lastIndexOf('-')
  return {
    epoch: colon < 0 ? 0 : Number.parseInt(text, 10) || 0,
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    revision: dash < 0 ? '0' : rest.slice(dash + 1),
  }
}

/** Runs of other characters and of digits in turn. */
function compareParts(a: string, b: string): number {
  let [left, right] = [a, b]
  while (left !== '' || right !== '') {
    const words = [/^\D*/.exec(left)![0], /^\D*/.exec(right)![0]] as const
    const order = compareWords(...words)
    if (order !== 0) return order
    left = left.slice(words[0].length)
    right = right.slice(words[1].length)
    const digits = [/^\d*/.exec(left)![0], /^\d*/.exec(right)![0]] as const
    const difference = BigInt(digits[0] || '0') - BigInt(digits[1] || '0')
    if (difference !== 0n) return difference < 0n ? -1 : 1
    left = left.slice(digits[0].length)
    right = right.slice(digits[1].length)
  }
  return 0
}

function compareWords(a: string, b: string): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = weight(a[i]) - weight(b[i])
    if (order !== 0) return order
  }
  return 0
}

/** A tilde sorts before the end, letters before all else. */
function weight(char: string | undefined): number {
  if (char === undefined) return 0
  if (char === '~') return -1
  return /[A-Za-z]/.test(char) ? char.charCodeAt(0) : char.charCodeAt(0) + 256
}
