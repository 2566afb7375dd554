import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
import { runModule, SHELLS } from '../../harness/local-host.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tsspray-unarchive-'))
  mkdirSync(`${dir}/in/top/sub`, { recursive: true })
  mkdirSync(`${dir}/out`)
  writeFileSync(`${dir}/in/top/one`, '1\n', { mode: 0o755 })
  writeFileSync(`${dir}/in/top/sub/with space`, '2\n', { mode: 0o600 })
  execFileSync('ln', ['-s', 'one', `${dir}/in/top/link`])
  execFileSync('touch', ['-d', '2021-01-01 01:02:03', `${dir}/in/top/one`])
  for (const [flag, name] of [
    ['', 'a.tar'],
    ['z', 'a.tgz'],
    ['j', 'a.tbz'],
    ['J', 'a.txz'],
  ] as const)
    execFileSync('tar', [`-c${flag}f`, `${dir}/${name}`, '-C', `${dir}/in`, 'top'])
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const fill = (value: unknown): never => JSON.parse(JSON.stringify(value).replaceAll('DIR', dir)) as never

interface Case {
  readonly name: string
  readonly args: JsonObject
  readonly want: JsonObject
  readonly there?: readonly string[]
  readonly gone?: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'a tar of the controller',
    args: { src: 'DIR/a.tar', dest: 'DIR/out' },
    want: { changed: true, handler: 'TarArchive', dest: 'DIR/out', state: 'directory' },
    there: ['top/one', 'top/sub/with space', 'top/link'],
  },
  {
    name: 'gzip on the host',
    args: { src: 'DIR/a.tgz', dest: 'DIR/out', remote_src: true, list_files: true },
    want: { changed: true, handler: 'TgzArchive', src: 'DIR/a.tgz' },
    there: ['top/one'],
  },
  {
    name: 'bzip2',
    args: { src: 'DIR/a.tbz', dest: 'DIR/out', remote_src: true },
    want: { changed: true, handler: 'TarArchive' },
    there: ['top/one'],
  },
  {
    name: 'xz',
    args: { src: 'DIR/a.txz', dest: 'DIR/out', remote_src: true },
    want: { changed: true, handler: 'TarArchive' },
    there: ['top/one'],
  },
  {
    name: 'without its first folder',
    args: { src: 'DIR/a.tgz', dest: 'DIR/out', remote_src: true, extra_opts: ['--strip-components=1'] },
    want: { changed: true },
    there: ['one', 'sub/with space'],
  },
  {
    name: 'with a mode',
    args: { src: 'DIR/a.tgz', dest: 'DIR/out', remote_src: true, mode: '0750' },
    want: { changed: true },
    there: ['top/one'],
  },
  {
    name: 'with something left out',
    args: { src: 'DIR/a.tgz', dest: 'DIR/out', remote_src: true, exclude: ['top/sub'] },
    want: { changed: true },
    there: ['top/one'],
    gone: ['top/sub'],
  },
  {
    name: 'a part of it',
    args: { src: 'DIR/a.tgz', dest: 'DIR/out', remote_src: true, include: ['top/one'] },
    want: { changed: true },
    there: ['top/one'],
    gone: ['top/sub'],
  },
]

describe.each(SHELLS)('%s %s', (...words) => {
  const shell = words.filter(Boolean)
  it.each(CASES)('$name', async ({ args, want, there, gone }) => {
    expect((await runModule('unarchive', fill(args), { shell, check: true })).result).toMatchObject({ skipped: true })
    expect(readdirSync(`${dir}/out`)).toEqual([])
    expect((await runModule('unarchive', fill(args), { shell })).result).toMatchObject(fill(want))
    for (const path of there ?? []) expect([path, existsSync(`${dir}/out/${path}`)]).toEqual([path, true])
    for (const path of gone ?? []) expect([path, existsSync(`${dir}/out/${path}`)]).toEqual([path, false])
    if (args['mode']) expect(lstatSync(`${dir}/out/top/one`).mode & 0o777).toBe(0o750)
    expect((await runModule('unarchive', fill(args), { shell })).result).toMatchObject({ changed: false })
    if (there?.includes('top/one')) {
      writeFileSync(`${dir}/out/top/one`, 'other')
      expect((await runModule('unarchive', fill(args), { shell })).result).toMatchObject({ changed: true })
      expect(readFileSync(`${dir}/out/top/one`, 'utf8')).toBe('1\n')
    }
  })
})

const FAILURES: readonly [string, JsonObject, string][] = [
  ['no archive', { src: 'DIR/none', dest: 'DIR/out', remote_src: true }, "Source 'DIR/none' does not exist"],
  ['an empty one', { src: 'DIR/empty', dest: 'DIR/out', remote_src: true }, "Invalid archive 'DIR/empty', the file is 0 bytes"],
  ['no destination', { src: 'DIR/a.tar', dest: 'DIR/nowhere', remote_src: true }, "dest 'DIR/nowhere' must be an existing dir"],
]

it.each(FAILURES)('%s', async (_name, args, msg) => {
  writeFileSync(`${dir}/empty`, '')
  expect((await runModule('unarchive', fill(args))).result).toMatchObject({ failed: true, msg: fill(msg) })
})

it('creates', async () => {
  const { result } = await runModule('unarchive', fill({ src: 'DIR/a.tar', dest: 'DIR/out', creates: 'DIR/in' }))
  expect(result).toMatchObject({ skipped: true, msg: `skipped, since ${dir}/in exists` })
})
