/** Orders of version texts: loose, strict, semantic and PEP 440. */
import { PyError, valueError } from '../python/index.ts'

/** Below zero, zero or above zero, as a is lower than, equal to or higher than b. */
export type VersionOrder = (a: string, b: string) => number

type Part = number | string

function sign(a: Part, b: Part): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Numbers and words in turn; a number and a word cannot be ordered. */
export const compareLoose: VersionOrder = (a, b) => {
  const left = looseParts(a)
  const right = looseParts(b)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i]!, right[i]!]
    if (x === y) continue
    if (typeof x !== typeof y) {
      const [one, two] = typeof x === 'number' ? ['int', 'str'] : ['str', 'int']
      throw new PyError('TypeError', `'<' not supported between instances of '${one}' and '${two}'`)
    }
    return sign(x, y)
  }
  return left.length - right.length
}

function looseParts(text: string): Part[] {
  return text
    .split(/(\d+|[a-z]+|\.)/)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

const STRICT = /^(\d+)\.(\d+)(\.(\d+))?([ab](\d+))?\n?$/

/** Two or three numbers and at most an a or b release. */
export const compareStrict: VersionOrder = (a, b) => {
  const left = strictParts(a)
  const right = strictParts(b)
  for (let i = 0; i < 3; i++) if (left.numbers[i] !== right.numbers[i]) return left.numbers[i]! - right.numbers[i]!
  if (!left.pre || !right.pre) return left.pre ? -1 : right.pre ? 1 : 0
  return sign(left.pre[0], right.pre[0]) || left.pre[1] - right.pre[1]
}

function strictParts(text: string): { numbers: number[]; pre: [string, number] | undefined } {
  const found = STRICT.exec(text)
  if (!found) throw valueError(`invalid version number '${text}'`)
  const pre = found[5]
  return { numbers: [Number(found[1]), Number(found[2]), Number(found[4] ?? 0)], pre: pre ? [pre[0]!, Number(found[6])] : undefined }
}

const SEMANTIC =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/

export const compareSemantic: VersionOrder = (a, b) => {
  const left = semanticParts(a)
  const right = semanticParts(b)
  for (let i = 0; i < 3; i++) if (left.core[i] !== right.core[i]) return left.core[i]! - right.core[i]!
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length
  for (let i = 0; i < Math.min(left.pre.length, right.pre.length); i++) {
    const [x, y] = [left.pre[i]!, right.pre[i]!]
    if (x === y) continue
    if (typeof x === typeof y) return sign(x, y)
    return typeof x === 'number' ? -1 : 1
  }
  return left.pre.length - right.pre.length
}

function semanticParts(text: string): { core: number[]; pre: Part[] } {
  const found = SEMANTIC.exec(text)
  if (!found) throw valueError(`invalid semantic version '${text}'`)
  const pre = (found[4] ?? '').split('.').filter((part) => part !== '')
  return { core: found.slice(1, 4).map(Number), pre: pre.map((part) => (/^\d+$/.test(part) ? Number(part) : part)) }
}

const PEP440 =
  /^\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d+)?)?(?:-(\d+)|[-_.]?(?:post|rev|r)[-_.]?(\d+)?)?([-_.]?dev[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*$/i
const PRE: Readonly<Record<string, string>> = { alpha: 'a', a: 'a', beta: 'b', b: 'b', c: 'rc', rc: 'rc', pre: 'rc', preview: 'rc' }
const [LOWEST, HIGHEST] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

export const comparePep440: VersionOrder = (a, b) => {
  const left = pep440Key(a)
  const right = pep440Key(b)
  return (
    compareLists(left.numbers, right.numbers) ||
    sign(left.pre, right.pre) ||
    compareLists(left.rest, right.rest) ||
    compareLocal(left.local, right.local)
  )
}

interface Pep440Key {
  /** epoch and release, without the zeros at its end */
  readonly numbers: readonly number[]
  /** the pre-release's letter; `!` before all, `~` after all */
  readonly pre: string
  readonly rest: readonly number[]
  readonly local: readonly Part[] | undefined
}

function pep440Key(text: string): Pep440Key {
  const found = PEP440.exec(text)
  if (!found) throw valueError(`Invalid version: '${text}'`)
  const [whole, epoch, release, letter, preNumber, postDash, postNumber, dev, devNumber, local] = found
  const isPost =
    postDash !== undefined ||
    /[-_.]?(?:post|rev|(?<![a-z])r)[-_.]?\d*/i.test(whole.slice(whole.indexOf(release!) + release!.length).replace(/rc/gi, ''))
  const post = isPost ? Number(postDash ?? postNumber ?? 0) : undefined
  const hasDev = dev !== undefined
  const pre = letter ? PRE[letter.toLowerCase()]! : hasDev && post === undefined ? '!' : '~'
  const numbers = release!.split('.').map(Number)
  while (numbers.length > 0 && numbers.at(-1) === 0) numbers.pop()
  return {
    numbers: [Number(epoch ?? 0), ...numbers],
    pre,
    rest: [letter ? Number(preNumber ?? 0) : 0, post ?? LOWEST, hasDev ? Number(devNumber ?? 0) : HIGHEST],
    local: local
      ?.toLowerCase()
      .split(/[-_.]/)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  }
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1
  return a.length - b.length
}

function compareLocal(a: readonly Part[] | undefined, b: readonly Part[] | undefined): number {
  if (!a || !b) return a ? 1 : b ? -1 : 0
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i]!, b[i]!]
    if (x === y) continue
    if (typeof x === typeof y) return sign(x, y)
    return typeof x === 'number' ? 1 : -1
  }
  return a.length - b.length
}
