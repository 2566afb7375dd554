/** Disks that are full or may not be written to, and output of all kinds: failed tasks that say why, old files as they were, nothing half-written. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clean, Folder, hosts, on } from './kit.ts'

const [first] = hosts as [string]
const folder = new Folder()
afterAll(() => folder.remove())

const here = { on: [first] }
const state = (path: string): string => on(first, `cd ${path} && ls -lA --time-style=+ && cat * | cksum`)

describe.each(['full', 'readonly'] as const)('a disk that is %s', (kind) => {
  const path = `/mnt/fault-${kind}`
  const tarball = `${path}.tar`
  beforeAll(() => {
    on(first, `mkdir -p ${path}; mount -t tmpfs -o size=256k none ${path}; cd ${path}; printf 'one\\ntwo\\n' >old; printf '[a]\\nb = 1\\n' >ini; printf 'x\\n' >asm
mkdir -p ${path}.d; head -c 300000 /dev/urandom >${path}.d/big; tar -C ${path}.d -cf ${tarball} big`) // biome-ignore format: shell
    if (kind === 'full') on(first, `cat /dev/zero >${path}/filling 2>/dev/null; chmod 600 ${path}/filling`)
    else on(first, `mount -o remount,ro ${path}`)
  })
  afterAll(() => void on(first, `umount ${path}; rm -rf ${path}*`))

  it('fails what would write to it, and is as it was', { timeout: 120_000 }, async () => {
    const big = folder.file('big', Buffer.alloc(3_000_000, 'line\n'))
    const template = folder.file('t.j2', '{{ "many words " * 2000 }}')
    const tasks: readonly [name: string, task: string][] = [
      ['a new file', `copy: {content: "{{ 'word ' * 2000 }}", dest: ${path}/new}`],
      ['a new large file', `copy: {src: ${big}, dest: ${path}/new}`],
      ['over an old file', `copy: {content: "{{ 'word ' * 2000 }}", dest: ${path}/old}`],
      ['a large one over an old file', `copy: {src: ${big}, dest: ${path}/old}`],
      ['with a backup', `copy: {content: "{{ 'word ' * 2000 }}", dest: ${path}/old, backup: true}`],
      ['a template', `template: {src: ${template}, dest: ${path}/old}`],
      ['a line', `lineinfile: {path: ${path}/old, line: "{{ 'three ' * 2000 }}"}`],
      ['a block', `blockinfile: {path: ${path}/old, block: "{{ 'three ' * 2000 }}"}`],
      ['a replacement', `replace: {path: ${path}/old, regexp: one, replace: "{{ 'three ' * 2000 }}"}`],
      ['an option', `ini_file: {path: ${path}/ini, section: a, option: b, value: "{{ 'three ' * 2000 }}"}`],
      [
        'many a folder',
        kind === 'full' ? `copy: {src: ${folder.path}/, dest: ${path}/tree/}` : `file: {path: ${path}/a/b, state: directory}`,
      ],
    ]
    const before = state(path)
    const isClean = clean(first)
    const yaml = tasks.map(([name, task]) => `- {name: ${name}, ${task}, ignore_errors: true, become: true}`).join('\n')
    const { code, text } = await folder.run(yaml, here)
    expect(code).toBe(0)
    expect(text).toMatch(new RegExp(`ok=${tasks.length} .*ignored=${tasks.length} `))
    const told = text.split('\n').filter((line) => line.startsWith('fatal:'))
    for (const line of told) expect(line).toMatch(kind === 'full' ? /No space left on device/ : /Read-only file system/)
    if (kind === 'full') on(first, `rm -rf ${path}/tree`)
    expect(state(path)).toBe(before)
    await isClean()
  })
})

describe('folders for temporary files', () => {
  afterAll(() => void on(first, 'umount /tmp 2>/dev/null; :'))
  it.each([
    ['full', 'mount -t tmpfs -o size=8k,mode=1777 none /tmp; cat /dev/zero >/tmp/filling 2>/dev/null; :'],
    ['not to be written to', 'mount -t tmpfs -o ro none /tmp'],
    ['not to run programs from', 'mount -t tmpfs -o noexec,mode=1777 none /tmp'],
  ])('that are %s: others serve', { timeout: 60_000 }, async (_, mount) => {
    const isClean = clean(first)
    on(first, mount)
    try {
      const big = folder.file('big', Buffer.alloc(3_000_000, 'line\n'))
      const script = folder.file('script.sh', '#!/bin/sh\necho ran\n')
      const tasks = `
- {name: big, copy: {src: ${big}, dest: /var/fault-big}, become: true}
- {name: script, script: ${script}, register: ran}
- {name: gone, file: {path: /var/fault-big, state: absent}, become: true}
- {debug: {msg: "it {{ ran.stdout | trim }}"}}
`
      const { code, text } = await folder.run(tasks, here)
      expect(text).toContain('"msg": "it ran"')
      expect(code).toBe(0)
    } finally {
      on(first, 'umount /tmp')
    }
    await isClean()
  })
})

describe('output', () => {
  it('of 100 MB is taken, in memory that has a bound', { timeout: 120_000 }, async () => {
    const tasks = `
- {name: much, shell: "yes 0123456789abcde | head -c 100000000", register: much}
- {debug: {msg: "{{ much.stdout | length }} {{ much.stdout_lines | length }}"}}
`
    const run = folder.start(tasks, { ...here, env: { NODE_OPTIONS: '' } })
    let most = 0
    const look = setInterval(() => {
      try {
        const kib = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${run.child.pid}/status`, 'utf8'))?.[1] ?? 0)
        most = Math.max(most, kib / 1024)
      } catch {
        // it has ended
      }
    }, 100)
    const { code, text, seconds } = await run.done
    clearInterval(look)
    console.log(`100 MB of output: ${Math.round(most)} MB at most, ${seconds.toFixed(1)} s`)
    expect(text).toContain('"msg": "99999999 6250000"')
    expect(code).toBe(0)
    expect(most).toBeLessThan(1500)
  })

  it.each([
    ['that is binary', 'printf "\\\\377\\\\376\\\\000a\\\\033[0m"', '{{ r is failed and r.rc == 0 }}'],
    ['without a last newline', 'printf one', "{{ r.stdout == 'one' }}"],
    ['of a command that reads its input', 'cat; read line; echo after', "{{ r.stdout == 'after' }}"],
    ['of a child in the background', 'echo first; (sleep 30; echo late) &', "{{ r.stdout == 'first' }}"],
    ['of a child in the background that closed its streams', 'echo first; sleep 2 >/dev/null 2>&1 &', "{{ r.stdout == 'first' }}"],
    ['that has no end, until the time is over', 'yes', '{{ r is failed }}'],
  ])('%s', { timeout: 60_000 }, async (_, command, holds) => {
    const isClean = clean(first)
    const tasks = `
- {name: out, shell: '${command}', register: r, ignore_errors: true, timeout: 4}
- {debug: {msg: "it is ${holds}"}}
- {shell: "echo next", register: n}
- {debug: {msg: "{{ n.stdout }}"}}
`
    const { code, text, seconds } = await folder.run(tasks.replace('\'printf "', `'printf "`), here)
    expect(text).toContain('"msg": "it is True"')
    expect(text).toContain('"msg": "next"')
    expect(code).toBe(0)
    expect(seconds).toBeLessThan(15)
    on(first, 'pkill -x sleep; :')
    await isClean()
  })
})
