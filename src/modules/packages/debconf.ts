/** debconf: answers a package's question before it is asked. */
import { record } from '../../base/index.ts'
import { linesOf } from '../../facts/index.ts'
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
    const look = await lookAt(
      host,
      sh`if w debconf-show; then printf '\036e:debconf\n'; printf '\036shown\n'; debconf-show ${args.name}; fi 2>/dev/null`,
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
    const wanted = vtype === 'boolean' ? String(value).toLowerCase() : Array.isArray(value) ? value.join(', ') : String(value)
    const now = current[question]
    const same = vtype === 'multiselect' ? sorted(now) === sorted(wanted) : now === wanted
    if (same && vtype !== 'password') return { changed: false, msg: '', current }
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

const sorted = (text: string | undefined): string =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .sort()
    .join(',')
