import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
import { runModule, SHELLS } from '../../harness/local-host.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tsspray-edit-'))
  chmodSync(dir, 0o755)
  mkdirSync(`${dir}/folder`)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const fill = (value: unknown): never => JSON.parse(JSON.stringify(value).replaceAll('DIR', dir)) as never

interface Case {
  readonly name: string
  readonly module: string
  /** the file before; undefined: none */
  readonly before?: string
  readonly args: JsonObject
  /** the file after; where absent it stays */
  readonly after?: string
  readonly want: JsonObject
  readonly second?: JsonObject
  readonly check?: JsonObject
}

const line = (
  name: string,
  before: string,
  args: JsonObject,
  after: string | undefined,
  want: JsonObject,
  more: Partial<Case> = {},
): Case => ({
  name: `lineinfile ${name}`,
  module: 'lineinfile',
  before,
  args,
  ...(after === undefined ? {} : { after }),
  want,
  ...more,
})

const LINES: readonly Case[] = [
  line('at the end of an open file', 'a\nb', { line: 'c' }, 'a\nb\nc\n', { changed: true, msg: 'line added', backup: '' }),
  line('is there', 'a\nb\n', { line: 'a' }, undefined, { changed: false, msg: '' }),
  line('last match', 'x=1\nx=2\n', { regexp: '^x=', line: 'x=3' }, 'x=1\nx=3\n', { changed: true, msg: 'line replaced' }),
  line('first match', 'x=1\nx=2\n', { regexp: '^x=', line: 'x=3', firstmatch: true }, 'x=3\nx=2\n', { changed: true }),
  line('backrefs', 'k = v\n', { regexp: '^(\\w+) = (.*)$', line: '\\1 := "\\2" \\g<1>', backrefs: true }, 'k := "v" k\n', {
    changed: true,
  }),
  line('backrefs without a match', 'k\n', { regexp: '^(z)$', line: '\\1', backrefs: true }, undefined, { changed: false }),
  line('after the last match', 'one\ntwo\none\n', { insertafter: '^one', line: 'new' }, 'one\ntwo\none\nnew\n', { changed: true }),
  line('before the last match', 'one\ntwo\none\nend\n', { insertbefore: '^one', line: 'new' }, 'one\ntwo\nnew\none\nend\n', {
    changed: true,
  }),
  line('at the beginning', 'one\n', { insertbefore: 'BOF', line: 'new' }, 'new\none\n', { changed: true }),
  line('literal text', 'a.c\nabc\n', { search_string: 'a.c', line: 'x' }, 'x\nabc\n', { changed: true }, { second: { changed: false } }),
  line('Windows line', 'a\r\nb\r\n', { regexp: '^a', line: 'aa' }, 'aa\nb\r\n', { changed: true }),
  line(
    'absent',
    'a\nb\na\n',
    { regexp: '^a', state: 'absent' },
    'b\n',
    { changed: true, found: 2, msg: '2 line(s) removed' },
    { second: { changed: false, found: 0 } },
  ),
  line('with a mode', 'a\n', { line: 'b', mode: '0600' }, 'a\nb\n', {
    changed: true,
    msg: 'line added and ownership, perms or SE linux context changed',
  }),
  line(
    'validation fails',
    'a\n',
    { line: 'b', validate: 'false %s' },
    undefined,
    { failed: true, msg: 'failed to validate: rc:1 error:' },
    { second: { failed: true }, check: { changed: true } },
  ),
  {
    name: 'lineinfile without a file',
    module: 'lineinfile',
    args: { line: 'b' },
    want: { failed: true, rc: 257 },
    second: { failed: true },
  },
  {
    name: 'lineinfile makes a file',
    module: 'lineinfile',
    args: { path: 'DIR/new/f', line: 'b', create: true, mode: '0600' },
    want: { changed: true },
  },
  {
    name: 'lineinfile on a folder',
    module: 'lineinfile',
    args: { path: 'DIR/folder', line: 'b' },
    want: { failed: true, rc: 256, msg: 'Path DIR/folder is a directory !' },
    second: { failed: true },
  },
]

const REPLACES: readonly Case[] = [
  {
    name: 'replace all',
    module: 'replace',
    before: 'a1\na2\n',
    args: { regexp: 'a(\\d)', replace: 'b\\1\\g<0>' },
    after: 'b1a1\nb2a2\n',
    want: { changed: true, msg: '2 replacements made', rc: 0 },
    second: { changed: true },
  },
  {
    name: 'replace at line ends',
    module: 'replace',
    before: 'x\ny\n',
    args: { regexp: '^(.+)$', replace: '<\\1>' },
    after: '<x>\n<y>\n',
    want: { changed: true },
    second: { changed: true },
  },
  {
    name: 'replace between',
    module: 'replace',
    before: 'a\n<s>\na\n<e>\na\n',
    args: { regexp: 'a', replace: 'b', after: '<s>', before: '<e>' },
    after: 'a\n<s>\nb\n<e>\na\n',
    want: { changed: true, msg: '1 replacements made' },
  },
  {
    name: 'replace after nothing',
    module: 'replace',
    before: 'a\n',
    args: { regexp: 'a', replace: 'b', after: 'zz' },
    want: { changed: false, msg: 'Pattern for before/after params did not match the given file: zz(?P<subsection>.*)' },
  },
  { name: 'replace keeps bytes', module: 'replace', before: 'é\xff x\n', args: { regexp: 'x', replace: 'y' }, want: { changed: true } },
  {
    name: 'replace with a wrong pattern',
    module: 'replace',
    before: 'a\n',
    args: { regexp: '(', replace: 'y' },
    want: { failed: true },
    second: { failed: true },
  },
]

const BLOCK = '# BEGIN ANSIBLE MANAGED BLOCK\none\ntwo\n# END ANSIBLE MANAGED BLOCK\n'
const BLOCKS: readonly Case[] = [
  {
    name: 'a block at the end',
    module: 'blockinfile',
    before: 'a',
    args: { block: 'one\ntwo' },
    after: `a\n${BLOCK}`,
    want: { changed: true, msg: 'Block inserted' },
  },
  {
    name: 'a block at the beginning',
    module: 'blockinfile',
    before: 'a\n',
    args: { block: 'one\ntwo\n', insertbefore: 'BOF' },
    after: `${BLOCK}a\n`,
    want: { changed: true },
  },
  {
    name: 'a block after a line',
    module: 'blockinfile',
    before: 'a\nb\n',
    args: { block: 'one\ntwo', insertafter: '^a' },
    after: `a\n${BLOCK}b\n`,
    want: { changed: true },
  },
  {
    name: 'a block replaced',
    module: 'blockinfile',
    before: `a\n${BLOCK}b\n`,
    args: { block: 'three' },
    after: 'a\n# BEGIN ANSIBLE MANAGED BLOCK\nthree\n# END ANSIBLE MANAGED BLOCK\nb\n',
    want: { changed: true },
  },
  {
    name: 'a block removed',
    module: 'blockinfile',
    before: `a\n${BLOCK}b\n`,
    args: { state: 'absent' },
    after: 'a\nb\n',
    want: { changed: true, msg: 'Block removed' },
  },
  {
    name: 'a block with blank lines around',
    module: 'blockinfile',
    before: 'a\nb\n',
    args: { block: 'one\ntwo', insertafter: '^a', prepend_newline: true, append_newline: true },
    after: `a\n\n${BLOCK}\nb\n`,
    want: { changed: true },
  },
  {
    name: 'a block with its own marks',
    module: 'blockinfile',
    before: '',
    args: { block: 'x', marker: '; {mark} y', marker_begin: 'A', marker_end: 'Z' },
    after: '; A y\nx\n; Z y\n',
    want: { changed: true },
  },
]

const INI = '; top\nglobal = 1\n\n[one]\na = 1\n# c = 3\n\n[two]\nx = 1\nx = 2\n'
const INIS: readonly Case[] = [
  {
    name: 'ini: an option',
    module: 'ini_file',
    before: INI,
    args: { section: 'one', option: 'a', value: '2' },
    after: INI.replace('a = 1', 'a = 2'),
    want: { changed: true, msg: 'option changed' },
  },
  {
    name: 'ini: a commented option',
    module: 'ini_file',
    before: INI,
    args: { section: 'one', option: 'c', value: '3' },
    after: INI.replace('# c = 3', 'c = 3'),
    want: { changed: true },
  },
  {
    name: 'ini: a new option',
    module: 'ini_file',
    before: INI,
    args: { section: 'one', option: 'n', value: 'v', no_extra_spaces: true },
    after: INI.replace('a = 1\n', 'a = 1\nn=v\n'),
    want: { changed: true, msg: 'option added' },
  },
  {
    name: 'ini: a new section',
    module: 'ini_file',
    before: INI,
    args: { section: 'three', option: 'z', value: 'q' },
    after: `${INI}[three]\nz = q\n`,
    want: { changed: true, msg: 'section and option added' },
  },
  {
    name: 'ini: several values',
    module: 'ini_file',
    before: INI,
    args: { section: 'two', option: 'x', values: ['2', '5'] },
    after: INI.replace('x = 1\nx = 2', 'x = 5\nx = 2'),
    want: { changed: true },
  },
  {
    name: 'ini: no section',
    module: 'ini_file',
    before: INI,
    args: { option: 'global', value: '2' },
    after: INI.replace('global = 1', 'global = 2'),
    want: { changed: true },
  },
  {
    name: 'ini: a section removed',
    module: 'ini_file',
    before: INI,
    args: { section: 'one', state: 'absent' },
    after: '; top\nglobal = 1\n\n[two]\nx = 1\nx = 2\n',
    want: { changed: true, msg: 'section removed' },
  },
  {
    name: 'ini: a new file',
    module: 'ini_file',
    args: { section: 's', option: 'k', value: 'v', mode: '0640' },
    after: '\n[s]\nk = v\n',
    want: { changed: true, mode: '0640', state: 'file' },
  },
]

describe.each(SHELLS)('%s %s', (...words) => {
  const shell = words.filter(Boolean)
  it.each([...LINES, ...REPLACES, ...BLOCKS, ...INIS])('$name', async ({ module, before, args, after, want, second, check }) => {
    const path = `${dir}/f`
    if (before !== undefined) writeFileSync(path, before, { mode: 0o644, encoding: before.includes('\xff') ? 'latin1' : 'utf8' })
    const given = fill({ path, ...args })
    const old = before === undefined ? undefined : readFileSync(path)
    const checked = await runModule(module, given, { shell, check: true })
    if (old) expect(readFileSync(path).equals(old)).toBe(true)
    expect(checked.result).toMatchObject(
      check ?? { changed: (want['changed'] ?? false) as boolean, failed: (want['failed'] ?? false) as boolean },
    )
    expect((await runModule(module, given, { shell })).result).toMatchObject(fill(want))
    const kept = after ?? (want['changed'] ? undefined : before)
    if (kept !== undefined) expect(readFileSync(path, 'utf8')).toBe(kept)
    expect((await runModule(module, given, { shell })).result).toMatchObject(second ?? { changed: false, failed: false })
  })
})

it('bytes that are no text stay as they are', async () => {
  writeFileSync(`${dir}/f`, Buffer.from([0xc3, 0xa9, 0xff, 0x20, 0x78, 0x0a]))
  await runModule('replace', { path: `${dir}/f`, regexp: 'x', replace: 'y' })
  expect([...readFileSync(`${dir}/f`)]).toEqual([0xc3, 0xa9, 0xff, 0x20, 0x79, 0x0a])
  await runModule('lineinfile', { path: `${dir}/f`, line: 'é' })
  expect([...readFileSync(`${dir}/f`)]).toEqual([0xc3, 0xa9, 0xff, 0x20, 0x79, 0x0a, 0xc3, 0xa9, 0x0a])
})

it('a link keeps leading to its file, and the file its mode', async () => {
  writeFileSync(`${dir}/real`, 'a\n')
  chmodSync(`${dir}/real`, 0o604)
  symlinkSync('real', `${dir}/f`)
  const { result } = await runModule('lineinfile', { path: `${dir}/f`, line: 'b', backup: true })
  expect(readFileSync(`${dir}/real`, 'utf8')).toBe('a\nb\n')
  expect(statSync(`${dir}/real`).mode & 0o777).toBe(0o604)
  expect(readFileSync(String(result['backup']), 'utf8')).toBe('a\n')
})
