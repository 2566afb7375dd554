import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runModule, SHELLS } from '../../harness/local-host.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tsspray-find-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const matched = async (shell: (typeof SHELLS)[number], args: Record<string, unknown>) => {
  const result = (await runModule('find', args as never, { shell })).result as unknown as { files: { path: string }[] }
  return result.files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).sort()
}

describe.each(SHELLS.map((shell) => ({ shell })))('find with contains in $shell', ({ shell }) => {
  it('reads more files than one batch holds, empty ones and one of megabytes among them', async () => {
    for (let i = 0; i < 620; i++) writeFileSync(join(dir, `f${i}`), i % 100 === 7 ? `x\nneedle ${i}\n` : i % 3 ? 'hay' : '')
    writeFileSync(join(dir, 'big'), `${`${'hay'.repeat(1000)}\n`.repeat(3000)}needle\n`)
    writeFileSync(join(dir, "it's a $name"), 'needle')
    expect(await matched(shell, { paths: dir, contains: 'needle' })).toEqual(
      ['f7', 'f107', 'f207', 'f307', 'f407', 'f507', 'f607', 'big', "it's a $name"].sort(),
    )
  })
  it('reads the files whose size the listing cannot tell', async () => {
    expect(await matched(shell, { paths: '/proc/net', patterns: 'dev', contains: '.*lo:', follow: true })).toEqual(['dev'])
  })
  it('passes over what is gone or closed', async () => {
    writeFileSync(join(dir, 'closed'), 'needle')
    writeFileSync(join(dir, 'open'), 'needle')
    chmodSync(join(dir, 'closed'), 0)
    expect(await matched(shell, { paths: dir, contains: 'needle' })).toEqual(process.getuid?.() === 0 ? ['closed', 'open'] : ['open'])
  })
})
