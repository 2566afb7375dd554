/** async_status: tells how a job that a task with `async` started is doing. */
import { toJson } from '../base/index.ts'
import { choice, required, str } from '../params/index.ts'
import { defineModule, ModuleFailure, type Result } from './api.ts'

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
      job?.forget()
      return { ...told, erased: told.results_file, started: 0, finished: 0, changed: false }
    }
    if (!job) throw new ModuleFailure('could not find job', { ...told, started: 1, finished: 1 })
    const result = job.result()
    return result ? ({ ...told, ...(toJson(new Map(result)) as object) } as Result) : { ...told, started: 1, finished: 0, changed: false }
  },
})
