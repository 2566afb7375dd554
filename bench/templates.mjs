// Rendering Kubespray's defaults and 30 of its templates beside ansible-core's templar, in one run on one machine: the ratio.
//
// KUBESPRAY: a checkout; ANSIBLE_PYTHON: a Python that has ansible-core (default: python3)
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { planOf } from './templates/plan.mjs'

const HERE = join(import.meta.dirname, 'templates')
const ROUNDS = '5'
const MOST = 30

/** Prints the times of both engines; returns false where something is missing. */
export async function benchTemplates(checkout, python = 'python3') {
  const dir = mkdtempSync(join(tmpdir(), 'bench-templates-'))
  try {
    const own = join(dir, 'own.mjs')
    await build({
      entryPoints: [join(HERE, 'own.ts')],
      outfile: own,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'error',
      banner: { js: REQUIRE },
    })
    const plan = planOf(checkout)
    const write = (templates) => writeFileSync(join(dir, 'plan.json'), JSON.stringify({ ...plan, templates }))
    const ours = (rounds) => answer(process.execPath, [own, join(dir, 'plan.json'), rounds], dir)
    const theirs = (rounds) => answer(python, [join(HERE, 'reference.py'), join(dir, 'plan.json'), rounds], dir)
    write(plan.templates)
    const { sums } = theirs('1')
    const templates = plan.templates.filter((_, index) => sums[index] !== null).slice(0, MOST)
    write(templates)
    tell(ours(ROUNDS), theirs(ROUNDS), templates)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** CommonJS packages inside a bundle of modules ask for it. */
const REQUIRE = "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);"

function answer(program, argv, cwd) {
  const done = spawnSync(program, argv, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (done.status !== 0) throw new Error(`${program} ended with ${done.status}: ${done.stderr.slice(-2000)}`)
  return JSON.parse(done.stdout)
}

function tell(ours, theirs, templates) {
  const good = new Set(ours.good)
  const odd = theirs.good.filter((name) => !good.has(name)).length
  const unlike = templates.filter((_, index) => ours.sums[index] !== theirs.sums[index])
  console.log(`Kubespray's defaults and templates (${ROUNDS} rounds, each with variables not yet rendered; reading files not counted)`)
  console.log(
    `  the same came out of both: ${theirs.good.length - odd} of ${theirs.good.length} variables render, ${templates.length - unlike.length} of ${templates.length} templates are equal`,
  )
  for (const path of unlike) console.log(`  unlike: ${path}`)
  line(`${theirs.names} variables`, ours.times, theirs.times, ([first]) => first)
  line(`${templates.length} templates`, ours.times, theirs.times, ([, second]) => second)
  line('together', ours.times, theirs.times, ([first, second]) => first + second)
}

function line(what, ours, theirs, pick) {
  const total = (times) => times.map(pick).reduce((sum, one) => sum + one, 0)
  const [own, other] = [total(ours), total(theirs)]
  const ms = (seconds) => `${(seconds * 1000).toFixed(0)} ms`.padStart(9)
  console.log(
    `  ${what.padEnd(16)} tsspray ${ms(own)}   ansible ${ms(other)}   ratio ${(other / own).toFixed(1)}  (first round alone: ${(pick(theirs[0]) / pick(ours[0])).toFixed(1)})`,
  )
}
