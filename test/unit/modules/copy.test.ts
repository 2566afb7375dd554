import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
import type { Controller } from '../../../src/modules/index.ts'
import { runModule, SHELLS } from '../../harness/local-host.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tsspray-copy-'))
  chmodSync(dir, 0o755)
  mkdirSync(`${dir}/local/tree/sub/empty`, { recursive: true })
  mkdirSync(`${dir}/local/single`)
  writeFileSync(`${dir}/local/single/f`, 'f\n')
  writeFileSync(`${dir}/local/hello`, 'hello\n', { mode: 0o755 })
  writeFileSync(`${dir}/local/tree/one`, '1\n', { mode: 0o600 })
  writeFileSync(`${dir}/local/tree/sub/with space`, '2\n')
  mkdirSync(`${dir}/there/sub`, { recursive: true })
  mkdirSync(`${dir}/rsrc/sub`, { recursive: true })
  writeFileSync(`${dir}/rsrc/one`, 'one\n', { mode: 0o600 })
  writeFileSync(`${dir}/rsrc/sub/two`, 'two\n')
  symlinkSync('one', `${dir}/rsrc/ln`)
  writeFileSync(`${dir}/have`, 'old\n')
  chmodSync(`${dir}/have`, 0o604)
  symlinkSync('have', `${dir}/lnk`)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const walk: Controller['walk'] = async (path, options) => {
  const out: { path: string; kind: 'file' | 'directory' | 'link'; target?: string; mode: number }[] = []
  const below = (folder: string): void => {
    for (const name of readdirSync(`${path}/${folder}`).sort()) {
      const rel = folder ? `${folder}/${name}` : name
      const stat = lstatSync(`${path}/${rel}`)
      if (stat.isSymbolicLink() && !options?.followLinks)
        out.push({ path: rel, kind: 'link', target: readlinkSync(`${path}/${rel}`), mode: 0o777 })
      else if (stat.isDirectory()) {
        out.push({ path: rel, kind: 'directory', mode: stat.mode & 0o7777 })
        below(rel)
      } else out.push({ path: rel, kind: 'file', mode: stat.mode & 0o7777 })
    }
  }
  below('')
  return out
}

interface Case {
  readonly name: string
  readonly module?: string
  readonly args: JsonObject
  readonly want: JsonObject
  readonly second?: JsonObject
  readonly check?: JsonObject
  /** paths with their content, `mode` or link target afterwards */
  readonly tree?: Readonly<Record<string, string>>
}

const CASES: readonly Case[] = [
  {
    name: 'content',
    args: { content: 'no newline', dest: 'DIR/c', mode: '0600' },
    want: {
      changed: true,
      dest: 'DIR/c',
      checksum: 'b59d4a519b27a41382e809148ffaba554b722757',
      md5sum: 'f987902b9cd833463c4dd0f5ebf6bd86',
      mode: '0600',
      size: 10,
      state: 'file',
    },
    tree: { c: 'no newline' },
  },
  {
    name: 'content of a mapping',
    args: { content: { b: 1, a: [true, null, 'x'] }, dest: 'DIR/c' },
    want: { changed: true, mode: '0644' },
    tree: { c: '{"b": 1, "a": [true, null, "x"]}' },
  },
  { name: 'content of a boolean', args: { content: true, dest: 'DIR/c' }, want: { changed: true }, tree: { c: 'True' } },
  {
    name: 'content to a missing parent',
    args: { content: 'x', dest: 'DIR/none/c' },
    want: { failed: true, msg: 'Destination directory DIR/none does not exist', checksum: '11f6ad8ec52a2984abaafd7c3b516503785c2072' },
    second: { failed: true },
    check: { changed: true },
  },
  {
    name: 'content to a folder',
    args: { content: 'x', dest: 'DIR/there' },
    want: { failed: true, msg: 'can not use content with a dir as dest' },
    second: { failed: true },
  },
  {
    name: 'a file into a folder',
    args: { src: 'DIR/local/hello', dest: 'DIR/there' },
    want: { changed: true, dest: 'DIR/there/hello', mode: '0644' },
    tree: { 'there/hello': 'hello\n' },
  },
  {
    name: 'a file to a missing folder',
    args: { src: 'DIR/local/hello', dest: 'DIR/made/too/', directory_mode: '0711' },
    want: { changed: true, dest: 'DIR/made/too/hello' },
    tree: { 'made/too/hello': 'hello\n', made: '711', 'made/too': '711' },
  },
  { name: 'mode preserve', args: { src: 'DIR/local/hello', dest: 'DIR/h', mode: 'preserve' }, want: { changed: true, mode: '0755' } },
  {
    name: 'the old mode is kept',
    args: { content: 'new\n', dest: 'DIR/have', backup: true },
    want: { changed: true, mode: '0604' },
    tree: { have: 'new\n' },
  },
  {
    name: 'force no',
    args: { content: 'new\n', dest: 'DIR/have', force: false },
    want: { changed: false, dest: 'DIR/have' },
    tree: { have: 'old\n' },
  },
  {
    name: 'only a mode',
    args: { content: 'old\n', dest: 'DIR/have', mode: 'g+r' },
    want: { changed: true, path: 'DIR/have', dest: 'DIR/have', mode: '0644' },
  },
  {
    name: 'over a link',
    args: { content: 'x', dest: 'DIR/lnk' },
    want: { changed: true, dest: 'DIR/lnk', state: 'file' },
    tree: { have: 'old\n', lnk: 'x' },
  },
  {
    name: 'through a link',
    args: { content: 'x', dest: 'DIR/lnk', follow: true },
    want: { changed: true, dest: 'DIR/have' },
    tree: { have: 'x', lnk: '-> have' },
  },
  { name: 'validate passes', args: { content: 'true\n', dest: 'DIR/s', validate: 'sh -n %s' }, want: { changed: true } },
  {
    name: 'validate fails',
    args: { content: 'if\n', dest: 'DIR/have', validate: 'sh -n %s' },
    want: { failed: true, msg: 'failed to validate', exit_status: 2 },
    second: { failed: true },
    check: { changed: true },
    tree: { have: 'old\n' },
  },
  {
    name: 'validate without a place',
    args: { content: 'x', dest: 'DIR/have', validate: 'true' },
    want: { failed: true, msg: 'validate must contain %s: true' },
    second: { failed: true },
    check: { changed: true },
  },
  {
    name: 'a tree',
    args: { src: 'DIR/local/tree', dest: 'DIR/t', mode: '0640', directory_mode: '0751' },
    want: { changed: true, dest: 'DIR/t/', src: 'DIR/local/tree' },
    tree: { t: '751', 't/tree': '751', 't/tree/sub/empty': '751', 't/tree/one': '1\n', 't/tree/sub/with space': '2\n' },
  },
  {
    name: "a tree's content",
    args: { src: 'DIR/local/tree/', dest: 'DIR/t', mode: 'preserve' },
    want: { changed: true, dest: 'DIR/t/', src: 'DIR/local/tree/' },
    tree: { 't/one': '1\n', 't/sub/empty': '755' },
  },
  {
    name: 'a tree of one file',
    args: { src: 'DIR/local/single/', dest: 'DIR/t' },
    want: { changed: true, dest: 'DIR/t/f', state: 'file' },
    tree: { 't/f': 'f\n' },
  },
  {
    name: 'a remote file',
    args: { src: 'DIR/rsrc/one', dest: 'DIR/r', remote_src: true },
    want: { changed: true, dest: 'DIR/r', src: 'DIR/rsrc/one', mode: '0644', md5sum: '5bbf5a52328e7439ae6e719dfe712200' },
    tree: { r: 'one\n' },
  },
  {
    name: 'a remote file with its mode',
    args: { src: 'DIR/rsrc/one', dest: 'DIR/r', remote_src: true, mode: 'preserve' },
    want: { changed: true, mode: '0600' },
  },
  {
    name: 'a remote file with a wrong checksum',
    args: { src: 'DIR/rsrc/one', dest: 'DIR/r', remote_src: true, checksum: '0' },
    want: { failed: true, expected_checksum: '0' },
    second: { failed: true },
  },
  {
    name: 'a remote folder',
    args: { src: 'DIR/rsrc', dest: 'DIR/r3', remote_src: true },
    want: { changed: true, dest: 'DIR/r3', checksum: null, state: 'directory' },
    second: { changed: true },
    tree: { 'r3/rsrc/one': 'one\n', 'r3/rsrc/sub/two': 'two\n' },
  },
  {
    name: "a remote folder's content",
    args: { src: 'DIR/rsrc/', dest: 'DIR/r4/', remote_src: true, directory_mode: '0700', mode: '0604' },
    want: { changed: true, dest: 'DIR/r4/', mode: '0604' },
    second: { changed: true },
    tree: { r4: '604', 'r4/sub': '755', 'r4/sub/two': 'two\n' },
  },
  {
    name: 'a template',
    module: 'template',
    args: { src: 'DIR/local/hello', dest: 'DIR/there/', mode: '0640' },
    want: { changed: true, dest: 'DIR/there/hello', mode: '0640' },
  },
]

const fill = (value: unknown): never => JSON.parse(JSON.stringify(value).replaceAll('DIR', dir)) as never

describe.each(SHELLS)('%s %s', (...words) => {
  const shell = words.filter(Boolean)
  it.each(CASES)('$name', async ({ module = 'copy', args, want, second, check, tree }) => {
    const options = { shell, controller: { walk } }
    const before = snapshot()
    const checked = await runModule(module, fill(args), { ...options, check: true })
    expect(snapshot()).toEqual(before)
    expect(checked.result).toMatchObject(
      check ?? { changed: (want['changed'] ?? false) as boolean, failed: (want['failed'] ?? false) as boolean },
    )
    expect((await runModule(module, fill(args), options)).result).toMatchObject(fill(want))
    for (const [path, content] of Object.entries(tree ?? {})) expect([path, told(`${dir}/${path}`)]).toEqual([path, content])
    expect((await runModule(module, fill(args), options)).result).toMatchObject(second ?? { changed: false, failed: false })
    expect(readdirSync(dir).filter((n) => n.startsWith('.ansible-tmp-'))).toEqual([])
  })
})

function told(path: string): string {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`
  return stat.isDirectory() ? (stat.mode & 0o7777).toString(8) : readFileSync(path, 'utf8')
}

function snapshot(): string[] {
  const all = (path: string): string[] => {
    const stat = lstatSync(path)
    const line = `${path} ${stat.mode} ${stat.mtimeMs}`
    return stat.isDirectory() ? [line, ...readdirSync(path).flatMap((n) => all(`${path}/${n}`))] : [line]
  }
  return all(dir)
}

it('shows the difference', async () => {
  const { result } = await runModule('copy', { content: 'new\n', dest: `${dir}/have` }, { diff: true, check: true })
  expect(result['diff']).toEqual([{ before: 'old\n', after: 'new\n', before_header: `${dir}/have`, after_header: `${dir}/have` }])
})
