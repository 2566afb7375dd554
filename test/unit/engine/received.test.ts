/** Content that a change receives arrives as it is, in the frame or as a file; where it cannot be written, the old file stays and it is told why. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPool } from '../../../src/connect/index.ts'
import { perform } from '../../../src/engine/apply.ts'
import { freshFilesChange, installChange, readInstalled } from '../../../src/modules/files/install.ts'
import { sh, textOf } from '../../../src/remote/index.ts'
import { LOCAL } from '../../harness/local-endpoint.ts'

const dir = mkdtempSync(join(tmpdir(), 'received-'))
const pool = createPool({ home: dir })
const session = await pool.session(LOCAL)
await session.run(sh`:`)
afterAll(async () => {
  await pool.closeAll()
  rmSync(dir, { recursive: true, force: true })
})
const context = {
  check: false,
  diff: false,
  session: async () => session,
  become: undefined,
  env: new Map<string, string>(),
  signal: new AbortController().signal,
}
const missing = { exists: false, why: 'absent' } as const

const BYTES = [
  ['nothing', Buffer.alloc(0)],
  ['signs', Buffer.from('-n 100% \\n \\\\ it\'s "$HOME" `x` & sleep 1 &\n\t\r\0end')],
  ['words of all kinds', Buffer.from('ä € 𝄞\n\ufeff')],
  ['a number of zeros after a sign', Buffer.from("%0'0\\0&0")],
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
  ['much', Buffer.alloc(100_000, 'much ')],
] as const

describe('content', () => {
  it.each(BYTES)('of %s', async (name, bytes) => {
    const path = join(dir, name)
    const done = await perform(installChange({ path, now: missing, content: bytes, steps: [] }), context)
    expect(readInstalled(done, path).stat.exists).toBe(true)
    expect(readFileSync(path)).toEqual(bytes)
  })
  it('in one round trip where it is small', async () => {
    const { roundTrips } = session.meter
    await perform(installChange({ path: join(dir, 'one'), now: missing, content: Buffer.from('x'), steps: [] }), context)
    expect(session.meter.roundTrips - roundTrips).toBe(1)
  })
  it('of many files at once, each to its place, nothing else left', async () => {
    const folders = ['a', "b's"].map((name) => join(dir, name))
    for (const folder of folders) mkdirSync(folder)
    const files = folders.flatMap((folder) => BYTES.map(([name, content]) => ({ path: join(folder, name), content, steps: [] })))
    const done = await perform(freshFilesChange(files), context)
    expect([done.code, textOf(done.stderr)]).toEqual([0, ''])
    for (const { path, content } of files) expect(readFileSync(path)).toEqual(content)
    expect(statSync(files[0]!.path).mode & 0o777).toBe(0o666 & ~process.umask())
    expect(folders.flatMap((folder) => readdirSync(folder)).length).toBe(files.length)
  })
  it('that does not fit leaves what was there', async () => {
    const path = join(dir, 'full', 'f')
    mkdirSync(join(dir, 'full'))
    writeFileSync(path, 'old')
    // a limit of the shell's own stands for a disk that is full
    const change = installChange({ path, now: missing, content: Buffer.alloc(5000, 'x'), steps: [] })
    const done = await perform(
      {
        ...change,
        script: sh`trap '' XFSZ; ulimit -f 1
${change.script}`,
      },
      context,
    )
    expect(() => readInstalled(done, path)).toThrow(/could not write beside/)
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(readdirSync(join(dir, 'full'))).toEqual(['f'])
  })
})
