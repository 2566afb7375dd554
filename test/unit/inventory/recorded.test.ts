import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isDict, type Json, LazyDict, Template, toJson, type Value } from '../../../src/base/index.ts'
import { loadSettings } from '../../../src/config/index.ts'
import { type Inventory, loadInventory } from '../../../src/inventory/index.ts'
import { createTemplar } from '../../../src/template/index.ts'

const files = join(import.meta.dirname, 'files')
const templar = createTemplar({ native: false, extensions: [] })
const settings = loadSettings({ cwd: files, env: {}, home: '/nowhere', systemFile: '/nowhere/ansible.cfg' })

/** Sources and what Ansible itself made of them. */
const CASES = {
  'patterns.ini': 'patterns.ini',
  'ranges.ini': 'ranges.ini',
  'precedence.ini': 'precedence.ini',
  'values.ini': 'values.ini',
  'inventory.yml': 'inventory.yml',
  hosts: 'hosts',
  'script.sh': 'script.sh',
  'old-script.sh': 'old-script.sh',
  folder: 'folder',
  constructed: 'constructed',
  h1: 'h1,h2:22,x[1:2],[::1]:5,::2,',
}

describe('reads as Ansible reads', () => {
  test.each(Object.entries(CASES))('%s', async (name, source) => {
    const inventory = await loadInventory([source], { cwd: files, settings, documents: {}, warn: () => {}, templar })
    expect(shape(inventory)).toEqual(JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.json`), 'utf8')))
  })
})

/** Patterns and limits with the hosts that Ansible found for them, or its error. */
const PATTERNS = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', 'patterns.json'), 'utf8')) as [string, string, string][]

test('matches hosts as Ansible matches them', async () => {
  for (const [pattern, wanted, limit] of PATTERNS) {
    const inventory = await loadInventory(['patterns.ini'], { cwd: files, settings, documents: {}, warn: () => {}, templar })
    expect([pattern, limit, matched(inventory, pattern, limit)]).toEqual([pattern, limit, wanted])
  }
})

function matched(inventory: Inventory, pattern: string, limit: string): string {
  try {
    return inventory.match(pattern, { limit: limit || undefined }).join(' ')
  } catch (error) {
    return `ERR ${(error as Error).message}`
  }
}

function shape(inventory: Inventory): Json {
  const groups = inventory.groups().map((name): [string, Json] => {
    const group = inventory.group(name)!
    const hosts = name === 'all' ? [...inventory.hostsOf(name)].sort() : inventory.hostsOf(name)
    return [name, { hosts, children: [...group.children].sort(), depth: group.depth, priority: group.priority, vars: plain(group.vars) }]
  })
  const hosts = inventory
    .hosts()
    .map((name): [string, Json] => [name, { groups: inventory.groupsOf(name), vars: plain(inventory.host(name)!.vars) }])
  return { groups: Object.fromEntries(groups), hosts: Object.fromEntries(hosts) }
}

/** Templates as their texts, bytes as theirs. */
function plain(raw: unknown): Json {
  if (raw instanceof Template) return raw.text
  if (raw instanceof Uint8Array) return Buffer.from(raw).toString('latin1')
  if (Array.isArray(raw)) return raw.map(plain)
  if (isDict(raw) && !(raw instanceof LazyDict)) return Object.fromEntries([...raw].map(([k, v]) => [String(k), plain(v)]))
  return toJson(raw as Value)
}
