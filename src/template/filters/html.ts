/** Text ↔ HTML text: escapes, tags taken out, entities read. */

/** Without tags and comments, with single blanks, entities read. */
export function stripTags(text: string): string {
  const bare = text.replace(/<!--[\s\S]*?-->|<[^>]*>/g, '')
  return unescapeHtml(
    bare
      .split(/\s+/)
      .filter((word) => word !== '')
      .join(' '),
  )
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\xa0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  laquo: '«',
  raquo: '»',
  euro: '€',
  middot: '·',
  times: '×',
  deg: '°',
}

export function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([A-Za-z]+));?/g, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd'
  })
}
