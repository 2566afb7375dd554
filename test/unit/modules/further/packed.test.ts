import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'))
  mkdirSync(at('tree/sub dir'), { recursive: true })
  writeFileSync(at('tree/one'), '1')
  writeFileSync(at("tree/sub dir/it's"), '2')
  writeFileSync(at('tree/skip.log'), '3')
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const list = (program: string, ...words: string[]): string[] => execFileSync(program, words, { encoding: 'utf8' }).trim().split('\n').sort()

describe.each([['dash'], ['bash'], ['busybox sh']])('archive in %s', (name) => {
  const shell = name.split(' ')
  const run = async (args: JsonObject, check = false) => (await runModule('archive', args, { shell, check })).result

  test.each(['gz', 'bz2', 'xz', 'tar'])('a tree as %s', async (format) => {
    const args = { path: at('tree'), dest: at('a'), format, exclusion_patterns: ['*.log'] }
    expect(await run(args, true)).toMatchObject({ changed: true })
    expect(existsSync(at('a'))).toBe(false)
    expect(await run(args)).toMatchObject({ changed: true, dest_state: 'archive', arcroot: `${folder}/`, missing: [] })
    expect(list('tar', '-tf', at('a'))).toEqual(['tree/one', 'tree/sub dir/', "tree/sub dir/it's"])
    expect(await run(args)).toMatchObject({ changed: false })
    writeFileSync(at('tree/one'), '9')
    expect(await run(args)).toMatchObject({ changed: true })
  })

  test.runIf(spawnSync('sh', ['-c', 'command -v zip && command -v unzip']).status === 0)(
    'zip, single files and what is missing',
    async () => {
      const zip = { path: [at('tree/*'), at('none')], dest: at('a.zip'), format: 'zip', exclude_path: [at('tree/skip.log')] }
      expect(await run(zip)).toMatchObject({ changed: true, dest_state: 'incomplete', missing: [at('none')] })
      expect(list('unzip', '-Z1', at('a.zip'))).toEqual(['tree/one', "tree/sub dir/it's"])
      expect(await run(zip)).toMatchObject({ changed: false })
      const single = { path: at('tree/one'), remove: true }
      expect(await run(single)).toMatchObject({ changed: true, dest: at('tree/one.gz'), dest_state: 'compress', state: 'file' })
      expect(existsSync(at('tree/one'))).toBe(false)
      expect(list('zcat', at('tree/one.gz'))).toEqual(['1'])
      expect(await run({ path: at('none'), dest: at('b') })).toMatchObject({ changed: false, missing: [at('none')] })
      expect(await run({ path: at('none*'), dest: at('b') })).toMatchObject({ failed: true })
    },
  )
})

describe('packages', () => {
  const program = (file: string, body: string) => {
    mkdirSync(at('bin'), { recursive: true })
    writeFileSync(at(`bin/${file}`), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  }
  const run = async (module: string, args: JsonObject) =>
    (await runModule(module, args, { path: `${at('bin')}:${process.env.PATH}` })).result

  test('npm', async () => {
    program(
      'npm',
      `case "$1" in list) echo '{"dependencies":{"left":{"version":"1.0.0"},"gone":{"missing":true}}}'; exit 1 ;; outdated) echo '{}' ;; *) echo "$*" >'${folder}/did' ;; esac`,
    )
    expect(await run('npm', { name: 'left', path: folder })).toMatchObject({ changed: false })
    expect(await run('npm', { name: 'left', path: folder, state: 'latest' })).toMatchObject({ changed: false })
    expect(await run('npm', { name: 'left', version: '2.0.0', path: folder })).toMatchObject({ changed: true })
    expect(list('cat', at('did'))).toEqual(['install left@2.0.0'])
    expect(await run('npm', { name: 'gone', path: folder, state: 'absent' })).toMatchObject({ changed: false })
    expect(await run('npm', { path: folder })).toMatchObject({ changed: true })
    expect(await run('npm', { name: 'x' })).toMatchObject({ failed: true })
  })

  test('gem', async () => {
    program('gem', `case "$1" in query) echo 'rake (13.0, default: 12.1)' ;; *) echo "$*" >'${folder}/did' ;; esac`)
    expect(await run('gem', { name: 'rake' })).toMatchObject({ changed: false })
    expect(await run('gem', { name: 'rake', version: '12.1' })).toMatchObject({ changed: false })
    expect(await run('gem', { name: 'rake', version: '1.0', user_install: false })).toMatchObject({ changed: true, version: '1.0' })
    expect(list('cat', at('did'))).toEqual(['install --version 1.0 --no-user-install --no-document rake --norc'])
    expect(await run('gem', { name: 'rake', state: 'absent' })).toMatchObject({ changed: true })
  })
})
