/** The records that tsspray and Ansible's json callback keep of the same run become the same lists. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const counts = { ok: 3, changed: 1, unreachable: 0, failures: 0, skipped: 1, rescued: 0, ignored: 1 }
const task = (id: string, name: string) => ({ task: { id, name } })
const result = (id: string, name: string, status: string) => ({ kind: 'result', host: 'h1', status, ...task(id, name) })

const events = [
  { kind: 'play-start', name: 'All' },
  { kind: 'task-start', ...task('1', 'r : Files') },
  { kind: 'included', hosts: ['h1'], file: 'a.yml', label: 'a', ...task('1', 'r : Files') },
  { kind: 'included', hosts: ['h1'], file: 'b.yml', label: 'b', ...task('1', 'r : Files') },
  { kind: 'task-start', ...task('2', 'Write') },
  result('2', 'Write', 'changed'),
  { kind: 'task-start', ...task('3', 'Ask') },
  result('3', 'Ask', 'failed'),
  { kind: 'task-start', ...task('4', 'Pass over') },
  result('4', 'Pass over', 'skipped'),
  { kind: 'stats', hosts: { h1: counts } },
]

const document = {
  plays: [
    {
      play: { name: 'All' },
      tasks: [
        { task: { name: 'r : Files' }, hosts: { h1: { changed: false } } },
        { task: { name: 'Write' }, hosts: { h1: { changed: true } } },
        { task: { name: 'Ask' }, hosts: { h1: { failed: true, changed: false } } },
        { task: { name: 'Pass over' }, hosts: { h1: { skipped: true, changed: false } } },
      ],
    },
  ],
  stats: { h1: counts },
}

const wanted = {
  'h1.txt': 'ok       r : Files\nchanged  Write\nfailed   Ask\nskipped  Pass over\n',
  'recap.txt': 'h1 ok=3 changed=1 unreachable=0 failed=0 skipped=1 rescued=0 ignored=1\n',
  'tasks.txt': '# play All\nr : Files  h1=ok\nWrite  h1=changed\nAsk  h1=failed\nPass over  h1=skipped\n',
}

test.each([
  ["tsspray's events", `a warning\n${events.map((e) => JSON.stringify(e)).join('\n')}\n`],
  ["Ansible's document", `a warning\n${JSON.stringify(document, null, 4)}\n`],
])('%s', (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'))
  try {
    writeFileSync(join(folder, 'record'), text)
    execFileSync('node', [join(import.meta.dirname, 'lists.mjs'), join(folder, 'record'), join(folder, 'lists')])
    const files = readdirSync(join(folder, 'lists')).map((name) => [name, readFileSync(join(folder, 'lists', name), 'utf8')])
    expect(Object.fromEntries(files)).toEqual(wanted)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
