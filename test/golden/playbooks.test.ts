/** Small playbooks with what ansible-core 2.18 printed for them: the same plays, tasks, statuses, recap, exit codes and files. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { meaning, runCase } from './transcript.ts'

const FOLDER = join(import.meta.dirname, 'playbooks')

describe.concurrent('playbooks as ansible-core 2.18 runs them', () => {
  for (const name of readdirSync(FOLDER).sort()) {
    it(name, { timeout: 120_000 }, () => {
      const wanted = meaning(readFileSync(join(FOLDER, name, 'expected.txt'), 'utf8'))
      expect(meaning(runCase(join(FOLDER, name)))).toEqual(wanted)
    })
  }
})
