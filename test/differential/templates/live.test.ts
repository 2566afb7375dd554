/**
 * A sample of the corpus and freshly generated expressions, rendered now by the ansible-core at hand and by this engine.
 * ANSIBLE_PYTHON: a Python that has ansible-core 2.18; LIVE_SEED and LIVE_COUNT choose the expressions.
 */
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { randomFrom } from '../../unit/template/random.ts'
import { differences, here } from './compare.ts'
import { type Recorded, readRecorded } from './engine.ts'
import { generatedTemplates } from './generated.ts'
import { gaveUp, SKIPPED } from './skip.ts'

const python = process.env['ANSIBLE_PYTHON'] ?? 'python3'
const seed = Number(process.env['LIVE_SEED'] ?? 7)
const count = Number(process.env['LIVE_COUNT'] ?? 300)
const release = spawnSync(python, ['-c', 'import ansible.release; print(ansible.release.__version__)'], { encoding: 'utf8' })
const isThere = release.status === 0 && /^2\.18\./.test(release.stdout)
const demanded = process.env['CI'] === 'true'

it.skipIf(!isThere && !demanded)(
  `the same as ansible-core 2.18 says now (seed ${seed}; needs ANSIBLE_PYTHON with ansible-core 2.18)`,
  { timeout: 600_000 },
  () => {
    expect(isThere, `${python} must have ansible-core 2.18 in CI`).toBe(true)
    const random = randomFrom(seed)
    const recorded = readRecorded(here('./recorded.jsonl')).filter(({ m }) => m === 'text')
    const sample = Array.from({ length: count }, () => random.pick(recorded))
    const fresh = generatedTemplates(seed, count).map((t) => ({ m: 'text', t }))
    const cases = asked([...sample, ...fresh].map(({ m, t }) => ({ m, t })))
    expect(cases.length).toBeGreaterThan(count)
    expect(differences(cases.filter((one) => !gaveUp(one) && !SKIPPED.some(({ matches }) => matches.test(one.t))))).toEqual([])
  },
)

function asked(cases: readonly object[]): Recorded[] {
  const input = cases.map((one) => JSON.stringify(one)).join('\n')
  const done = spawnSync(python, [here('./record.py'), '-'], { input, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (done.status !== 0) throw new Error(done.stderr)
  return done.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}
