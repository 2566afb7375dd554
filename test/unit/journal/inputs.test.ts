/** What a person may do between two attempts, and what must not be written down. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { COMMAND, MAIN, recapOf, Site } from './attempts.ts'

let site: Site
afterEach(() => site.remove())

/** A site whose play is written here. */
function siteOf(tasks: string, more: Readonly<Record<string, string>> = {}): Site {
  site = new Site()
  writeFileSync(join(site.folder, 'play.yml'), `- hosts: web\n  gather_facts: false\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}`)
  for (const [name, text] of Object.entries(more)) writeFileSync(join(site.folder, name), text)
  return site
}

const PLAY = ['-i', 'hosts', 'play.yml', '--vault-password-file', 'vault-password']
const FOLDER = '- file: { path: "{{ out }}", state: directory }\n'
const logged = (text: string): string => `- shell: echo ${text} >>{{ out }}/log\n`
const GATE = '- command: test -e {{ lookup("env", "OUT") }}/open\n  changed_when: false\n'
const open = (): void => writeFileSync(join(site.out, 'open'), '')
const logs = (): string => ['a', 'b', 'c'].map((host) => site.texts('out').get(`${host}/log`)?.replaceAll('\n', ' ').trim()).join(' | ')

describe('a run that failed', () => {
  it('goes on where it failed, with the handlers that waited', async () => {
    siteOf(`${FOLDER}${logged('one')}  notify: [h]\n${GATE}${logged('two')}`)
    appendFileSync(join(site.folder, 'play.yml'), '  handlers:\n    - name: h\n      shell: echo h >>{{ out }}/log\n')
    const first = await site.run(PLAY)
    expect(first.code).toBe(2)
    open()
    const second = await site.run(['--resume', ...PLAY])
    expect(second.code, second.text).toBe(0)
    expect(logs()).toBe('one two h | one two h | one two h')
    expect(second.text).not.toContain('TASK [file]')
    expect(recapOf(second.text).every((line) => / ok=5 +changed=4 /.test(line))).toBe(true)
  })

  it('runs always sections again, and what had come of one host alone stays', async () => {
    siteOf(
      `${FOLDER}- block:\n    - command: test -e {{ lookup("env", "OUT") }}/open -o {{ inventory_hostname }} = b\n  always:\n    - shell: echo always >>{{ out }}/log\n${logged('end')}`,
    )
    expect((await site.run(PLAY)).code).toBe(2)
    expect(logs()).toBe('always | always end | always')
    open()
    expect((await site.run(['--resume'])).code).toBe(0)
    expect(logs()).toBe('always always end | always end | always always end')
  })

  it('does items that were done no second time', async () => {
    siteOf(
      `${FOLDER}- shell: test {{ item }} != 3 -o -e {{ lookup("env", "OUT") }}/open && echo {{ item }} >>{{ out }}/log\n  loop: [1, 2, 3, 4]\n  register: r\n- copy: { content: "{{ r.results | map(attribute='item') | join }}", dest: '{{ out }}/items' }\n`,
    )
    expect((await site.run(PLAY)).code).toBe(2)
    open()
    expect((await site.run(['--resume'])).code).toBe(0)
    expect(logs()).toBe('1 2 4 3 | 1 2 4 3 | 1 2 4 3')
    expect(site.texts('out').get('a/items')).toBe('1234')
  })

  it('fails twice and goes on twice', async () => {
    siteOf(`${FOLDER}${logged('one')}${GATE}${logged('two')}${GATE.replace('open', 'open2')}${logged('three')}`)
    expect((await site.run(PLAY)).code).toBe(2)
    expect((await site.run(['--resume'])).code).toBe(2)
    open()
    expect((await site.run(['--resume'])).code).toBe(2)
    writeFileSync(join(site.out, 'open2'), '')
    const last = await site.run(['--resume'])
    expect(last.code).toBe(0)
    expect(logs()).toBe('one two three | one two three | one two three')
    expect((await site.run(['runs'])).text).toMatch(/ok \(resumed 3×\) +play\.yml +ok=18 changed=12/)
  })

  it('keeps the order in which hosts were drawn', async () => {
    siteOf(
      `${FOLDER}- shell: echo {{ ansible_play_batch | join }} >>{{ out }}/log\n  run_once: true\n${GATE}  when: inventory_hostname == ansible_play_hosts_all[-1]\n`,
    )
    const path = join(site.folder, 'play.yml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('  gather', '  order: shuffle\n  serial: 1\n  gather'))
    await site.run(PLAY)
    open()
    const { code, text } = await site.run(['--resume'])
    expect(code, text).toBe(0)
    expect(logs()).toBe('a | b | c')
  })
})

describe('changed inputs', () => {
  const start = async (): Promise<void> => {
    siteOf(`${FOLDER}${logged('one')}${GATE}${logged('{{ word }}')}- include_vars: more.yml\n`, { 'group_vars/all.yml': 'word: two\n' })
    expect((await site.run(PLAY)).code).toBe(2)
    open()
  }
  const changes: Readonly<Record<string, string>> = {
    'play.yml': '    - debug:\n',
    hosts: '\n[more]\na\n',
    'group_vars/all.yml': 'further: 1\n',
  }
  for (const [name, text] of Object.entries(changes))
    it(`${name} is named, and it goes on when that is wanted`, async () => {
      await start()
      appendFileSync(join(site.folder, name), text)
      const refused = await site.run(['--resume'])
      expect(refused.code).toBe(5)
      expect(refused.text).toContain(`${join(site.folder, name)} has changed`)
      expect(logs()).toBe('one | one | one')
      const { code, text: told } = await site.run(['--resume', '-y'])
      expect(code, told).toBe(0)
      expect(logs()).toBe('one two | one two | one two')
    })

  it('another command line is named', async () => {
    await start()
    const id = readdirSync(site.runs)[0]!
    expect((await site.run(['--resume', ...PLAY, '-e', 'word=three'])).text).toContain('there is no run of this command line')
    const refused = await site.run(['--resume', id, ...PLAY, '-e', 'word=three'])
    expect(refused.text).toContain('the command line: it was -i hosts play.yml')
    expect((await site.run(['--resume', id, '-y', ...PLAY, '-e', 'word=three'])).code).toBe(0)
    expect(logs()).toBe('one three | one three | one three')
  })

  it('a task that has become another is run, others are not', async () => {
    await start()
    const path = join(site.folder, 'play.yml')
    writeFileSync(path, `# a line more\n${readFileSync(path, 'utf8').replace('echo one', 'echo other')}`)
    expect((await site.run(['--resume', '-y'])).code).toBe(0)
    expect(logs()).toBe('one other two | one other two | one other two')
  })
})

describe('what a journal is', () => {
  it('is private, holds no values after the end, and is retold', async () => {
    siteOf(`${FOLDER}${logged('one')}`)
    const run = await site.run(PLAY)
    const folder = join(site.runs, readdirSync(site.runs)[0]!)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder).sort()).toEqual(['events.jsonl', 'run.json'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const shown = await site.run(['show'])
    expect(shown.text).toMatch(/^run \S+ of \S+: ok; tsspray -i hosts play.yml/)
    expect(shown.text.slice(shown.text.indexOf('\n') + 1)).toBe(run.text)
    const refused = await site.run(['--resume', readdirSync(site.runs)[0]!])
    expect(refused.text).toContain('has come to its end')
  })

  it('loses a torn line and no other', async () => {
    siteOf(`${FOLDER}${logged('one')}${GATE}${logged('two')}`)
    await site.run(PLAY)
    appendFileSync(site.file('steps.jsonl')!, '{"k":"done","h":"a","s":"x')
    open()
    expect((await site.run(['--resume'])).code).toBe(0)
    expect(logs()).toBe('one two | one two | one two')
  })

  it('does not make a home that is not there', () => {
    site = new Site()
    const home = join(site.folder, 'no-home')
    const { XDG_STATE_HOME: _, ...env } = site.env()
    const { status } = spawnSync(process.execPath, [MAIN, ...COMMAND], { cwd: site.folder, env: { ...env, HOME: home }, stdio: 'ignore' })
    expect(status).toBe(0)
    expect(existsSync(home)).toBe(false)
  })
  it('can be left out, and its number is bounded', async () => {
    siteOf(FOLDER)
    await site.run([...PLAY, '--no-journal'])
    expect(existsSync(site.runs)).toBe(false)
    writeFileSync(join(site.folder, 'ansible.cfg'), '[tsspray]\njournal_keep = 2\n')
    for (let i = 0; i < 3; i++) await site.run(PLAY)
    expect(readdirSync(site.runs)).toHaveLength(2)
    writeFileSync(join(site.folder, 'ansible.cfg'), '[tsspray]\njournal = false\n')
    await site.run(PLAY)
    expect((await site.run(['runs'])).text.trim().split('\n')).toHaveLength(2)
  })
})

describe('secrets', () => {
  const PASSWORD = 'Tr0ub4dor-and-3'
  const kept = (): string => [...site.texts('state').values()].join('\n')

  it('no_log, vaulted and later recognized ones are in no file; what was made of them is made again', async () => {
    siteOf(
      `${FOLDER}- shell: echo '${'{{ given }}'}'\n  register: plain\n- shell: echo hidden-$((40 + 2))\n  register: hidden\n  no_log: true\n` +
        `- set_fact: { fact: '{{ sealed }}!' }\n- debug: { var: fact }\n- debug: { msg: '{{ given }}' }\n- set_fact: { login: '{{ given }}' }\n  no_log: true\n` +
        `- copy: { content: '{{ given }}', dest: '{{ out }}/given' }\n- uri: { url: 'http://127.0.0.1:9/', url_username: u, url_password: '{{ given }}' }\n  ignore_errors: true\n${GATE}` +
        `- copy: { content: '{{ plain.stdout }} {{ hidden.stdout }} {{ fact }} {{ login }}', dest: '{{ out }}/all' }\n`,
    )
    const argv = [...PLAY, '-e', `given=${PASSWORD}`]
    expect((await site.run(argv)).code).toBe(2)
    for (const secret of [PASSWORD, 'hidden-42', 'staple-battery-17']) expect(kept()).not.toContain(secret)
    open()
    expect((await site.run(['--resume'])).code).toBe(5)
    const { code, text } = await site.run(['--resume', ...argv])
    expect(code, text).toBe(0)
    expect(site.texts('out').get('a/all')).toBe(`${PASSWORD} hidden-42 staple-battery-17! ${PASSWORD}`)
    for (const secret of [PASSWORD, 'hidden-42', 'staple-battery-17']) expect(kept()).not.toContain(secret)
  })

  it('variables that are called like secrets are not kept of the command line', async () => {
    siteOf(GATE)
    await site.run([...PLAY, '-e', 'db_password=sesame', '--extra-vars=token=sesame'])
    expect(kept()).not.toContain('sesame')
    const refused = await site.run(['--resume'])
    expect(refused.code).toBe(5)
    expect(refused.text).toContain('held secrets')
  })
})
