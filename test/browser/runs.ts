/** Events of a run as large as wanted: plays, roles, tasks that change, fail, skip and wait. */
import type { Event, Status, TaskRef } from '../../src/events/index.ts'

const BEGIN = 1_796_000_000_000

/** Every host does every task; some go their own way, by their number. */
export function* largeRun(hostCount: number, taskCount: number): Generator<Event> {
  const hosts = Array.from({ length: hostCount }, (_, n) => `node${String(n + 1).padStart(4, '0')}`)
  let at = BEGIN
  const place = { playbooks: ['/srv/site.yml'], check: false, diff: true, version: '1.0.0' }
  yield { kind: 'run-start', at, ...place }
  yield { kind: 'playbook-start', at, path: '/srv/site.yml' }
  for (let n = 0; n < taskCount; n++) {
    if (n % 50 === 0) yield { kind: 'play-start', at, id: `p${n}`, name: `Play ${n / 50 + 1}`, hosts, check: false, strategy: 'linear' }
    const task: TaskRef = {
      ...{ id: `t${n}.${n}`, name: `role${n % 7} : Task ${n}`, role: `role${n % 7}`, action: n % 3 ? 'command' : 'copy' },
      ...{ place: `/srv/site.yml:${(n % 20) + 1}:3`, isHandler: false },
    }
    yield { kind: 'task-start', at, task }
    for (const host of hosts) yield { kind: 'host-start', at, task: task.id, host }
    for (let h = 0; h < hosts.length; h++) {
      const status = statusOf(h, n)
      const took = 100 + ((h * 37 + n * 11) % 400)
      const common = { kind: 'result', at: at + took, task, host: hosts[h]!, ignored: false, looped: false, seconds: took / 1000 } as const
      yield { ...common, status, result: resultOf(status, h, n) }
    }
    at += 600
  }
  const numbers = { ok: taskCount - 2, changed: 3, unreachable: 0, failures: 0, skipped: 1, rescued: 0, ignored: 0 }
  yield { kind: 'warning', at, text: 'a <b>warning</b> of the run' }
  yield { kind: 'stats', at, hosts: Object.fromEntries(hosts.map((h, n) => [h, { ...numbers, failures: Number(n === 1) }])), custom: {} }
  yield { kind: 'run-end', at, code: 2, interrupted: false }
}

function statusOf(host: number, task: number): Status {
  if (host === 1 && task === 4) return 'failed'
  if (task % 9 === 2) return 'changed'
  return (host + task) % 13 === 0 ? 'skipped' : 'ok'
}

function resultOf(status: Status, host: number, task: number) {
  if (status === 'failed') return { failed: true, msg: `it broke </script> on ${host}`, rc: 1, stderr: 'no space left' }
  if (status !== 'changed') return { changed: false }
  const after = `line 1\nline of task ${task}\n${host % 2 === 0 ? 'even' : 'odd'}\n`
  return { changed: true, diff: { before: 'line 1\n', after, before_header: '/etc/x', after_header: '/etc/x' } }
}
