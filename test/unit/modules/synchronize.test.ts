import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
import { runModule, SHELLS } from '../../harness/local-host.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tsspray-sync-'))
  mkdirSync(`${dir}/a/sub/empty`, { recursive: true })
  writeFileSync(`${dir}/a/one`, '1\n', { mode: 0o640 })
  writeFileSync(`${dir}/a/sub/two`, '2\n')
  symlinkSync('one', `${dir}/a/link`)
  utimesSync(`${dir}/a/one`, 1_600_000_000, 1_600_000_000)
  mkdirSync(`${dir}/b/old`, { recursive: true })
  writeFileSync(`${dir}/b/stray`, 's')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const controller = {
  write: async (path: string, bytes: Uint8Array, mode?: number): Promise<void> => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    if (mode !== undefined) (await import('node:fs')).chmodSync(path, mode)
  },
}

describe.each(['push', 'pull'])('%s', (mode) => {
  describe.each(SHELLS)('%s %s', (...words) => {
    const options = { shell: words.filter(Boolean), controller }
    const sync = async (args: JsonObject, check = false): Promise<JsonObject> =>
      (await runModule('synchronize', { mode, src: `${dir}/a/`, dest: `${dir}/b/`, ...args }, { ...options, check })).result

    it('a folder', async () => {
      expect(await sync({}, true)).toMatchObject({ changed: true })
      expect(existsSync(`${dir}/b/one`)).toBe(false)
      expect(await sync({})).toMatchObject({ changed: true, rc: 0 })
      expect(readFileSync(`${dir}/b/sub/two`, 'utf8')).toBe('2\n')
      expect(readlinkSync(`${dir}/b/link`)).toBe('one')
      expect(statSync(`${dir}/b/one`).mode & 0o777).toBe(0o640)
      expect(statSync(`${dir}/b/one`).mtimeMs).toBe(1_600_000_000_000)
      expect(existsSync(`${dir}/b/sub/empty`)).toBe(true)
      expect(existsSync(`${dir}/b/stray`)).toBe(true)
      expect(await sync({})).toMatchObject({ changed: false, stdout_lines: [] })
      writeFileSync(`${dir}/a/sub/two`, 'other')
      expect(await sync({})).toMatchObject({ changed: true })
      expect(readFileSync(`${dir}/b/sub/two`, 'utf8')).toBe('other')
    })

    it('removes and leaves out', async () => {
      expect(await sync({ delete: true, rsync_opts: ['--exclude=sub'] })).toMatchObject({ changed: true })
      expect(existsSync(`${dir}/b/stray`)).toBe(false)
      expect(existsSync(`${dir}/b/sub`)).toBe(false)
    })

    it('a lone file, and a folder with its name', async () => {
      await sync({ src: `${dir}/a/one`, dest: `${dir}/c` })
      expect(readFileSync(`${dir}/c`, 'utf8')).toBe('1\n')
      await sync({ src: `${dir}/a`, dest: `${dir}/d` })
      expect(readFileSync(`${dir}/d/a/one`, 'utf8')).toBe('1\n')
    })

    it('fails for what it cannot do', async () => {
      expect(await sync({ src: `${dir}/none` })).toMatchObject({ failed: true, rc: 23 })
      expect(await sync({ rsync_opts: ['--fuzzy'] })).toMatchObject({ failed: true })
    })
  })
})

describe('delegated to another machine', () => {
  const sync = (more: JsonObject, variables: Record<string, string> = {}, check = false) =>
    runModule(
      'synchronize',
      { src: `${dir}/a/`, dest: `${dir}/c/`, ...more },
      { delegate: 'there', check, controller: { variable: (name) => variables[name] } },
    )

  it('that is the host, its own rsync does it', async () => {
    expect((await sync({}, {}, true)).result).toMatchObject({ changed: true })
    expect(existsSync(`${dir}/c`)).toBe(false)
    const { result } = await sync({ rsync_opts: ["--exclude='two'"] })
    expect(result).toMatchObject({ changed: true, rc: 0 })
    expect(result['cmd']).toMatch(
      /^\/usr\/bin\/rsync --delay-updates -F --compress --archive --exclude=two --out-format='<<CHANGED>>%i %n%L' /,
    )
    expect(result['stdout_lines']).toContain('>f+++++++++ one')
    expect(existsSync(`${dir}/c/sub/two`)).toBe(false)
    expect((await sync({ rsync_opts: ["--exclude='two'"] })).result).toMatchObject({ changed: false, msg: '' })
  })

  it.each<[string, JsonObject, Record<string, string>, RegExp]>([
    [
      'a push',
      {},
      { inventory_hostname: 'h', ansible_host: '::1', ansible_port: '1', ansible_user: 'me' },
      /--rsh=.*Port=1 .* \S+\/a\/ '?me@\[::1\]:\S+\/c\/'?$/,
    ],
    [
      'a pull',
      { mode: 'pull' },
      { inventory_hostname: 'h', ansible_host: '127.0.0.1', ansible_port: '1' },
      / 127\.0\.0\.1:\S+\/a\/ \S+\/c\/$/,
    ],
    [
      'a user',
      { set_remote_user: false },
      { inventory_hostname: '127.0.0.1', ansible_port: '1', ansible_user: 'me' },
      / 127\.0\.0\.1:\S+\/c\/$/,
    ],
  ])('%s goes over its ssh to the host', async (_name, more, variables, cmd) => {
    const { result } = await sync(more, variables)
    expect(result).toMatchObject({ failed: true })
    expect(result['cmd']).toMatch(cmd)
  })
})
