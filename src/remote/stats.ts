/** Asks of several paths at once what they are: one program tells of all that are no links. */
import type { Fields } from './fields.ts'
import { each, type Probe } from './probe.ts'
import { joinScripts, type Script, sh } from './script.ts'
import {
  attributeScript,
  checksumScript,
  type Missing,
  mimeScript,
  reached,
  readStatLine,
  readWishes,
  realName,
  STAT_FORMAT,
  type Stat,
  type StatWishes,
  WHY,
} from './stat.ts'

export interface StatQuestion extends StatWishes {
  readonly path: string
}

type Questions = Readonly<Record<string, StatQuestion | undefined>>
export type StatAnswers<Q extends Questions> = {
  readonly [K in keyof Q]: Q[K] extends StatQuestion ? Stat | Missing : (Stat | Missing) | Extract<Q[K], undefined>
}

/**
 * Looks at the path $1, or with $2 at what it leads to, with builtins as far as they go. Prints `-` and why it is missing, or `+` and what may be done with
 * it, then `l` and where it leads if it is a link, then `c` and its SELinux context where there are such. `k` is set where the common stat is to tell of it.
 */
const LOOK: Script = sh`_q(){
p=$1; a=; k=; w=
if [ -e "$p" ] || { [ -z "$2" ] && [ -L "$p" ]; }; then
[ -r "$p" ] && a=r; [ -w "$p" ] && a=$a""w; [ -x "$p" ] && a=$a""x; [ -e "$p" ] && a=$a""e; [ -d "$p" ] && a=$a""d
[ -L "$p" ] && a=$a""l; [ -e /sys/fs/selinux/enforce ] && a=$a""c
printf '+%s\0' "$a"
case $a in *l*) l=$(readlink -- "$p"; printf x); l=\${l%x}; printf '%s\0%s\0' "\${l%
}" "$(${realName})" ;; esac
case $a in *c*) stat \${2:+-L} -c %C -- "$p" | tr '\n' '\0' ;; esac
case $2$a in L*l*) printf '%s\0' "$(stat -L -c ${STAT_FORMAT} -- "$p")" ;; *) k=1 ;; esac
else
${WHY}
printf -- '-%s\0' "$w"
fi
}`

/** All that is left to be told in one go; where one of them has gone meanwhile, each by itself. */
const TELL: Script = sh`[ $# = 0 ] || stat -c ${STAT_FORMAT} -- "$@" || { printf '\0'; for p; do stat -c ${STAT_FORMAT} -- "$p"; printf '\0'; done; }
printf '\0'`

/** The questions under their names as one; a name without a question has no answer. Uses the script's positional parameters. */
export function statsProbe<const Q extends Questions>(questions: Q): Probe<StatAnswers<Q>> {
  const asked = Object.entries(questions).filter((entry): entry is [string, StatQuestion] => entry[1] !== undefined)
  return {
    script: joinScripts([LOOK, sh`set --`, ...asked.map(([, question]) => questionScript(question)), TELL]),
    read: (fields) => {
      const heads = asked.map(([name, question]) => [name, readHead(fields, question)] as const)
      const lines = readLines(fields, heads.filter(([, head]) => head.common).length)
      const answers = heads.map(([name, head]) => [name, head.stat(head.common ? lines.next() : '')] as const)
      return { ...questions, ...Object.fromEntries(answers) } as StatAnswers<Q>
    },
  }
}

/** The same of many paths. */
export function eachStat(questions: readonly StatQuestion[]): Probe<(Stat | Missing)[]> {
  const parts = each(inParts(questions).map((part) => statsProbe(Object.fromEntries(part.map((question, i) => [`q${i}`, question])))))
  return { script: parts.script, read: (fields) => parts.read(fields).flatMap((answers) => Object.values(answers)) }
}

/** How many words a program is given at once: a shell takes ever longer to add one to its list. */
const PART = 200

export const inParts = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / PART) }, (_, i) => list.slice(i * PART, (i + 1) * PART))

function questionScript(question: StatQuestion): Script {
  const look = question.follow ? sh`_q ${question.path} L` : sh`_q ${question.path} ''`
  const more = [checksumScript(question), attributeScript(question), mimeScript(question)].filter(({ text }) => text !== '')
  const besides = more.length === 0 ? sh`` : sh`; if [ -z "$w" ]; then ${joinScripts(more, '')}fi`
  return sh`${look}${besides}; [ -z "$k" ] || set -- "$@" "$p"`
}

/** What is known of a path before the common stat; that one tells a line more. */
interface Head {
  readonly common: boolean
  readonly stat: (line: string) => Stat | Missing
}

function readHead(fields: Fields, wishes: StatWishes): Head {
  const told = fields.text()
  if (told.startsWith('-')) return { common: false, stat: () => ({ exists: false, why: told.slice(1) as Missing['why'] }) }
  const isLink = told.includes('l')
  const linkTarget = isLink ? fields.text() : ''
  const realPath = isLink ? fields.text() : ''
  const context = told.includes('c') ? fields.text() : ''
  const common = !(isLink && wishes.follow)
  const own = common ? '' : fields.text()
  const more = { ...reached({ access: told, linkTarget, realPath, context }), ...readWishes(fields, wishes) }
  const stat = (line: string): Stat | Missing => {
    const plain = readStatLine(common ? line : own)
    return plain ? { ...plain, ...more } : { exists: false, why: 'absent' }
  }
  return { common, stat }
}

/** The lines of the common stat, in order; an empty one for each path that has gone meanwhile. */
function readLines(fields: Fields, count: number): { next(): string } {
  const together = fields
    .text()
    .split('\n')
    .filter((line) => line !== '')
  const lines = together.length === count ? together : Array.from({ length: count }, () => fields.text().trimEnd())
  if (together.length !== count) fields.text()
  let at = 0
  return { next: () => lines[at++] ?? '' }
}
