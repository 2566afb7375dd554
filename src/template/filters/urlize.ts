/** Text → the same with its links and mail addresses as HTML links. */
import type { Value } from '../../base/index.ts'
import { escapeHtml, str, toNumber } from '../python/index.ts'

interface UrlizeOptions {
  readonly limit: Value
  readonly nofollow: boolean
  readonly target: Value
  readonly rel: Value
}

const URL =
  /^(?:https?:\/\/|www\.)?(?:(?:[\w%-]+\.)+(?:[a-z]{2,63}|xn--[\w%]{2,59})|(?:\[[0-9a-f:]+(?:%\w+)?\])|(?:[\w-]+(?=\S*))|)(?::\d{1,5})?(?:[/?#]\S*)?$/i
const BARE = /^[\w%-]+(?:\.[\w%-]+)*\.(?:com|net|int|edu|gov|org|info|mil)(?::\d+)?(?:[/?#]\S*)?$/i
const MAIL = /^\S+@\w[\w.-]*\.\w+$/

export function urlize(text: string, options: UrlizeOptions): string {
  const rel = relOf(options)
  const attributes =
    (rel === '' ? '' : ` rel="${escapeHtml(rel)}"`) + (options.target === null ? '' : ` target="${escapeHtml(str(options.target))}"`)
  const limit = typeof options.limit === 'number' ? toNumber(options.limit) : undefined
  return escapeHtml(text)
    .split(/(\s+)/)
    .map((word) => linked(word, attributes, limit))
    .join('')
}

function relOf(options: UrlizeOptions): string {
  const words = new Set(options.rel === null ? [] : str(options.rel).split(/\s+/))
  if (options.nofollow) words.add('nofollow')
  words.add('noopener')
  return [...words]
    .filter((word) => word !== '')
    .sort()
    .join(' ')
}

function linked(word: string, attributes: string, limit: number | undefined): string {
  const [, head = '', inner = '', tail = ''] = /^((?:[(<]|&lt;)*)(.*?)((?:[)>.,\n]|&gt;)*)$/s.exec(word) ?? []
  const shown = limit !== undefined && inner.length > limit ? `${inner.slice(0, limit)}...` : inner
  if (/^(?:https?:\/\/|www\.)\S/.test(inner) && URL.test(inner)) {
    const href = inner.startsWith('http') ? inner : `https://${inner}`
    return `${head}<a href="${href}"${attributes}>${shown}</a>${tail}`
  }
  if (inner.startsWith('mailto:') && MAIL.test(inner.slice(7))) return `${head}<a href="${inner}">${inner.slice(7)}</a>${tail}`
  if (inner.includes('@') && !inner.startsWith('www.') && !inner.includes(':') && MAIL.test(inner))
    return `${head}<a href="mailto:${inner}">${inner}</a>${tail}`
  return BARE.test(inner) ? `${head}<a href="https://${inner}"${attributes}>${shown}</a>${tail}` : word
}
