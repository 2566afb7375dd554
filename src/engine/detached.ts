/** Runs a script so that it lives on without its connection: started in the background on the host, then asked for until it has ended. */
import { ConnectionLost, type RunOptions, type Session } from '../connect/index.ts'
import { ModuleFailure } from '../modules/index.ts'
import { type Output, type Script, sh, textOf } from '../remote/index.ts'
import { wait } from './wait.ts'

export interface Detached {
  readonly jobId: string
  /** the folder of jobs; `~` is the user's home */
  readonly root: string
  /** the job is ended after this time */
  readonly seconds: number
  /** called once the job no longer needs us to go on */
  readonly started?: (() => void) | undefined
  /** called when it is ended because its time is over */
  readonly late?: (() => void) | undefined
}

/** Waits grow from a fifth of a second to two seconds. */
const FIRST_WAIT = 0.2
const LONGEST_WAIT = 2

/** Runs the script as a job of the user it belongs to; its files lie in the job's folder until it has been collected. */
export async function runDetached(session: () => Promise<Session>, script: Script, options: RunOptions, job: Detached): Promise<Output> {
  const below = /^~\/(.*)$/s.exec(job.root)?.[1]
  const folder = below === undefined ? sh`${`${job.root}/${job.jobId}`}` : sh`"$HOME/"${`${below}/${job.jobId}`}`
  const { become, env } = options
  const signal = options.signal ?? new AbortController().signal
  await start(await session(), folder, script, options)
  job.started?.()
  const until = Date.now() + job.seconds * 1000
  for (let pause = FIRST_WAIT; ; pause = Math.min(LONGEST_WAIT, pause * 1.5)) {
    await wait(Math.min(pause, Math.max(0, (until - Date.now()) / 1000)), signal)
    const ended = await collect(session, folder, { become, env, signal })
    if (ended) return ended
    if (Date.now() >= until) {
      await (await session()).run(end(folder), { become, signal })
      job.late?.()
      throw new ModuleFailure('Timeout exceeded')
    }
  }
}

async function start(session: Session, folder: Script, script: Script, { become, env, stdin, signal }: RunOptions): Promise<void> {
  const run = `echo $$ >"$D/pid"
( ${script.text}
) >"$D/out" 2>"$D/err" <"$D/in"
echo $? >"$D/rc.new" && mv "$D/rc.new" "$D/rc"
`
  const make = sh`umask 077; D=${folder}; mkdir -p "$D" && cat >"$D/run" && : >"$D/in"`
  const made = await session.run(make, { become, signal, stdin: new TextEncoder().encode(run) })
  if (made.code !== 0) throw new ModuleFailure(`the job could not be started: ${textOf(made.stderr).trim()}`)
  if (stdin) await session.run(sh`cat >${folder}/in`, { become, signal, stdin })
  const launch = sh`export D=${folder}; S=; command -v setsid >/dev/null 2>&1 && S=setsid; $S sh "$D/run" >/dev/null 2>&1 </dev/null &`
  await session.run(launch, { become, env, signal })
}

/** The job's output, once it has ended; a connection that is gone is tried again at the next turn. */
async function collect(session: () => Promise<Session>, folder: Script, options: RunOptions): Promise<Output | undefined> {
  const ask = sh`D=${folder}; [ -e "$D/rc" ] || exit 0; cat "$D/rc" "$D/out"; cat "$D/err" >&2; rm -rf -- "$D"`
  try {
    const { stdout, stderr } = await (await session()).run(ask, options)
    const line = stdout.indexOf(10)
    if (line < 0) return undefined
    return { stdout: stdout.subarray(line + 1), stderr, code: Number(textOf(stdout.subarray(0, line))) }
  } catch (error) {
    if (error instanceof ConnectionLost) return undefined
    throw error
  }
}

const end = (folder: Script): Script =>
  sh`D=${folder}; P=$(cat "$D/pid" 2>/dev/null) && { kill -KILL "-$P" 2>/dev/null || kill -KILL "$P" 2>/dev/null; }; rm -rf -- "$D"`
