/** Ways in which a run ends before its time: what people are told, the exit code, and nothing that goes on on the hosts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { address, clean, Folder, hosts, KEY, on, pause, type Running, until } from './kit.ts'

const [first, second] = hosts as [string, string, string]
const folder = new Folder()
afterAll(() => folder.remove())

/** Needs a terminal for sudo. */
const TTY = `useradd -m -s /bin/bash labtty; mkdir -p -m 700 /home/labtty/.ssh; cp /root/.ssh/authorized_keys /home/labtty/.ssh/; chown -R labtty: /home/labtty/.ssh
printf 'labtty ALL=(ALL) NOPASSWD:ALL\\nDefaults:labtty requiretty\\n' >/etc/sudoers.d/labtty`
beforeAll(() => void on(first, TTY))
afterAll(() => void on(first, 'userdel -rf labtty 2>/dev/null; rm -f /etc/sudoers.d/labtty'))

const long = (extra = ''): string => `
- {name: ready, command: echo ready, changed_when: false}
- {name: slow, shell: "sleep 300 & ${extra} sleep 301; :"}
- {name: after, command: echo after}
`

async function begun(run: Running, task = 'slow'): Promise<void> {
  await until(() => run.text().includes(`TASK [${task}]`), `TASK [${task}]`)
  await pause(1200)
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  it('ends the run in order: recap, how to go on, exit code 99', { timeout: 60_000 }, async () => {
    const isClean = clean(...hosts)
    const run = folder.start(long(), { args: ['-b'] })
    await begun(run)
    run.child.kill(signal)
    const { code, text, seconds } = await run.done
    expect(text).toContain('PLAY RECAP')
    expect(text).toContain('to go on, use: --start-at-task slow')
    expect(code).toBe(99)
    expect(seconds).toBeLessThan(20)
    await isClean()
  })

  it('a second time ends it at once', { timeout: 60_000 }, async () => {
    const isClean = clean(...hosts)
    const run = folder.start(long(`trap '' TERM INT;`), { args: ['-b'] })
    await begun(run)
    run.child.kill(signal)
    await pause(100)
    const from = Date.now()
    run.child.kill(signal)
    expect((await run.done).code).toBe(99)
    expect(Date.now() - from).toBeLessThan(1000)
    await isClean()
  })
})

describe('the controller is killed: nothing goes on', () => {
  const become = { ansible_become: 'true' }
  const kinds: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['as who logged in', {}],
    ['by sudo', become],
    ['by sudo to another than root', { ...become, ansible_become_user: 'games' }],
    ['on a terminal that sudo demands', { ...become, ansible_user: 'labtty', ignored: '"INT TERM"' }],
    ['by su', { ...become, ansible_user: 'root', ansible_become_method: 'su', ansible_become_user: 'admin' }],
    ['by the system’s ssh', { ...become, ansible_connection: 'openssh' }],
  ]
  it(kinds.map(([name]) => name).join(', '), { timeout: 90_000 }, async () => {
    const isClean = clean(first)
    // a hangup ends what runs on a terminal, unless it is not to
    const tasks = long(`trap '' {{ ignored }};`)
    const words = (all: Readonly<Record<string, string>>): string =>
      Object.entries({ ignored: '"HUP INT TERM"', ...all })
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')
    const inventory = kinds.map(([, vars], index) => `kind${index} ansible_host=${address(first)} ${words(vars)}`)
    const run = folder.start(tasks, { inventory, args: ['-f', '20'] })
    await begun(run)
    await until(() => on(first, 'pgrep -xc sleep; :').trim() === String(2 * kinds.length), 'all of them sleep')
    run.child.kill('SIGKILL')
    await run.done
    await isClean(10_000)
  })

  it('whatever it was doing: files on the way, scripts on channels of their own, commands on this machine', {
    timeout: 60_000,
  }, async () => {
    const isClean = clean(first)
    const big = folder.file('big', Buffer.alloc(300_000_000, 1))
    const tasks = [
      `- {name: slow, copy: {src: "${big}", dest: /tmp/fault-big}}`,
      `- {name: slow, raw: "sleep 300; :"}`,
      `- {name: slow, script: ${folder.file('script.sh', '#!/bin/sh\nsleep 300; :\n')}}`,
      `- {name: slow, template: {src: "${folder.file('t.j2', '{% for i in range(300000) %}{{ i }}{% endfor %}')}", dest: /tmp/fault-t}, loop: "{{ range(50) }}"}`,
    ]
    for (const task of tasks) {
      const run = folder.start(task, { on: [first], args: ['-b'] })
      await until(() => run.text().includes('TASK [slow]'), 'slow')
      await pause(900)
      run.child.kill('SIGKILL')
      await run.done
    }
    on(first, 'rm -f /tmp/fault-t')
    await isClean()
  })
})

describe('jobs', () => {
  const start = `
- {name: job, shell: "sleep 4; echo done", async: 60, poll: 0, register: job}
- {copy: {content: "{{ job.ansible_job_id }}", dest: ${folder.path}/job}, delegate_to: localhost, vars: {ansible_connection: local}}
`
  const status = `
- {name: look, async_status: {jid: "{{ lookup('file', '${folder.path}/job') }}"}, register: job, until: job.finished, retries: 20, delay: 1}
- {debug: {msg: "it is {{ job.stdout }}"}}
`

  it('outlive a connection that is lost', { timeout: 60_000 }, async () => {
    const tasks = `
- {name: job, shell: "sleep 6; echo done", async: 60, poll: 1, register: job}
- {debug: {msg: "it is {{ job.stdout }}"}}
`
    const isClean = clean(second)
    const { code, text } = await folder.during('job', () => on(second, 'pkill -KILL -f "[s]shd: admin"'), tasks, { on: [second] })
    expect(text).toContain('"msg": "it is done"')
    expect(code).toBe(0)
    await isClean()
  })

  it('outlive their run, and are found by another', { timeout: 60_000 }, async () => {
    const isClean = clean(second)
    expect((await folder.run(start, { on: [second] })).code).toBe(0)
    const { code, text } = await folder.run(
      `${status}- {async_status: {jid: "{{ lookup('file', '${folder.path}/job') }}", mode: cleanup}}`,
      { on: [second] },
    )
    expect(text).toContain('"msg": "it is done"')
    expect(code).toBe(0)
    await isClean()
  })
})

describe('a host in between', () => {
  it('that dies takes those behind it with it, and nobody else', { timeout: 90_000 }, async () => {
    const behind = Array.from(
      { length: 10 },
      (_, i) => `far${i} ansible_host=${address(second)} ansible_ssh_common_args="-J admin@${address(first)}"`,
    )
    const isClean = clean(first, second)
    const inventory = [...behind, `near ansible_host=${address(second)}`]
    const kill = (): void => void on(first, 'pkill -KILL -f "[s]shd: admin"')
    const { code, text } = await folder.during('slow', kill, long().replace('sleep 301', 'sleep 4').replace('sleep 300 &', ''), {
      inventory,
      args: ['-f', '20'],
    })
    for (let i = 0; i < 10; i++) expect(text).toMatch(new RegExp(`fatal: \\[far${i}\\]: UNREACHABLE! .*the connection was lost`))
    expect(text).toMatch(/^near +: ok=3/m)
    expect(code).toBe(4)
    await isClean()
  })
})

describe('sessions and connections that sshd refuses are waited out', () => {
  const conf = '/etc/ssh/sshd_config.d/fault.conf'
  const tasks = `
- {name: file, copy: {content: "{{ 'x' * 100000 }}", dest: /tmp/fault-many}}
- {name: as, command: id -un, become: true, become_user: games, register: who}
- {name: raw, raw: echo raw}
- {name: loop, shell: "echo {{ item }}", loop: [1, 2, 3], become: true}
- {file: {path: /tmp/fault-many, state: absent}}
`
  afterAll(() => void on(first, `rm -f ${conf}; systemctl restart ssh`))
  it.each([
    ['MaxSessions 1', 1],
    ['MaxSessions 2', 1],
    ['MaxStartups 1:100:1', 12],
  ])('%s', { timeout: 90_000 }, async (line, connections) => {
    on(first, `echo '${line}' >${conf}; systemctl restart ssh`)
    const isClean = clean(first)
    const inventory = Array.from(
      { length: connections },
      (_, i) => `n${i} ansible_host=${address(first)} ansible_ssh_private_key_file=${KEY}`,
    )
    const { code, text } = await folder.run(connections > 1 ? '- {command: echo in}' : tasks, { inventory, args: ['-f', '12'] })
    expect(text).not.toContain('fatal')
    expect(code).toBe(0)
    await isClean()
  })
})
