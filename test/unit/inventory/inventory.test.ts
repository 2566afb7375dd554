import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Problem, Template } from '../../../src/base/index.ts'
import { loadSettings } from '../../../src/config/index.ts'
import { loadInventory, readEntityVars, splitPattern } from '../../../src/inventory/index.ts'

const files = join(import.meta.dirname, 'files')
const load = async (
  sources: readonly string[],
  options: { cwd?: string; warn?: (message: string) => void; env?: Record<string, string> } = {},
) => {
  const cwd = options.cwd ?? files
  const settings = loadSettings({ cwd, env: options.env ?? {}, home: '/nowhere', systemFile: '/nowhere/ansible.cfg' })
  return loadInventory(sources, { cwd, settings, documents: {}, warn: options.warn ?? (() => {}) })
}

test('hosts given one by one may be too many for a file name', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `host-${i}`)
  expect((await load([`${names.join(',')},`])).hosts()).toEqual(names)
})

describe('patterns', () => {
  const cases: readonly (readonly [pattern: string, hosts: string, limit?: string])[] = [
    ['web[0]', 'w1'],
    ['web[-1]', 'w3'],
    ['web[1:]', 'w2 w3'],
    ['web[0:1]', 'w1 w2'],
    ['web:&prod', 'w2 w3'],
    ['web:!prod', 'w1'],
    ['!db', 'w1 w2'],
    ['!prod:web', 'w1'],
    ['&prod:web:db', 'w2 w3 d1'],
    ['web:db:!w3', 'w1 w2 d1'],
    ['web,db,!w3', 'w1 w2 d1'],
    ['web,db:!w3', 'w1 w2 w3'],
    ['~w[23]', 'w2 w3'],
    ['~(?P<x>w)2', 'w2'],
    ['w*', 'w1 w2 w3'],
    ['w[!1]', 'w2 w3'],
    ['w?', 'w1 w2 w3'],
    ['all:!w*', 'd1'],
    ['web[0]:db[0]', 'w1 d1'],
    ['web[0]', '', 'prod'],
    ['web', 'w3', 'db'],
    ['web', 'w3', 'prod:!w2'],
    ['web | first', 'w1 w2 w3'],
    ['all', 'w1 w2 w3 d1'],
    ['*', 'w1 w2 w3 d1'],
    ['localhost', 'localhost'],
    ['web,localhost', 'w1 w2 w3 localhost'],
    ['db,web', 'd1 w3 w1 w2'],
    ['w3,w1', 'w3 w1'],
    ['web', 'w2', '@limit'],
  ]
  test.each(cases)('%s → %s (limit %s)', async (pattern, hosts, limit) => {
    const folder = mkdtempSync(join(tmpdir(), 'limit-'))
    writeFileSync(join(folder, 'limit'), 'w2\nd1\n')
    const inventory = await load([join(files, 'patterns.ini')], { cwd: folder })
    expect(inventory.match(pattern!, { limit }).join(' ')).toBe(hosts)
    rmSync(folder, { recursive: true })
  })

  test('that match nothing are warned about, or refused', async () => {
    const warnings: string[] = []
    const inventory = await load(['patterns.ini'])
    expect(inventory.match('nope,w1', { warn: (message) => warnings.push(message) })).toEqual(['w1'])
    expect(inventory.match('web[7:]')).toEqual([])
    expect(warnings).toEqual(['Could not match supplied host pattern, ignoring: nope'])
    expect(() => inventory.match('web[5]')).toThrow("No hosts matched the subscripted pattern 'web[5]'")
    expect(() => inventory.match('~(')).toThrow('Invalid host list pattern: ~(')
    const strict = await load(['patterns.ini'], { env: { ANSIBLE_HOST_PATTERN_MISMATCH: 'error' } })
    try {
      strict.match('webb')
      expect.unreachable()
    } catch (error) {
      expect((error as Problem).hint).toContain("'web'")
    }
  })

  test.each([
    ['a,b[1], c[2:3] , d', ['a', 'b[1]', 'c[2:3]', 'd']],
    ['a:b:&c', ['a', 'b', '&c']],
    ['web[0:1]', ['web[0:1]']],
    ['::1', ['::1']],
    ['fe80::1:2', ['fe80::1:2']],
    ['h1:22', ['h1:22']],
    ['a:b[1:2]:!c', ['a', 'b[1:2]', '!c']],
  ])('%s is split', (pattern, parts) => {
    expect(splitPattern(pattern)).toEqual(parts)
  })
})

describe('this machine', () => {
  test('is implicit unless the inventory has it', async () => {
    const inventory = await load(['patterns.ini'])
    expect(inventory.host('localhost')).toMatchObject({ name: 'localhost', implicit: true, groups: [] })
    expect(inventory.groupsOf('localhost')).toEqual(['all'])
    expect(inventory.hosts()).not.toContain('localhost')
    const named = await load(['127.0.0.1,'])
    expect(named.match('localhost')).toEqual(['127.0.0.1'])
    expect(named.host('localhost')).toMatchObject({ name: '127.0.0.1', implicit: false })
  })
})

describe('what a run adds', () => {
  test('counts once, lands in all, and survives a refresh', async () => {
    const inventory = await load(['patterns.ini'])
    const version = inventory.version
    expect(inventory.addHost('new', ['web', 'fresh'], new Map([['a', 1]]))).toBe(true)
    expect(inventory.addHost('new', ['web', 'fresh'], new Map([['a', 1]]))).toBe(false)
    expect(inventory.addHost('new', [], new Map([['a', 2]]))).toBe(true)
    expect(inventory.addGroup('os_debian', ['os'])).toBe(true)
    expect(inventory.addHostToGroup('w1', 'os_debian')).toBe(true)
    expect(inventory.addHostToGroup('w1', 'os_debian')).toBe(false)
    expect(inventory.version).toBeGreaterThan(version)
    expect(inventory.groupsOf('w1')).toEqual(['all', 'os', 'web', 'os_debian'])
    expect(inventory.match('os')).toEqual(['w1'])
    const before = inventory.version
    await inventory.refresh()
    expect(inventory.version).toBeGreaterThan(before)
    expect(inventory.match('fresh')).toEqual(['new'])
    expect(inventory.host('new')?.vars.get('a')).toBe(2)
    expect(inventory.match('os')).toEqual(['w1'])
  })

  test('takes hosts out of ungrouped', async () => {
    const inventory = await load(['a,b'])
    expect(inventory.hostsOf('ungrouped')).toEqual(['a', 'b'])
    inventory.addHostToGroup('a', 'g')
    expect(inventory.hostsOf('ungrouped')).toEqual(['b'])
  })

  test('the implicit localhost may join a group and stays out of all', async () => {
    const inventory = await load(['a,'])
    inventory.match('localhost')
    expect(inventory.addHostToGroup('localhost', 'here')).toBe(true)
    expect(inventory.match('here')).toEqual(['localhost'])
    expect(inventory.match('all')).toEqual(['a'])
  })
})

describe('sources', () => {
  test('add up, and later ones win', async () => {
    const inventory = await load(['patterns.ini', 'hosts', 'folder'])
    expect(inventory.sourceOf('w1')).toBe(join(files, 'patterns.ini'))
    expect(inventory.sourceOf('a')).toBe(join(files, 'folder', '01'))
    expect(inventory.hosts()).toContain('lonely')
    expect(inventory.sources).toEqual([join(files, 'patterns.ini'), join(files, 'hosts'), join(files, 'folder')])
    expect((await load(['a,b'])).sources).toEqual([''])
  })

  const broken: readonly (readonly [string, string])[] = [
    ['[a]\nh x\n', 'Expected key=value host variable assignment, got: x'],
    ['[a]\nh x="1\n', "Error parsing host definition 'h x=\"1': No closing quotation"],
    ['[a b]\nh\n', "Invalid section entry: '[a b]'"],
    ['[a:hosts2]\n', 'Section [a:hosts2] has unknown type: hosts2'],
    ['[a:vars]\nx=1\n', 'Section [a:vars] not valid for undefined group: a'],
    ['[a:children]\nb\n', 'Section [a:children] includes undefined group: b'],
    ['[a]\nh\n[a:vars]\nx\n', 'Expected key=value, got: x'],
    ['[a]\nh[1:]\n', 'host range must specify end value'],
    ['[a]\nh[01:2]\n', 'host range must specify equal-length begin and end formats'],
    ['[a]\nh[z:a]\n', 'host range must have begin <= end'],
    ['[a]\nh[1]\n', 'host range must be begin:end or begin:end:step'],
    ['[a]\nh:\n', "ending in ':' is not allowed"],
    ['[a:children]\nb\n[b:children]\na\n', 'creates a recursive dependency loop'],
  ]
  test.each(broken)('%j is told with its place', async (text, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'inventory-'))
    writeFileSync(join(folder, 'x.ini'), text)
    const warnings: string[] = []
    await load(['x.ini'], { cwd: folder, warn: (said) => warnings.push(said) })
    expect(warnings.join('\n')).toContain(message)
    expect(warnings.join('\n')).toContain(`Unable to parse ${join(folder, 'x.ini')} as an inventory source`)
    expect(warnings.at(-1)).toBe('No inventory was parsed, only implicit localhost is available')
    await expect(load(['x.ini'], { cwd: folder, env: { ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'yes' } })).rejects.toThrow(Problem)
    rmSync(folder, { recursive: true })
  })

  test('a script that fails is told', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inventory-'))
    const script = join(folder, 'dynamic')
    writeFileSync(script, '#!/bin/sh\necho no such cloud >&2; exit 3\n')
    chmodSync(script, 0o755)
    const warnings: string[] = []
    await load([script], { warn: (said) => warnings.push(said) })
    expect(warnings.join('\n')).toContain(`Inventory script (${script}) had an execution error: no such cloud`)
  })

  test('templates in values know their place', async () => {
    const template = (await load(['values.ini'])).host('h4')?.vars.get('tpl') as Template
    expect(template).toBeInstanceOf(Template)
    expect(template.span?.source.text.slice(template.span.start, template.span.end)).toBe('{{ other }}/x')
  })
})

describe('files of variables', () => {
  const read = (kind: 'group_vars' | 'host_vars', name: string) =>
    readEntityVars(join(files, 'folder'), kind, name, ['.yml', '.yaml', '.json'], {}).map(({ vars }) => Object.fromEntries(vars))
  test.each([
    ['group_vars', 'all', [{ from: 'all-1' }, { from: 'all-2' }, { deep: 1 }]],
    ['group_vars', 'one', [{ one: true }]],
    ['host_vars', 'a', [{ h: 1 }]],
    ['host_vars', 'b', []],
    ['host_vars', '/chroot', []],
  ] as const)('%s/%s', (kind, name, vars) => {
    expect(read(kind, name)).toEqual(vars)
  })
})
