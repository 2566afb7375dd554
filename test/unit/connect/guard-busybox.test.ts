import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { guarded, guardWords } from '../../../src/connect/shell/guard.ts'

/** A folder with BusyBox's tools and no others. */
const tools = mkdtempSync(join(tmpdir(), 'busybox-'))
const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim()
for (const name of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).split('\n'))
  if (name !== '') symlinkSync(busybox, join(tools, name))
afterAll(() => rmSync(tools, { recursive: true, force: true }))

it('a guarded shell gets long input at once where all tools are BusyBox’s', { timeout: 20_000 }, async () => {
  const child = spawn(join(tools, 'sh'), ['-c', guarded.text], { env: { PATH: tools }, stdio: ['pipe', 'pipe', 'ignore'] })
  const said = new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))))
  child.stdin.write(guardWords())
  child.stdin.write(`: ${'x'.repeat(40_000)}\necho got it\n`)
  expect(await said).toBe('got it\n')
  child.stdin.end()
  await new Promise((resolve) => child.once('close', resolve))
})
