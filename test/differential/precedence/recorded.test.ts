/** Who wins among all levels of variables: generated playbooks with what ansible-core 2.18 printed for them. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRecorded } from './recording.ts'
import { runSeed } from './run.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')

describe('the variable that Ansible sees is the one that is seen here', () => {
  for (const { seed, parts } of readRecorded()) {
    it(`seed ${seed}`, () => {
      expect(runSeed(seed, [process.execPath, MAIN])).toEqual(parts)
    })
  }
})
