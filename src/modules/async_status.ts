/** async_status: tells how a job that a task with `async` started is doing. */
import { toJson } from '../base/index.ts'
import { choice, required, str } from '../params/index.ts'
import { type Output, type Script, sh, textOf } from '../remote/index.ts'
import { defineModule, type Host, ModuleFailure, type Result } from './api.ts'

export default defineModule({
  name: 'ansible.builtin.async_status',
  takesAsync: false,
  summary: 'Tells how a job that a task with async started is doing.',
  params: { jid: required(str()), mode: choice(['status', 'cleanup'], 'status'), _async_dir: str() },
  controllerOnly: true,
  async *run(args, host) {
    const { jid, mode } = args
    const told = {
      ansible_job_id: jid,
      results_file: `~/.ansible_async/${jid}`,
      stdout: '',
      stderr: '',
      stdout_lines: [],
      stderr_lines: [],
    }
    const job = host.job(jid)
    if (mode === 'cleanup') {
      const erased = { ansible_job_id: jid, erased: told.results_file, started: 0, finished: 0 }
      const left = job === undefined ? folderOf(host, jid) : undefined
      if (job === undefined && !(left !== undefined && (await isThere(host, left))))
        throw new ModuleFailure('could not find job', { ...told, ...erased, started: 1, finished: 1 })
      job?.forget()
      if (left !== undefined) yield { what: 'job', script: sh`rm -rf -- ${left}`, counts: false }
      return { ...told, ...erased, changed: false }
    }
    if (!job) return { ...told, ...(await ofAnotherRun(host, jid, { ...told, started: 1, finished: 1 })) }
    const result = job.result()
    return result ? ({ ...told, ...(toJson(new Map(result)) as object) } as Result) : { ...told, started: 1, finished: 0, changed: false }
  },
})

/** The folder of a job; nothing for what is no job's id. */
function folderOf(host: Host, jid: string): Script | undefined {
  const root = host.task.jobsFolder
  if (root === undefined || !/^j?\d+\.\d+$/.test(jid)) return undefined
  const below = /^~\/(.*)$/s.exec(root)?.[1]
  return below === undefined ? sh`${`${root}/${jid}`}` : sh`"$HOME/"${`${below}/${jid}`}`
}

const isThere = async (host: Host, folder: Script): Promise<boolean> =>
  (await host.look(sh`[ -d ${folder} ]`, { onFailure: 'tell' })).code === 0

const CODES = { missing: 83, running: 84, died: 85 } as const

/** A job that another run has started, as its folder tells. */
async function ofAnotherRun(host: Host, jid: string, told: Result): Promise<Result> {
  const folder = folderOf(host, jid)
  const look = async (): Promise<Output | undefined> =>
    folder === undefined
      ? undefined
      : await host.look(
          sh`D=${folder}; [ -d "$D" ] || exit ${CODES.missing}
[ -e "$D/rc" ] || { P=$(cat "$D/pid" 2>/dev/null); [ -z "$P" ] || kill -0 "$P" 2>/dev/null || [ -e "$D/rc" ] || exit ${CODES.died}; }
[ -e "$D/rc" ] || exit ${CODES.running}
cat "$D/rc" "$D/out"; cat "$D/err" >&2`,
          { onFailure: 'tell' },
        )
  const found = await look()
  if (found === undefined || found.code === CODES.missing) throw new ModuleFailure('could not find job', told)
  if (found.code === CODES.running) return { started: 1, finished: 0, changed: false }
  if (found.code === CODES.died) throw new ModuleFailure('the job ended without a result: it was killed, or its host started anew', told)
  const all = textOf(found.stdout)
  const line = all.indexOf('\n')
  const [rc, stdout, stderr] = [Number(all.slice(0, line)), withoutEnd(all.slice(line + 1)), withoutEnd(textOf(found.stderr))]
  return {
    rc,
    stdout,
    stderr,
    stdout_lines: linesOf(stdout),
    stderr_lines: linesOf(stderr),
    started: 1,
    finished: 1,
    changed: true,
    ...(rc === 0 ? {} : { failed: true, msg: 'non-zero return code' }),
  }
}

const withoutEnd = (text: string): string => text.replace(/[\r\n]+$/, '')
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r?\n/))
