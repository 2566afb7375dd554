/** What a host costs: the bench's playbook on a simulated fleet, small and larger. Times are not looked at, and memory only by what further hosts add. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOnFleet, startFleet } from '../../bench/scale.mjs'

const MAIN = join(import.meta.dirname, '../../dist/main.js')
/** MB that a host may add; about 0.2 are usual, but a few dozen hosts are too few to tell it well. */
const A_HOST = 1

let fleet: Awaited<ReturnType<typeof startFleet>>
beforeAll(async () => {
  fleet = await startFleet(1)
})
afterAll(() => fleet.stop())

test('fifty hosts more', { timeout: 240_000 }, async () => {
  const recap = / : ok=4 +changed=(\d) +unreachable=0 +failed=0 /g
  const memory: number[] = []
  for (const hosts of [10, 60]) {
    const run = await runOnFleet(fleet, [process.execPath, MAIN], { hosts, forks: 20 })
    expect(run.code, run.text.slice(-2000)).toBe(0)
    expect([...run.text.matchAll(recap)].length).toBe(hosts)
    memory.push(run.megabytes)
  }
  expect(memory[1]! - memory[0]!).toBeLessThan(50 * A_HOST)
})

test('large output of many hosts is not held', { timeout: 240_000 }, async () => {
  const playbook = `- hosts: all
  gather_facts: false
  tasks:
    - {name: much, shell: "yes 0123456789abcde | head -c 8000000", register: much}
    - {name: whole, assert: {that: "much.stdout | length == 7999999", quiet: true}}
`
  const run = await runOnFleet(fleet, [process.execPath, MAIN], { hosts: 30, forks: 15, playbook })
  expect(run.code, run.text.slice(-2000)).toBe(0)
  // 240 MB have come, and all of their lines would take a gigabyte
  expect(run.megabytes).toBeLessThan(800)
})
