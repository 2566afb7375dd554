import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const program = join(import.meta.dirname, '../../../dist/main.js')
const cwd = join(import.meta.dirname, '../inventory/files')

function inventory(...argv: string[]) {
  const env = { PATH: process.env['PATH'], HOME: '/nowhere', ANSIBLE_CONFIG: '/nowhere/ansible.cfg' }
  return spawnSync(process.execPath, [program, 'inventory', ...argv], { cwd, env, encoding: 'utf8' })
}

describe('an inventory is shown as ansible-inventory shows it', () => {
  test.each([
    ['yaml-list', ['-i', 'inventory.yml', '--list']],
    ['yaml-export', ['-i', 'inventory.yml', '--list', '--export']],
    ['yaml-graph', ['-i', 'inventory.yml', '--graph', '--vars']],
    ['hosts-list', ['-i', 'hosts', '--list']],
    ['hosts-group', ['-i', 'hosts', '--graph', 'k8s_cluster']],
    ['folder-list', ['-i', 'folder', '--list']],
    ['folder-host', ['-i', 'folder', '--host', 'a']],
    ['script-list', ['-i', 'script.sh', '--list']],
  ])('%s', (name, argv) => {
    const { stdout, status } = inventory(...argv)
    expect(stdout).toBe(readFileSync(join(import.meta.dirname, 'recorded', `${name}.txt`), 'utf8'))
    expect(status).toBe(0)
  })
})

describe('what cannot be shown', () => {
  test.each([
    [['-i', 'hosts', '--host', 'nobody'], 'You must pass a single valid host to --host parameter'],
    [['-i', 'hosts', '--graph', 'kube'], "there is no 'kube'"],
    [['-i', 'hosts'], 'No action selected'],
    [['-i', 'hosts', '--list', '--graph'], 'Conflicting options used'],
  ])('%j', (argv, message) => {
    const { stderr, status } = inventory(...argv)
    expect(stderr).toContain(message)
    expect(status).toBe(5)
  })
})
