/** Faults in the middle of a run on real hosts: the right word, the right exit code, and the other hosts as any_errors_fatal says. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const [first = '1', second = '2', third = '3'] = (process.env['LAB_HOSTS'] ?? '1,2,3').split(',')
const LAB = process.env['LAB'] ?? '/tmp/tsspray-lab'
const MAIN = join(import.meta.dirname, '../../dist/main.js')
const LAB_SH = join(import.meta.dirname, 'lab.sh')

const folder = mkdtempSync(join(tmpdir(), 'faults-'))
const host = (n: string): string => `node${n} ansible_host=10.77.0.${10 + Number(n)}`

const playbook = (fatal: boolean): string => `
- hosts: all
  gather_facts: false
  any_errors_fatal: ${fatal}
  tasks:
    - {name: ready, command: echo ready, changed_when: false}
    - {name: slow, command: sleep 6, changed_when: false}
    - {name: after, command: echo after, changed_when: false}
`

beforeAll(() => {
  const vars = `ansible_user=admin\nansible_ssh_private_key_file=${LAB}/key\nansible_host_key_checking=false\n`
  writeFileSync(join(folder, 'inventory.ini'), `${[first, second, third].map(host).join('\n')}\n[all:vars]\n${vars}`)
  writeFileSync(join(folder, 'fatal.yml'), playbook(true))
  writeFileSync(join(folder, 'lenient.yml'), playbook(false))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exec = (n: string, ...command: string[]): void => void execFileSync('bash', [LAB_SH, 'exec', n, ...command])
const link = (n: string, state: 'up' | 'down'): void => void execFileSync('ip', ['link', 'set', `v${n}`, state])

interface Ran {
  readonly text: string
  readonly code: number | null
  readonly seconds: number
}

/** Runs a playbook and does something to a host while the slow task runs. */
async function during(name: string, fault: () => void): Promise<Ran> {
  const began = Date.now()
  const run = spawn(process.execPath, [MAIN, name, '-i', 'inventory.ini', '-b'], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
  let text = ''
  run.stdout.on('data', (chunk) => (text += chunk))
  run.stderr.on('data', (chunk) => (text += chunk))
  const code = ended(run)
  await until(() => text.includes('TASK [slow]'), 60_000)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  fault()
  return { code: await code, text, seconds: (Date.now() - began) / 1000 }
}

const ended = (run: ChildProcess): Promise<number | null> => new Promise((resolve) => run.on('close', resolve))

async function until(holds: () => boolean, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds
  while (!holds()) {
    if (Date.now() > end) throw new Error('the run did not come so far')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const faults: readonly [string, () => void, () => void][] = [
  ['the host’s sshd sessions are killed', () => exec(second, 'pkill', '-KILL', '-f', 'sshd: admin'), () => {}],
  ['the shell is killed', () => exec(second, 'bash', '-c', 'pkill -KILL -x sh; true'), () => {}],
  ['the link is cut', () => link(second, 'down'), () => link(second, 'up')],
]

describe('a host that is lost in the middle of a task', () => {
  it.each(faults)('%s', { timeout: 180_000 }, async (_name, fault, mend) => {
    try {
      const { code, text, seconds } = await during('lenient.yml', fault)
      expect(text).toMatch(new RegExp(`fatal: \\[node${second}\\]: UNREACHABLE!`))
      expect(text).toMatch(new RegExp(`node${second} +: ok=1 .* unreachable=1 `))
      for (const n of [first, third]) expect(text).toMatch(new RegExp(`node${n} +: ok=3 .* unreachable=0 +failed=0 `))
      expect(code).toBe(4)
      expect(seconds).toBeLessThan(120)
    } finally {
      mend()
    }
  })

  it('stops everybody after the task where any_errors_fatal says so', { timeout: 180_000 }, async () => {
    const { code, text } = await during('fatal.yml', () => exec(second, 'pkill', '-KILL', '-f', 'sshd: admin'))
    expect(text).toMatch(new RegExp(`fatal: \\[node${second}\\]: UNREACHABLE!`))
    expect(text).not.toContain('TASK [after]')
    for (const n of [first, third]) expect(text).toMatch(new RegExp(`node${n} +: ok=2 `))
    expect(code).toBe(4)
  })

  it('ends in order at Ctrl-C: recap and exit code 99', { timeout: 60_000 }, async () => {
    let pid = 0
    const run = spawn(process.execPath, [MAIN, 'lenient.yml', '-i', 'inventory.ini'], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
    })
    pid = run.pid ?? 0
    let text = ''
    run.stdout.on('data', (chunk) => (text += chunk))
    const code = ended(run)
    await until(() => text.includes('TASK [slow]'), 30_000)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    process.kill(pid, 'SIGINT')
    expect(await code).toBe(99)
    expect(text).toContain('PLAY RECAP')
  })
})
