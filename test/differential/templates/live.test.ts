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

/** The Python that has ansible-core: the one named, else Debian's own. */
const python = process.env['ANSIBLE_PYTHON'] ?? '/usr/bin/python3'
const seed = Number(process.env['LIVE_SEED'] ?? 7)
const count = Number(process.env['LIVE_COUNT'] ?? 300)
const release = spawnSync(python, ['-c', 'import ansible.release; print(ansible.release.__version__)'], { encoding: 'utf8' })
const isThere = release.status === 0
const demanded = process.env['CI'] === 'true'
/** Debian 12 has 2.14: what it says differently from the recording is a difference of releases, and freshly generated expressions are left out. */
const isReference = /^2\.18\./.test(release.stdout)

it.skipIf(!isThere && !demanded)(
  `the same as the ansible-core at hand says now (seed ${seed}; needs ansible-core, see ANSIBLE_PYTHON)`,
  { timeout: 600_000 },
  () => {
    expect(isThere, `${python} must have ansible-core in CI`).toBe(true)
    const random = randomFrom(seed)
    const recorded = readRecorded(here('./recorded.jsonl')).filter(({ m }) => m === 'text')
    const sample = Array.from({ length: count }, () => random.pick(recorded))
    const fresh = isReference ? generatedTemplates(seed, count).map((t) => ({ m: 'text', t })) : []
    const cases = asked([...sample, ...fresh].map(({ m, t }) => ({ m, t })))
    const kept = isReference ? cases : sameAsRecorded(cases, sample)
    expect(kept.length).toBeGreaterThan(count * 0.8)
    expect(differences(kept.filter((one) => !gaveUp(one) && !SKIPPED.some(({ matches }) => matches.test(one.t))))).toEqual([])
  },
)

/** The recorded cases in which this release comes to the same result, or to an error of the same class; how errors are worded is the recording's matter. */
function sameAsRecorded(cases: readonly Recorded[], recorded: readonly Recorded[]): Recorded[] {
  const now = new Map(cases.map((one) => [one.t, one]))
  return recorded.filter(({ t, r, k }) => now.has(t) && now.get(t)?.r === r && now.get(t)?.k === k)
}

function asked(cases: readonly object[]): Recorded[] {
  const input = cases.map((one) => JSON.stringify(one)).join('\n')
  const done = spawnSync(python, [here('./record.py'), '-'], { input, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (done.status !== 0) throw new Error(done.stderr)
  return done.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}
