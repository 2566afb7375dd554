/** --list-tasks, --list-tags and --list-hosts of Kubespray's playbooks, line for line as ansible-playbook prints them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSettings } from '../../src/config/index.ts'
import { loadInventory } from '../../src/inventory/index.ts'
import { findModule, moduleNames } from '../../src/modules/index.ts'
import { type ListingOptions, type LoadContext, listingLines, listPlaybook, loadPlaybooks } from '../../src/playbook/index.ts'
import { createTemplar } from '../../src/template/index.ts'

const CHECKOUTS = { 'v2.22.1': process.env['KUBESPRAY_V2_22_1'], 'v2.31.0': process.env['KUBESPRAY_V2_31_0'] }
const PLAYBOOKS = ['cluster', 'scale', 'upgrade-cluster', 'remove-node', 'reset', 'recover-control-plane']
const expected = join(import.meta.dirname, 'expected')

const settingsOf = (checkout: string) => loadSettings({ cwd: checkout, env: {}, home: '/nonexistent' })

/** Modules that tsspray does not have are taken for known: what is compared is how playbooks are read. */
function context(checkout: string): LoadContext {
  return {
    documents: {},
    templar: createTemplar({ native: false, extensions: [] }),
    extraVars: new Map(),
    staticVars: new Map(),
    module: (name) => ({ resolved: findModule(name)?.name ?? name, freeForm: false, parameters: undefined, openArgs: true }),
    moduleNames,
    rolesPath: settingsOf(checkout).get('DEFAULT_ROLES_PATH'),
    collectionsPaths: [],
    warn: () => undefined,
    deprecated: () => undefined,
    lazyVars: true,
  }
}

function lines(checkout: string, playbook: string, what: Omit<ListingOptions, 'context' | 'filter'>): string[] {
  const load = context(checkout)
  const options = { ...what, context: load, filter: { only: ['all'], skip: [] } }
  return loadPlaybooks([join(checkout, `${playbook}.yml`)], load)
    .flatMap((one) => listingLines(listPlaybook(one, options)))
    .map((line) => line.replace(checkout, '').replace('playbook: /', 'playbook: '))
}

/** Python prints sets in any order: a play's own tags, and the hosts under a play. */
function normal(all: readonly string[]): string[] {
  const sorted = all.map((line) => line.replace(/TAGS: \[(\S+)\]$/, (_, tags: string) => `TAGS: [${tags.split(',').sort().join(',')}]`))
  const text = sorted.join('\n').replace(/(?:\n {6}\S+)+(?=\n|$)/g, (hosts) => `\n${hosts.slice(1).split('\n').sort().join('\n')}`)
  return text.trim().split('\n')
}

const recorded = (name: string): string[] => normal(readFileSync(join(expected, name), 'utf8').split('\n'))

for (const [version, checkout] of Object.entries(CHECKOUTS)) {
  describe.skipIf(!checkout)(`Kubespray ${version} (set KUBESPRAY_${version.toUpperCase().replaceAll('.', '_')} to a checkout)`, () => {
    test.each(PLAYBOOKS)('%s --list-tasks', (playbook) => {
      expect(normal(lines(checkout!, playbook, { tasks: true, tags: false }))).toEqual(recorded(`${version}.${playbook}.list-tasks.txt`))
    })
    test('cluster --list-tags', () => {
      expect(normal(lines(checkout!, 'cluster', { tasks: false, tags: true }))).toEqual(recorded(`${version}.cluster.list-tags.txt`))
    })
    test('cluster --list-hosts', async () => {
      const source = join(expected, 'inventory', `${version}.ini`)
      const inventory = await loadInventory([source], {
        cwd: checkout!,
        settings: settingsOf(checkout!),
        documents: {},
        warn: () => undefined,
      })
      const hosts = (patterns: readonly string[]) => inventory.match(patterns)
      expect(normal(lines(checkout!, 'cluster', { tasks: false, tags: false, hosts }))).toEqual(
        recorded(`${version}.cluster.list-hosts.txt`),
      )
    })
  })
}
