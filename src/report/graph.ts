/** The order of plays, what each does step by step and on whom → lines of text, or a drawing (SVG). */

export interface OrderedPlay {
  readonly name: string
  /** whom it is for: a pattern */
  readonly pattern?: string | undefined
  readonly hosts: readonly string[]
  /** how many hosts at a time, where not all at once */
  readonly serial?: string | undefined
  readonly steps: readonly OrderedStep[]
}

/** Tasks that follow each other in one role, or that are the play's own. */
export interface OrderedStep {
  readonly role?: string | undefined
  readonly tasks: number
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

const stepText = ({ role, tasks }: OrderedStep): string =>
  role === undefined ? count(tasks, 'task') : `role ${role}: ${count(tasks, 'task')}`

/** `all: 3 hosts (node1, node2, node3), 2 at a time` */
function hostsText({ pattern, hosts, serial }: OrderedPlay, most: number): string {
  const named = hosts.length > most ? `${hosts.slice(0, most).join(', ')}, …` : hosts.join(', ')
  const at = serial === undefined ? '' : `, ${serial} at a time`
  return `${pattern === undefined ? '' : `${pattern}: `}${count(hosts.length, 'host')}${named === '' ? '' : ` (${named})`}${at}`
}

export function graphLines(plays: readonly OrderedPlay[]): string[] {
  return plays.flatMap((play, index) => [
    `${index + 1}. ${play.name}`,
    `   on ${hostsText(play, 8)}`,
    ...play.steps.map((step, at) => `   ${at === play.steps.length - 1 ? '└─' : '├─'} ${stepText(step)}`),
  ])
}

const [WIDTH, LINE, GAP, LETTER] = [640, 20, 26, 7.6]

/** A box for each play, an arrow to the next. */
export function graphSvg(plays: readonly OrderedPlay[]): string {
  const parts: string[] = []
  let y = 10
  plays.forEach((play, index) => {
    const lines = [`${index + 1}. ${play.name}`, hostsText(play, 3), ...play.steps.map((step) => `→ ${stepText(step)}`)]
    const height = lines.length * LINE + 14
    parts.push(`<rect x="10" y="${y}" width="${WIDTH}" height="${height}" rx="6" fill="none" stroke="currentColor"/>`)
    lines.forEach((line, at) => {
      const weight = at === 0 ? ' font-weight="600"' : ''
      parts.push(`<text x="${at > 1 ? 40 : 22}" y="${y + 21 + at * LINE}"${weight} fill="currentColor">${escaped(fitted(line))}</text>`)
    })
    y += height
    if (index < plays.length - 1) parts.push(`<path d="M40 ${y} v${GAP - 4} m-5 -6 l5 6 l5 -6" fill="none" stroke="currentColor"/>`)
    y += GAP
  })
  const box = `width="${WIDTH + 20}" height="${Math.max(20, y)}" viewBox="0 0 ${WIDTH + 20} ${Math.max(20, y)}"`
  const title = `<title>The order of ${count(plays.length, 'play')}</title>`
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="The order of ${count(plays.length, 'play')}" ${box} font-family="system-ui, sans-serif" font-size="14">${title}${parts.join('')}</svg>`
}

const MOST = Math.floor((WIDTH - 40) / LETTER)

const fitted = (line: string): string => (line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => ENTITIES[c]!)
