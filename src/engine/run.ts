/** A whole run: runs playbook after playbook, ends with the recap and the exit code. */
import { toJson } from '../base/index.ts'
import { loadPlaybooks, type Playbook } from '../playbook/index.ts'
import { quote } from '../remote/index.ts'
import { Ended } from './ended.ts'
import { runPlay } from './play.ts'
import { namePlays } from './replay.ts'
import type { Run } from './state.ts'

/** Runs playbooks one after the other; the exit code as ansible-playbook has it. All are loaded before any host is touched. `names`: as they were asked for. */
export async function runPlaybooks(run: Run, paths: readonly string[], version: string, names = paths): Promise<number> {
  const { bus, settings } = run
  const playbooks = loadPlaybooks(paths, run.load)
  namePlays(playbooks)
  bus.emit({ kind: 'run-start', playbooks: paths, check: settings.check, diff: settings.diff, version })
  let interrupted = false
  let last: string | undefined
  const forget = bus.listen((event) => {
    if (event.kind === 'task-start' && !event.task.isHandler) last = event.task.name
  })
  try {
    await all(run, playbooks, names)
  } catch (error) {
    if (!run.signal.aborted && !(error instanceof Ended)) throw error
    interrupted = true
    if (run.signal.aborted && last !== undefined) bus.emit({ kind: 'say', text: `\tto go on, use: --start-at-task ${quote(last)}` })
  } finally {
    forget()
  }
  const code = interrupted ? 99 : run.code
  bus.emit({ kind: 'run-end', code, interrupted })
  return code
}

async function all(run: Run, playbooks: readonly Playbook[], names: readonly string[]): Promise<void> {
  for (const [index, playbook] of playbooks.entries()) {
    run.bus.emit({ kind: 'playbook-start', path: playbook.path })
    run.bus.emit({ kind: 'verbose', level: 2, text: `${playbook.plays.length} plays in ${names[index] ?? playbook.path}` })
    try {
      await plays(run, playbook)
    } catch (error) {
      if (run.signal.aborted) recap(run)
      throw error
    }
    keepFailed(run, playbook)
    recap(run)
    startNotFound(run)
    if (run.code !== 0) return
  }
}

/** Retry files: how to go on with the hosts that failed. */
function keepFailed(run: Run, { path }: Playbook): void {
  const hosts = [...new Set([...run.failed, ...run.unreachable, ...run.everUnreachable])].sort()
  const file = hosts.length > 0 ? run.keepFailed?.(path, hosts) : undefined
  if (file !== undefined) run.bus.emit({ kind: 'say', text: `\tto retry, use: --limit @${file}` })
}

const recap = (run: Run): void => run.bus.emit({ kind: 'stats', hosts: run.stats.hosts(), custom: run.stats.customs(toJson) })

async function plays(run: Run, playbook: Playbook): Promise<void> {
  for (const play of playbook.plays) {
    const { broken } = await runPlay(run, play)
    if (broken) {
      run.code ||= 2
      return
    }
  }
}

function startNotFound(run: Run): void {
  const { startAtTask } = run.settings
  if (startAtTask === undefined || run.startDone) return
  run.bus.emit({ kind: 'error', text: `No matching task "${startAtTask}" found. Note: --start-at-task can only follow static includes.` })
}
