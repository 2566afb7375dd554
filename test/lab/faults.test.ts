/** Faults in the middle of a run on real hosts: the right word, the right exit code, the other hosts as any_errors_fatal says, and nothing left behind. */
import { afterAll, describe, expect, it } from 'vitest'
import { address, clean, Folder, hosts, link, on, pause, until } from './kit.ts'
import { Relay } from './relay.ts'

const [first, second, third] = hosts as [string, string, string]
const folder = new Folder()
afterAll(() => folder.remove())

const slow = `
- {name: ready, command: echo ready, changed_when: false}
- {name: slow, command: sleep 5, changed_when: false}
- {name: after, command: echo after, changed_when: false}
`
const fatal = `- hosts: all\n  gather_facts: false\n  any_errors_fatal: true\n  tasks:\n${slow.replace(/^/gm, '    ')}`

/** A dead peer is noticed after three of these; 30 s if nothing is said. */
const quick = { ansible_ssh_common_args: '"-o ServerAliveInterval=1"' }
const recapOf = (n: string, text: string): string => new RegExp(`^node${n} +: (.*)$`, 'm').exec(text)?.[1]?.replace(/ +/g, ' ') ?? ''

interface Fault {
  readonly name: string
  readonly fault: () => void
  readonly mend?: () => void
  readonly word: 'UNREACHABLE' | 'FAILED'
  readonly says: RegExp
  readonly code: number
}

const faults: readonly Fault[] = [
  {
    name: 'the host’s sshd sessions are killed',
    fault: () => on(second, 'pkill -KILL -f "[s]shd: admin"'),
    word: 'UNREACHABLE',
    says: /the connection was lost/,
    code: 4,
  },
  {
    name: 'sshd as a whole is killed, and comes back',
    fault: () => on(second, 'systemctl kill -s KILL ssh; pkill -KILL -x sshd; :'),
    mend: () => on(second, 'systemctl restart ssh'),
    word: 'UNREACHABLE',
    says: /the connection was lost/,
    code: 4,
  },
  {
    name: 'the shell is killed, the connection holds',
    fault: () => on(second, 'pkill -KILL -x sh'),
    word: 'FAILED',
    says: /the shell was killed \(signal 9\) while a script was running in it; how far the script came is not known/,
    code: 2,
  },
  {
    name: 'the link is cut',
    fault: () => link(second, 'down'),
    mend: () => link(second, 'up'),
    word: 'UNREACHABLE',
    says: /the connection was lost: the host has not answered for 3 s/,
    code: 4,
  },
]

describe('a host that is lost in the middle of a task', () => {
  it.each(faults)('$name', { timeout: 120_000 }, async ({ fault, mend = () => {}, word, says, code: expected }) => {
    const isClean = clean(...hosts)
    try {
      const { code, text, seconds } = await folder.during('slow', fault, slow, { args: ['-b'], vars: quick })
      expect(text).toMatch(new RegExp(`fatal: \\[node${second}\\]: ${word}!`))
      expect(text).toMatch(says)
      expect(recapOf(second, text)).toMatch(word === 'FAILED' ? /^ok=1 .*unreachable=0 failed=1/ : /^ok=1 .*unreachable=1 failed=0/)
      for (const n of [first, third]) expect(recapOf(n, text)).toMatch(/^ok=3 .*unreachable=0 failed=0/)
      expect(code).toBe(expected)
      expect(seconds).toBeLessThan(30)
    } finally {
      mend()
    }
    await isClean(15_000)
  })

  it('stops everybody after the task where any_errors_fatal says so', { timeout: 60_000 }, async () => {
    const { code, text } = await folder.during('slow', () => on(second, 'pkill -KILL -f "[s]shd: admin"'), fatal)
    expect(text).toMatch(new RegExp(`fatal: \\[node${second}\\]: UNREACHABLE!`))
    expect(text).not.toContain('TASK [after]')
    for (const n of [first, third]) expect(recapOf(n, text)).toMatch(/^ok=2 /)
    expect(code).toBe(4)
  })

  it('has a new shell for the tasks after the one whose shell was killed', { timeout: 60_000 }, async () => {
    const isClean = clean(first)
    const tasks = `
- {name: dies, shell: "kill -9 $$ $PPID; sleep 5", ignore_errors: true, register: died}
- {name: lives, command: echo alive, register: lives}
- {debug: {msg: "{{ lives.stdout }} {{ died is failed }} {{ died.unreachable | default('reached') }}"}}
`
    const { code, text } = await folder.run(tasks, { on: [first], args: ['-b'] })
    expect(text).toContain('"msg": "alive True reached"')
    expect(code).toBe(0)
    await isClean()
  })

  it('is reached again when its link is healed, and what had been sent is whole', { timeout: 60_000 }, async () => {
    const isClean = clean(second)
    const big = folder.file('big', Buffer.alloc(40_000_000, 'a line of text\n'))
    const tasks = `
- {name: ready, command: echo ready}
- {name: send, copy: {src: "${big}", dest: /tmp/fault-big}, ignore_unreachable: true, register: sent}
- {name: wait, pause: {seconds: 2}}
- {name: look, shell: "ls -A /tmp | grep fault; :", register: seen}
- {debug: {msg: "sent {{ sent.unreachable | default(false) }}, seen {{ seen.stdout_lines }}"}}
`
    const relay = await Relay.to(address(second), { bytesPerSecond: 8_000_000 })
    const inventory = [`node${second} ansible_host=127.0.0.1 ansible_port=${relay.port}`]
    const run = folder.start(tasks, { inventory, vars: quick })
    try {
      await until(() => run.text().includes('TASK [send]'), 'send')
      await pause(1500)
      relay.stall()
      await until(() => run.text().includes('TASK [wait]'), 'wait')
    } finally {
      relay.heal()
    }
    const { code, text } = await run.done
    relay.close()
    expect(text).toContain('"msg": "sent True, seen []"')
    expect(code).toBe(0)
    await isClean()
  })
})

describe('a host that starts anew', () => {
  it('in the middle of a task', { timeout: 120_000 }, async () => {
    const isClean = clean(second)
    const reboot = (): void => void on(second, 'systemctl --no-block reboot')
    const { code, text } = await folder.during('slow', reboot, slow.replace('sleep 5', 'sleep 20'), {
      on: [second],
      args: ['-b'],
      vars: quick,
    })
    expect(text).toMatch(/fatal: \[node\d\]: (UNREACHABLE|FAILED)!/)
    expect([4, 2]).toContain(code)
    await until(() => isUp(second), 'the host is back')
    await isClean(20_000)
  })

  it('as the reboot module asks for', { timeout: 120_000 }, async () => {
    const isClean = clean(second)
    const tasks = `
- {name: reboot, reboot: {reboot_timeout: 90}, become: true}
- {name: after, command: echo after}
`
    const { code, text } = await folder.run(tasks, { on: [second] })
    expect(recapOf(second, text)).toMatch(/^ok=2 changed=2 unreachable=0 failed=0/)
    expect(code).toBe(0)
    await isClean(20_000)
  })
})

const isUp = (n: string): boolean => {
  try {
    return on(n, 'systemctl is-active ssh').trim() === 'active'
  } catch {
    return false
  }
}

describe('a slow host', () => {
  it('is waited for: 150 ms a way', { timeout: 120_000 }, async () => {
    const relay = await Relay.to(address(first), { delay: 150 })
    const inventory = [`node${first} ansible_host=127.0.0.1 ansible_port=${relay.port}`]
    const { code, text } = await folder.run(slow.replace('sleep 5', 'echo'), { inventory, args: ['-b'] })
    relay.close()
    expect(recapOf(first, text)).toMatch(/^ok=3 /)
    expect(code).toBe(0)
  })

  it.each([
    ['that takes the connection and says nothing', { mute: true }, /UNREACHABLE!.*was reached, but no greeting came from sshd within/],
  ])('%s is given up after the time given', { timeout: 60_000 }, async (_, how, says) => {
    const relay = await Relay.to(address(first), how)
    const inventory = [`node${first} ansible_host=127.0.0.1 ansible_port=${relay.port}`]
    const { code, text, seconds } = await folder.run(slow, { inventory, args: ['--timeout', '3'] })
    relay.close()
    expect(text).toMatch(says)
    expect(code).toBe(4)
    expect(seconds).toBeLessThan(15)
  })

  it('is not waited for longer than the task may take, and what it ran is ended', { timeout: 60_000 }, async () => {
    const isClean = clean(first)
    const tasks = `- {name: slow, shell: "sleep 60 & sleep 61; :", timeout: 2}`
    const { code, text, seconds } = await folder.run(tasks, { on: [first], args: ['-b'] })
    expect(text).toMatch(/FAILED!.*expected time frame \(2\) and was terminated/)
    expect(code).toBe(2)
    expect(seconds).toBeLessThan(12)
    await isClean()
  })
})
