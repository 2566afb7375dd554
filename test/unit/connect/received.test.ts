import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { afterReceiving, createPool, requireReceived, smallContent, TransferFailed } from '../../../src/connect/index.ts'
import { sh, textOf } from '../../../src/remote/index.ts'
import { LOCAL } from '../../harness/local-endpoint.ts'

const dir = mkdtempSync(join(tmpdir(), 'received-'))
const pool = createPool({ home: dir })
const session = await pool.session(LOCAL)
// its shell is there before anything is counted
await session.run(sh`:`)
afterAll(async () => {
  await pool.closeAll()
  rmSync(dir, { recursive: true, force: true })
})

const BYTES = [
  ['nothing', Buffer.alloc(0)],
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
  ['lines without an end', Buffer.from("it's\nEOF\n-n %s \\ `x` $(y)")],
] as const

describe('a script with its upload in the same frame', () => {
  it.each(BYTES)('gets %s, and no input', async (name, bytes) => {
    const path = join(dir, `it's ${name}`)
    const { roundTrips } = session.meter
    const output = await session.run(afterReceiving(path, sh`set -- ${path}; wc -c <"$1"; cat; exit 3`), { stdin: bytes })
    expect([output.code, textOf(output.stdout).trim()]).toEqual([3, String(bytes.length)])
    expect(session.meter.roundTrips - roundTrips).toBe(1)
    expect(readFileSync(path)).toEqual(bytes)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
  it('does not run where the upload cannot be written', async () => {
    const path = join(dir, 'no folder/x')
    const output = await session.run(afterReceiving(path, sh`echo ran`), { stdin: Buffer.from('x') })
    expect(() => requireReceived('here', path, output)).toThrow(TransferFailed)
  })
  it('does not write through a file that is there', async () => {
    const path = join(dir, 'there')
    writeFileSync(path, 'old')
    const output = await session.run(afterReceiving(path, sh`echo ran`), { stdin: Buffer.from('new') })
    expect(() => requireReceived('here', path, output)).toThrow(TransferFailed)
  })
  it('is for small content alone', async () => {
    writeFileSync(join(dir, 'small'), 'x')
    expect(await smallContent('here', { localPath: join(dir, 'small') })).toEqual(Buffer.from('x'))
    expect(await smallContent('here', Buffer.alloc(100_000))).toBeUndefined()
  })
})
