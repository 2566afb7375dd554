/** debconf: answers a package's question before it is asked. */
import { record, type Value } from '../../base/index.ts'
import { type Look, linesOf } from '../../facts/index.ts'
import { bool, choice, fallback, raw, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'

export default defineModule({
  name: 'ansible.builtin.debconf',
  summary: 'Answers questions of Debian packages.',
  params: {
    name: required(str({ aliases: ['pkg'] })),
    question: str({ aliases: ['selection', 'setting'] }),
    vtype: choice(['boolean', 'error', 'multiselect', 'note', 'password', 'seen', 'select', 'string', 'text', 'title']),
    value: raw({ aliases: ['answer'] }),
    unseen: fallback(bool(), false),
  },
  rules: { requiredBy: { value: ['vtype'] } },
  async *run(args, host) {
    const secret = args.vtype === 'password' ? `\t${args.question ?? ''}\tpassword\t` : undefined
    const look = await lookAt(
      host,
      sh`if w debconf-show; then printf '\036e:debconf\n'; printf '\036shown\n'; debconf-show ${args.name}; fi 2>/dev/null
${secret === undefined ? sh`` : sh`if w debconf-get-selections; then printf '\036e:secrets\n\036secrets\n'; debconf-get-selections 2>/dev/null | grep -F -e ${secret}; fi`}`,
    )
    if (!look.exists('debconf')) throw new ModuleFailure('Failed to find required executable "debconf-show"')
    const current: Record<string, string> = record()
    for (const line of linesOf(look.section('shown'))) {
      const colon = line.indexOf(':')
      const key = line
        .slice(0, colon)
        .replace(/^[*\s]+/, '')
        .trim()
      if (colon > 0) current[key] = line.slice(colon + 1).trim()
    }
    const { question, vtype, value } = args
    if (question === undefined) return { changed: false, msg: '', current }
    if (vtype === undefined || value === undefined || value === null) {
      if (args.value !== undefined || vtype !== undefined)
        throw new ModuleFailure('when supplying a question you must supply a valid vtype and value')
      return { changed: false, msg: '', current }
    }
    const wanted = wantedText(vtype, value)
    const now = current[question]
    const held = vtype === 'password' ? passwordOf(look, args.name) : now
    const same = question in current && (vtype === 'multiselect' && Array.isArray(value) ? sorted(held) === wanted : held === wanted)
    if (same) return { changed: false, msg: '', current }
    const line = `${args.name} ${question} ${vtype} ${wanted}`
    const done = yield {
      what: 'answer',
      diff: { before: { [question]: now ?? '' }, after: { [question]: wanted } },
      onFailure: 'tell',
      script: sh`printf '%s\n' ${line} | debconf-set-selections ${args.unseen ? ['-u'] : []}`,
    }
    if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr) || textOf(done.stdout))
    return { changed: true, msg: '', current: { [question]: wanted }, previous: { [question]: now ?? '' } }
  },
})

/** What debconf-show does not tell; undefined where the program that does is missing. */
function passwordOf(look: Look, name: string): string | undefined {
  if (!look.exists('secrets')) return undefined
  const line = linesOf(look.section('secrets')).find((one) => one.startsWith(name))
  return line?.split('\t')[3]
}

const sorted = (text: string | undefined): string =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .sort()
    .join(', ')

/** What debconf holds of a value; the choices of a list in order. */
function wantedText(vtype: string, value: Value): string {
  if (!Array.isArray(value)) return vtype === 'boolean' ? String(value).toLowerCase() : String(value)
  if (vtype !== 'multiselect') return value.join(', ')
  const strange = value.find((one) => typeof one !== 'string')
  if (strange !== undefined)
    throw new ModuleFailure(
      `Invalid value provided for 'multiselect': every choice has to be a string, and this is none: ${String(strange)}`,
    )
  return [...(value as string[])].sort().join(', ')
}
