import { chmodSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
import { runModule, SHELLS } from '../../harness/local-host.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tsspray-file-'))
  chmodSync(dir, 0o755)
  mkdirSync(`${dir}/full/sub`, { recursive: true })
  writeFileSync(`${dir}/full/x`, 'x', { mode: 0o644 })
  writeFileSync(`${dir}/one`, 'one\n', { mode: 0o644 })
  symlinkSync('one', `${dir}/lnk`)
  symlinkSync('full', `${dir}/dlnk`)
  symlinkSync('gone', `${dir}/dangling`)
  mkdirSync(`${dir}/empty`)
  writeFileSync(`${dir}/h1`, '')
  linkSync(`${dir}/h1`, `${dir}/h2`)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

interface Case {
  readonly name: string
  readonly args: JsonObject
  readonly want: JsonObject
  /** of a second run; ok where absent */
  readonly second?: JsonObject
  readonly check?: JsonObject
}

const fill = (value: unknown): never => JSON.parse(JSON.stringify(value).replaceAll('DIR', dir)) as never

const CASES: readonly Case[] = [
  {
    name: 'a new directory',
    args: { path: 'DIR/a/b', state: 'directory', mode: '0750' },
    want: { changed: true, path: 'DIR/a/b', state: 'directory', mode: '0750' },
    check: { changed: true },
  },
  {
    name: 'mode of a file',
    args: { path: 'DIR/one', mode: '0600' },
    want: {
      changed: true,
      mode: '0600',
      state: 'file',
      size: 4,
      path: 'DIR/one',
      diff: { before: { mode: '0644', path: 'DIR/one' }, after: { mode: '0600', path: 'DIR/one' } },
    },
  },
  { name: 'five digits', args: { path: 'DIR/empty', mode: '03775' }, want: { changed: true, mode: '03775' } },
  { name: 'symbolic clauses', args: { path: 'DIR/one', mode: 'u+x,g=u,o-r' }, want: { changed: true, mode: '0770' } },
  { name: 'X on a directory', args: { path: 'DIR/empty', mode: 'u=rwX,go=rX' }, want: { changed: false, mode: '0755' } },
  {
    name: 'a wrong mode',
    args: { path: 'DIR/one', mode: 'u?x' },
    want: { failed: true, msg: 'mode must be in octal or symbolic form' },
    second: { failed: true },
  },
  { name: 'a mode as number', args: { path: 'DIR/one', mode: 0o640 }, want: { changed: true, mode: '0640' } },
  {
    name: 'touch new',
    args: { path: 'DIR/new', state: 'touch', mode: 'u+x,g-w' },
    want: { changed: true, dest: 'DIR/new', mode: '0744', state: 'file', size: 0 },
    second: { changed: true },
    check: { changed: true },
  },
  {
    name: 'touch preserving',
    args: { path: 'DIR/one', state: 'touch', modification_time: 'preserve', access_time: 'preserve' },
    want: { changed: false, dest: 'DIR/one' },
  },
  {
    name: 'touch at a time',
    args: { path: 'DIR/one', state: 'touch', modification_time: '202001020304.05', access_time: '202001020304.05' },
    want: { changed: true },
  },
  {
    name: 'touch below nothing',
    args: { path: 'DIR/none/x', state: 'touch' },
    want: { failed: true, path: 'DIR/none/x', msg: "Error, could not touch target: [Errno 2] No such file or directory: b'DIR/none/x'" },
    second: { failed: true },
    check: { changed: true },
  },
  {
    name: 'a link',
    args: { path: 'DIR/l', src: 'one', state: 'link' },
    want: { changed: true, dest: 'DIR/l', src: 'one', state: 'link', mode: '0777' },
    check: { changed: true },
  },
  {
    name: 'a link that is there',
    args: { path: 'DIR/lnk', src: 'one', state: 'link' },
    want: { changed: false, dest: 'DIR/lnk', state: 'link' },
  },
  { name: 'a link to another', args: { path: 'DIR/lnk', src: 'h1', state: 'link' }, want: { changed: true, src: 'h1' } },
  { name: 'a link to a folder replaced', args: { path: 'DIR/dlnk', src: 'empty', state: 'link' }, want: { changed: true, src: 'empty' } },
  {
    name: 'a link to nothing',
    args: { path: 'DIR/l', src: 'nope', state: 'link' },
    want: { failed: true, msg: 'src file does not exist, use "force=yes" if you really want to create the link: DIR/nope' },
    second: { failed: true },
  },
  { name: 'a forced link to nothing', args: { path: 'DIR/l', src: 'nope', state: 'link', force: true }, want: { changed: true } },
  {
    name: 'a link over a file',
    args: { path: 'DIR/one', src: 'h1', state: 'link' },
    want: { failed: true, msg: 'refusing to convert from file to symlink for DIR/one', state: 'file' },
    second: { failed: true },
  },
  {
    name: 'a forced link over a file',
    args: { path: 'DIR/one', src: 'h1', state: 'link', force: true },
    want: { changed: true, state: 'link' },
  },
  {
    name: 'a forced link over a full folder',
    args: { path: 'DIR/full', src: 'h1', state: 'link', force: true },
    want: { failed: true },
    second: { failed: true },
  },
  {
    name: 'a forced link over an empty folder',
    args: { path: 'DIR/empty', src: 'one', state: 'link', force: true },
    want: { changed: true, state: 'link' },
    second: { failed: false },
  },
  { name: 'a hard link', args: { path: 'DIR/h', src: 'DIR/one', state: 'hard' }, want: { changed: true, dest: 'DIR/h', state: 'hard' } },
  { name: 'a hard link that is there', args: { path: 'DIR/h2', src: 'DIR/h1', state: 'hard' }, want: { changed: false } },
  { name: 'absent file', args: { path: 'DIR/one', state: 'absent' }, want: { changed: true, path: 'DIR/one', state: 'absent' } },
  { name: 'absent folder', args: { path: 'DIR/full', state: 'absent' }, want: { changed: true, state: 'absent' } },
  { name: 'absent link keeps its target', args: { path: 'DIR/dlnk', state: 'absent' }, want: { changed: true } },
  { name: 'absent dangling link', args: { path: 'DIR/dangling', state: 'absent' }, want: { changed: true } },
  {
    name: 'absent below a file',
    args: { path: 'DIR/one/x', state: 'absent' },
    want: { changed: false, state: 'absent', path: 'DIR/one/x' },
  },
  {
    name: 'directory below a file',
    args: { path: 'DIR/one/x', state: 'directory' },
    want: {
      failed: true,
      path: 'DIR/one/x',
      msg: "There was an issue creating DIR/one/x as requested: [Errno 20] Not a directory: b'DIR/one/x'",
    },
    second: { failed: true },
    check: { changed: true },
  },
  {
    name: 'directory through a link',
    args: { path: 'DIR/dlnk', state: 'directory', mode: '0711' },
    want: { changed: true, path: 'DIR/full', mode: '0711', state: 'directory' },
  },
  {
    name: 'directory over a link',
    args: { path: 'DIR/dlnk', state: 'directory', follow: false },
    want: { failed: true, state: 'link', msg: 'DIR/dlnk already exists as a link' },
    second: { failed: true },
  },
  {
    name: 'file that is missing',
    args: { path: 'DIR/none', state: 'file' },
    want: { failed: true, state: 'absent', msg: 'file (DIR/none) is absent, cannot continue' },
    second: { failed: true },
  },
  { name: 'recursively', args: { path: 'DIR/full', state: 'directory', mode: 'u=rwX,g=rX,o=', recurse: true }, want: { changed: true } },
  {
    name: 'an unknown owner',
    args: { path: 'DIR/one', owner: 'nobodyhere' },
    want: { failed: true, msg: 'chown failed: failed to look up user nobodyhere' },
    second: { failed: true },
  },
  {
    name: 'owner and group by name',
    args: { path: 'DIR/one', owner: 'root', group: 'daemon' },
    want: { changed: true, owner: 'root', group: 'daemon', gid: 1 },
  },
  {
    name: 'owner and group by number',
    args: { path: 'DIR/one', owner: '12345', group: 54321 },
    want: { changed: true, owner: '12345', uid: 12345, gid: 54321, group: '54321' },
  },
]

describe.each(SHELLS)('%s %s', (...words) => {
  const shell = words.filter(Boolean)
  it.each(CASES)('$name', async ({ args, want, second, check }) => {
    const before = snapshot()
    const checked = await runModule('file', fill(args), { shell, check: true })
    expect(snapshot()).toEqual(before)
    expect(checked.result).toMatchObject(
      check ?? { changed: (want['changed'] ?? false) as boolean, failed: (want['failed'] ?? false) as boolean },
    )
    expect((await runModule('file', fill(args), { shell })).result).toMatchObject(fill(want))
    expect((await runModule('file', fill(args), { shell })).result).toMatchObject(second ?? { changed: false, failed: false })
  })
})

function snapshot(): string[] {
  const walk = (path: string): string[] => {
    const stat = lstatSync(path)
    const line = `${path} ${stat.mode} ${stat.uid} ${stat.mtimeMs} ${stat.isSymbolicLink() ? readlinkSync(path) : ''}`
    return stat.isDirectory() ? [line, ...readdir(path).flatMap((n) => walk(`${path}/${n}`))] : [line]
  }
  return walk(dir)
}

import { readdirSync } from 'node:fs'

const readdir = (path: string): string[] => readdirSync(path).sort()

it('recursion reaches everything', async () => {
  await runModule('file', { path: `${dir}/full`, state: 'directory', mode: 'u=rwX,g=rX,o=', recurse: true })
  expect(statSync(`${dir}/full/sub`).mode & 0o7777).toBe(0o750)
  expect(statSync(`${dir}/full/x`).mode & 0o7777).toBe(0o640)
})

it('checks folders in folders for an owner who is yet to be', async () => {
  const args = { path: `${dir}/not/yet`, state: 'directory', owner: 'nobody-yet', mode: '0750' }
  expect((await runModule('file', args, { check: true })).result).toMatchObject({ changed: true, failed: false })
})
