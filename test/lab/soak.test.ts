/** The soak in its short form: `npm run soak` is the long one. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('tasks on many light hosts while random ones are cut and healed', { timeout: 120_000 }, () => {
  const env = { SOAK_HOSTS: '8', SOAK_TASKS: '25', SOAK_ROUNDS: '2', SOAK_SILENCE: '40', ...process.env }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'soak.mjs')], { env, encoding: 'utf8' })
  console.log(stdout)
  expect(stdout + stderr).not.toContain('WRONG')
  expect(status).toBe(0)
})
