/** Tasks with `async`: jobs that go on while the play does, and what is told of them. */
import type { Value } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Job } from '../modules/index.ts'
import { isTrue } from './outcome.ts'
import { failure } from './result.ts'
import type { PlayRun, Res, Run } from './state.ts'
import { wait } from './wait.ts'

/** What finds a job: its id, and its folder on the host. */
export interface JobKey {
  readonly jobId: string
  readonly root: string
  readonly host: string
}

interface Running {
  readonly host: string
  readonly root: string
  readonly done: Promise<void>
  result: Res | undefined
  error: unknown
  /** its time was over before it had ended */
  late: boolean
}

const jobs = new WeakMap<Run, Map<string, Running>>()

const jobsOf = (run: Run): Map<string, Running> => {
  const known = jobs.get(run) ?? new Map<string, Running>()
  jobs.set(run, known)
  return known
}

let serial = 0

/** An id in the form of Ansible's: `j` and digits around a point. */
export const newJobId = (): string => `j${Math.floor(Math.random() * 1e12)}.${process.pid}${++serial}`

/** Starts the work, which nobody has to wait for. */
export function startJob(run: Run, { jobId, root, host }: JobKey, work: () => Promise<Res>): Promise<void> {
  const job: Running = {
    host,
    root,
    result: undefined,
    error: undefined,
    late: false,
    done: work().then(
      (result) => {
        job.result = result
      },
      (error: unknown) => {
        job.error = error
      },
    ),
  }
  jobsOf(run).set(jobId, job)
  return job.done
}

/** Notes that a job was ended because its time was over. */
export function endedLate(run: Run, jobId: string): void {
  const job = jobsOf(run).get(jobId)
  if (job) job.late = true
}

/** What a task with `poll: 0` returns. */
export function startedResult({ jobId, root }: Pick<JobKey, 'jobId' | 'root'>): Res {
  return new Map<string, Value>([
    ['ansible_job_id', jobId],
    ['results_file', `${root}/${jobId}`],
    ['started', 1],
    ['finished', 0],
    ['failed', 0],
    ['changed', true],
  ])
}

/** Waits for a job, telling at each poll that it runs; it is over as soon as it has ended. */
export async function pollJob(
  pr: PlayRun,
  ref: TaskRef,
  host: string,
  jobId: string,
  how: { seconds: number; poll: number },
): Promise<Res> {
  const job = jobsOf(pr.run).get(jobId)!
  const until = Date.now() + how.seconds * 1000
  while (job.result === undefined && job.error === undefined && Date.now() < until + 500) {
    await Promise.race([job.done, wait(Math.min(how.poll, Math.max(0.1, (until - Date.now()) / 1000)), pr.run.signal)])
    if (job.result === undefined && job.error === undefined) {
      pr.run.bus.emit({ kind: 'async-poll', task: ref, host, jobId, started: true, finished: false })
    }
  }
  jobsOf(pr.run).delete(jobId)
  const failed = job.error !== undefined || job.result === undefined || isTrue(job.result, 'failed')
  pr.run.bus.emit({ kind: 'async-end', task: ref, host, jobId, failed })
  if (job.error !== undefined) throw job.error
  return job.result && !job.late
    ? finishedResult(job, jobId, job.result)
    : failure(`async task did not complete within the requested time - ${how.seconds}s`, [['async_result', unfinished(job, jobId)]])
}

/** What was last seen of a job that ran out of its time. */
const unfinished = ({ root }: Running, jobId: string): Res =>
  new Map<string, Value>([
    ['ansible_job_id', jobId],
    ['results_file', `${root}/${jobId}`],
    ['started', 1],
    ['finished', 0],
    ['stdout', ''],
    ['stdout_lines', []],
    ['stderr', ''],
    ['stderr_lines', []],
  ])

function finishedResult({ root }: Pick<JobKey, 'root'>, jobId: string, result: Res): Res {
  const texts: [string, Value][] = ['stdout', 'stderr']
    .filter((name) => !result.has(name))
    .flatMap(
      (name) =>
        [
          [name, ''],
          [`${name}_lines`, []],
        ] as [string, Value][],
    )
  return new Map<string, Value>([
    ...result,
    ...texts,
    ['ansible_job_id', jobId],
    ['results_file', `${root}/${jobId}`],
    ['started', 1],
    ['finished', 1],
  ])
}

/** A job as async_status sees it; undefined where this run has not started one of this id on the host. */
export function jobOf(run: Run, { jobId, root, host }: JobKey): Job | undefined {
  const job = jobsOf(run).get(jobId)
  if (job?.host !== host || job.root !== root) return undefined
  return {
    result: () => {
      if (job.error !== undefined) throw job.error
      return job.result && finishedResult(job, jobId, job.result)
    },
    forget: () => void jobsOf(run).delete(jobId),
  }
}
