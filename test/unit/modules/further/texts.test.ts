import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'further-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
/** Is the program installed here? */
const has = (program: string): boolean => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin; command -v ${program}`]).status === 0
const text = (name: string): string => readFileSync(at(name), 'utf8')

describe.each([['dash'], ['bash'], ['busybox sh']])('in %s', (name) => {
  const shell = name.split(' ')
  const run = async (module: string, args: JsonObject, more: object = {}) => (await runModule(module, args, { shell, ...more })).result
  /** as it would be, as it is, once more */
  const thrice = async (module: string, args: JsonObject) => [
    (await run(module, args, { check: true })).changed,
    (await run(module, args)).changed,
    (await run(module, args)).changed,
  ]

  test.runIf(has('git'))('git_config', async () => {
    const args = { scope: 'file', file: at('c'), name: 'a.b', value: "it's $(x)\n" }
    expect(await thrice('git_config', args)).toEqual([true, true, false])
    expect(await run('git_config', { scope: 'file', file: at('c'), name: 'a.b' })).toMatchObject({ config_value: "it's $(x)\n" })
    expect(await run('git_config', { scope: 'file', file: at('c'), list_all: true })).toMatchObject({
      config_values: { 'a.b': "it's $(x)\n" },
    })
    expect(await thrice('git_config', { scope: 'file', file: at('c'), name: 'a.b', state: 'absent' })).toEqual([true, true, false])
  })

  test.runIf(has('make'))('make', async () => {
    writeFileSync(at('Makefile'), 'out:\n\t@printf "%s" "$(WORD)" >out\nbad:\n\tfalse\n')
    const args = { chdir: folder, target: 'out', params: { WORD: 'a b' } }
    expect(await thrice('make', args)).toEqual([true, true, false])
    expect(text('out')).toBe('a b')
    expect(await run('make', { chdir: folder, target: 'bad' })).toMatchObject({ failed: true })
    expect(await run('make', { chdir: at('none') })).toMatchObject({ failed: true })
  })

  test.runIf(has('visudo'))('sudoers', async () => {
    const args = { name: 'k', user: 'kim', commands: ['/bin/ls', '/bin/id'], runas: 'web', sudoers_path: folder, setenv: true }
    expect(await thrice('sudoers', args)).toEqual([true, true, false])
    expect(text('k')).toBe('kim ALL=(web)NOPASSWD:SETENV: /bin/ls, /bin/id\n')
    expect(statSync(at('k')).mode & 0o777).toBe(0o440)
    expect(await run('sudoers', { ...args, commands: ['not a path'] })).toMatchObject({ failed: true })
    expect(await thrice('sudoers', { name: 'k', sudoers_path: folder, state: 'absent' })).toEqual([true, true, false])
  })

  test('read_csv', async () => {
    writeFileSync(at('c.csv'), 'name,what\r\nkim,"a ""b"", c"\n\nlee,"two\nlines"\n')
    const list = [
      { name: 'kim', what: 'a "b", c' },
      { name: 'lee', what: 'two\nlines' },
    ]
    expect(await run('read_csv', { path: at('c.csv') })).toMatchObject({ changed: false, list, dict: {} })
    expect(await run('read_csv', { path: at('c.csv'), key: 'name' })).toMatchObject({ list: [], dict: { kim: list[0]!, lee: list[1]! } })
    expect(await run('read_csv', { path: at('c.csv'), key: 'none' })).toMatchObject({ failed: true })
  })

  test.each(['apr_md5_crypt', 'sha512_crypt', 'bcrypt', 'plaintext'])('htpasswd with %s', async (scheme) => {
    const args = { path: at('pw'), name: 'kim', password: "p'$(w)", crypt_scheme: scheme, mode: '0640' }
    expect(await thrice('htpasswd', args)).toEqual([true, true, false])
    expect(text('pw')).toMatch(/^kim:\S+\n$/)
    expect(await run('htpasswd', { ...args, password: 'other' })).toMatchObject({ changed: true, msg: 'Update kim' })
    expect(await thrice('htpasswd', { path: at('pw'), name: 'kim', state: 'absent' })).toEqual([true, true, false])
  })

  test.runIf(has('patch'))('patch', async () => {
    writeFileSync(at('f'), 'one\ntwo\n')
    writeFileSync(at('p'), '--- f\n+++ f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n')
    const args = { src: at('p'), dest: at('f'), remote_src: true }
    expect(await thrice('patch', args)).toEqual([true, true, false])
    expect(text('f')).toBe('one\n2\n')
    expect(await thrice('patch', { src: at('p'), basedir: folder, state: 'absent' })).toEqual([true, true, false])
    expect(text('f')).toBe('one\ntwo\n')
    writeFileSync(at('f'), 'other\n')
    expect(await run('patch', args)).toMatchObject({ failed: true })
  })

  test.runIf(has('setfacl'))('acl', async () => {
    writeFileSync(at('f'), '')
    const args = { path: at('f'), entity: 'nobody', etype: 'user', permissions: 'rw', state: 'present' }
    expect(await thrice('acl', args)).toEqual([true, true, false])
    expect(await run('acl', { path: at('f') })).toMatchObject({ changed: false, acl: expect.arrayContaining(['user:nobody:rw-']) })
    expect(await thrice('acl', { path: at('f'), entry: 'u:nobody', state: 'absent' })).toEqual([true, true, false])
  })

  test.runIf(has('mkfs.ext4'))('filesystem', async () => {
    const grow = (bytes: number) => execFileSync('truncate', ['-s', String(bytes), at('disk')])
    grow(4 << 20)
    const args = { dev: at('disk'), fstype: 'ext4' }
    expect(await thrice('filesystem', args)).toEqual([true, true, false])
    grow(8 << 20)
    expect(await thrice('filesystem', { ...args, resizefs: true })).toEqual([true, true, false])
    expect(await run('filesystem', { dev: at('disk'), fstype: 'ext2' })).toMatchObject({ failed: true })
    expect(await thrice('filesystem', { dev: at('disk'), fstype: 'ext2', force: true }).then((all) => all.slice(0, 2))).toEqual([
      true,
      true,
    ])
    expect(await thrice('filesystem', { dev: at('disk'), state: 'absent' })).toEqual([true, true, false])
    expect(await run('filesystem', { ...args, dev: at('none') })).toMatchObject({ failed: true })
  })

  test.runIf(has('parted'))('parted', async () => {
    execFileSync('truncate', ['-s', '64M', at('disk')])
    const args = { device: at('disk'), number: 1, state: 'present', label: 'gpt', name: "it's $(x)", part_end: '20MiB', flags: ['lvm'] }
    expect(await thrice('parted', args)).toEqual([true, true, false])
    expect(await run('parted', { device: at('disk'), unit: 'MiB' })).toMatchObject({
      changed: false,
      disk: { table: 'gpt', size: 64 },
      partitions: [{ num: 1, end: 20, name: "it's $(x)", flags: ['lvm'] }],
    })
    expect(await thrice('parted', { ...args, part_end: '100%', resize: true, flags: [] })).toEqual([true, true, false])
    expect(await thrice('parted', { device: at('disk'), number: 1, state: 'absent' })).toEqual([true, true, false])
  })

  test('at', async () => {
    mkdirSync(at('bin'))
    const program = (file: string, body: string) => writeFileSync(at(`bin/${file}`), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
    program(
      'at',
      `if [ "$1" = -c ]; then echo '#!/bin/sh'; cat '${folder}/job'; else cat >'${folder}/job'; echo "$*" >'${folder}/when'; fi`,
    )
    program('atq', `[ -f '${folder}/job' ] && echo '7 Mon'; :`)
    program('atrm', `rm '${folder}/job'`)
    const path = `${at('bin')}:${process.env.PATH}`
    const job = { command: "echo 'x'", count: 3, units: 'minutes', unique: true }
    expect((await run('at', job, { path, check: true })).changed).toBe(true)
    expect(existsSync(at('job'))).toBe(false)
    expect((await run('at', job, { path })).changed).toBe(true)
    expect([text('job'), text('when')]).toEqual(["echo 'x'\n", 'now + 3 minutes\n'])
    expect((await run('at', job, { path })).changed).toBe(false)
    expect((await run('at', { command: "echo 'x'", state: 'absent' }, { path })).changed).toBe(true)
    expect(existsSync(at('job'))).toBe(false)
  })
})
