/**
 * The cases of test/golden/modules, in three shells and where BusyBox is all there is: what a module changes and tells, a run with --check that says the same and writes nothing, a second
 * run that changes nothing, and scripts that each shell can read. test/golden/modules/README.md tells how to add a case and to record it.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beyondBusybox, missing, readCases, writeExpected } from './cases/case.ts'
import type { Engine } from './cases/engine.ts'
import { diffOf, newRoot, type Passes, passesOf, removeRoot, shown, told, wanted } from './cases/passes.ts'
import { scriptsIn, unreadable } from './cases/scripts.ts'
import { serve } from './cases/server.ts'

const MAIN = process.env['GOLDEN_MAIN'] ?? join(import.meta.dirname, '../../dist/main.js')
const UPDATE = process.env['UPDATE_GOLDEN'] === '1'
/** Names of cases begin with one of these words; all cases without. */
const WANTED = (process.env['GOLDEN_CASES'] ?? '').split(' ').filter(Boolean)
const ANSIBLE = (process.env['GOLDEN_ANSIBLE'] ?? 'ansible-playbook').split(' ')
const SHELLS = ['dash', 'bash', 'busybox sh'].filter((shell) => spawnSync('sh', ['-c', `command -v ${shell.split(' ')[0]}`]).status === 0)

const cases = readCases().filter(({ name }) => WANTED.length === 0 || WANTED.some((word) => name.startsWith(word)))
const here = cases.filter((one) => missing(one).length === 0)
const BARE = 'busybox alone'
const WORLDS = (SHELLS.includes('busybox sh') ? [...SHELLS, BARE] : SHELLS).filter(
  (world) => world === (process.env['GOLDEN_WORLD'] ?? world),
)
const ours = (world: string): Engine => {
  const command = [process.execPath, MAIN]
  return world === BARE
    ? { name: 'tsspray', command, shell: ['busybox', 'sh'], bare: true }
    : { name: 'tsspray', command, shell: world.split(' ') }
}
const casesOf = (world: string) => (world === BARE ? here.filter((one) => beyondBusybox(one) === undefined) : here)

let server: { url: string; close: () => void }
beforeAll(async () => {
  server = await serve()
})
afterAll(() => server?.close())

describe.runIf(UPDATE)('recorded', () => {
  test('the cases', { timeout: 3600_000 }, async () => {
    const ansible = { name: 'ansible', command: ANSIBLE, env: { ANSIBLE_STDOUT_CALLBACK: 'ansible.posix.json', ...collections() } }
    for (const [engine, some] of [
      [ansible, here.filter((one) => one.ours === undefined)],
      [ours('dash'), here.filter((one) => one.ours !== undefined)],
    ] as const) {
      if (some.length === 0) continue
      const root = newRoot()
      const passes = await passesOf(engine, root, some, server.url)
      for (const one of some) writeExpected(one, told(passes.get(one.name)!))
      removeRoot(root)
    }
  })
})

const collections = (): Record<string, string> => {
  const path = process.env['GOLDEN_COLLECTIONS']
  return path === undefined ? {} : { ANSIBLE_COLLECTIONS_PATH: path }
}

/** One engine a shell, and one more on a host with BusyBox alone, all at once. */
const roots = new Map<string, string>()
const seen = new Map<string, Map<string, Passes>>()
beforeAll(async () => {
  if (UPDATE) return
  const run = async (world: string): Promise<void> => {
    const root = newRoot()
    roots.set(world, root)
    seen.set(world, await passesOf(ours(world), root, casesOf(world), server.url))
  }
  await Promise.all(WORLDS.map(run))
}, 600_000)
afterAll(() => {
  for (const root of roots.values()) removeRoot(root)
}, 120_000)

describe.skipIf(UPDATE).each(WORLDS)('in %s', (world) => {
  for (const one of cases) {
    const why = world === BARE ? beyondBusybox(one) : undefined
    test.skipIf(!casesOf(world).includes(one))(why === undefined ? one.name : `${one.name}: ${why}`, () => {
      const passes = seen.get(world)!.get(one.name)!
      const want = wanted(one)
      if (want === undefined) throw new Error(`${one.name} has not been recorded`)
      expect(shown(want, passes)).toEqual(want)
      expect(passes.check.tree, 'the run with --check writes nothing').toEqual(passes.before)
      // where Ansible shows none at all, one is shown in both runs or in neither
      const [check, first] = [passes.check.results[0]!, passes.first.results[0]!]
      if (check['changed'] === true && first['changed'] === true && want.results[0]!['diff'] === undefined)
        expect(diffOf(check), 'the run with --check shows the same').toEqual(diffOf(first))
    })
  }

  test('every script is shell text', () => {
    const root = roots.get(world)!
    const scripts = scriptsIn(root)
    expect(scripts.size).toBeGreaterThan(casesOf(world).length / 4)
    for (const reader of SHELLS) expect(unreadable(scripts, reader, join(root, 'scripts')), reader).toEqual([])
  })
})
