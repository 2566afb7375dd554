/** at: makes a command or a script run once, after some time. */
import { bool, choice, fallback, int, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'

export default defineModule({
  name: 'ansible.posix.at',
  summary: 'Has commands run once, later.',
  params: {
    command: str({ description: 'the command' }),
    count: int({ description: 'how many units from now' }),
    script_file: str({ description: 'a script on the host' }),
    state: choice(['absent', 'present'], 'present', { description: 'whether the job is to be there' }),
    unique: fallback(bool({ description: 'only if no job of that command waits already' }), false),
    units: choice(['minutes', 'hours', 'days', 'weeks'], { description: 'unit of count' }),
  },
  rules: { mutuallyExclusive: [['command', 'script_file']], requiredOneOf: [['command', 'script_file']] },
  async *run(args, host) {
    const { state, count, units } = args
    if (state === 'present' && (count === undefined || units === undefined))
      throw new ModuleFailure('present state requires count and units')
    const script = args.script_file === undefined ? `${args.command}\n` : textOf(await host.read(args.script_file))
    const told = { state, script_file: args.script_file ?? null, count: count ?? null, units: units ?? null }
    const look = await host.look(
      sh`command -v at >/dev/null || exit 93
for j in $(atq | while read -r j r; do printf '%s\n' "$j"; done); do printf '%s\037' "$j"; at -c "$j"; printf '\036'; done`,
      { onFailure: 'tell' },
    )
    if (look.code === 93) throw new ModuleFailure('Failed to find required executable "at" in paths')
    const jobs = textOf(look.stdout)
      .split('\u001e')
      .map((job) => job.split('\u001f'))
      .filter(([, body]) => body?.trimEnd().endsWith(script.trimEnd()))
      .map(([id = '']) => id)
    if (state === 'absent') {
      if (jobs.length === 0) return { changed: false, ...told }
      yield { what: 'job', script: sh`atrm ${jobs}` }
      return { changed: true, ...told }
    }
    if (args.unique && jobs.length > 0) return { changed: false, ...told }
    yield { what: 'job', script: sh`at now + ${count!} ${units!}`, stdin: new TextEncoder().encode(script) }
    return { changed: true, ...told }
  },
})
