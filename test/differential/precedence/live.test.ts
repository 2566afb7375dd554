/**
 * Fresh playbooks, run now by the ansible-core 2.18 at hand and by this engine.
 * ANSIBLE_PYTHON: a Python that has it; LIVE_SEED and LIVE_COUNT choose the playbooks; LIVE_RECORD=1 records them anew for the other test.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Recorded, writeRecorded } from './recording.ts'
import { runSeed } from './run.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')
const python = process.env['ANSIBLE_PYTHON'] ?? '/usr/bin/python3'
const seed = Number(process.env['LIVE_SEED'] ?? 1000)
const count = Number(process.env['LIVE_COUNT'] ?? 5)
const release = spawnSync(python, ['-c', 'import ansible.release; print(ansible.release.__version__)'], { encoding: 'utf8' })
const isReference = release.status === 0 && /^2\.18\./.test(release.stdout)

it.skipIf(!isReference)(
  `${count} playbooks from seed ${seed} (needs ansible-core 2.18, see ANSIBLE_PYTHON)`,
  { timeout: 3_600_000 },
  () => {
    const recorded: Recorded[] = []
    for (let at = seed; at < seed + count; at++) {
      const parts = runSeed(at, [python, '-m', 'ansible', 'playbook'])
      recorded.push({ seed: at, parts })
      if (process.env['LIVE_RECORD'] !== '1') expect(runSeed(at, [process.execPath, MAIN])).toEqual(parts)
    }
    if (process.env['LIVE_RECORD'] === '1') writeRecorded(recorded)
  },
)
