/** The program as one file, on a host that has neither Node nor Python: a bastion from which another host is played. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const [bastion = '1', other = '2'] = (process.env['LAB_HOSTS'] ?? '1,2').split(',')
const LAB = process.env['LAB'] ?? '/tmp/tsspray-lab'
const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, `package/tsspray-${process.platform}-${process.arch}`)

/** A command on the bastion; its input is a text or a file. */
function on(command: string, input: string | number = ''): { readonly code: number | null; readonly text: string } {
  const argv = [join(ROOT, 'test/lab/lab.sh'), 'exec', bastion, 'sh', '-c', command]
  const stdin = typeof input === 'number' ? { stdio: [input, 'pipe', 'pipe'] as const } : { input }
  const { status, stdout, stderr } = spawnSync('bash', argv, { ...stdin, encoding: 'utf8', maxBuffer: 1 << 26 } as never)
  return { code: status, text: `${stdout}${stderr}` }
}

const INVENTORY = `here ansible_connection=local
there ansible_host=10.77.0.${10 + Number(other)} ansible_user=root ansible_ssh_private_key_file=/root/run/key ansible_host_key_checking=false
`
const PLAYBOOK = `
- hosts: all
  tasks:
    - copy: {content: "{{ ansible_facts.hostname }}\\n", dest: /srv/packaged, mode: "0644"}
    - command: cat /srv/packaged
      register: told
    - assert: {that: "told.stdout == ansible_facts.hostname"}
`

beforeAll(() => {
  execFileSync('npm', ['run', '-s', 'package'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  on(
    'rm -rf /root/run /srv/packaged /root/.cache/tsspray && mkdir -p /root/run && cat >/root/run/tsspray && chmod 755 /root/run/tsspray',
    openSync(PACKAGE, 'r'),
  )
  on('umask 077; cat >/root/run/key', readFileSync(`${LAB}/key`, 'utf8'))
  on('cat >/root/run/hosts', INVENTORY)
  on('cat >/root/run/site.yml', PLAYBOOK)
}, 300_000)

describe('the program as one file', () => {
  it('is there, and the host has nothing that could run it otherwise', () => {
    expect(existsSync(PACKAGE)).toBe(true)
    expect(on('command -v node nodejs python3 npm').text).toBe('')
  })
  it('plays this host and another over SSH', () => {
    const { code, text } = on('cd /root/run && ./tsspray site.yml -i hosts')
    expect(text).toMatch(/here +: ok=4 +changed=2 +unreachable=0 +failed=0/)
    expect(text).toMatch(/there +: ok=4 +changed=2 +unreachable=0 +failed=0/)
    // Node's own words would be in the middle of it
    expect(text).not.toContain('Warning: ')
    expect(code).toBe(0)
  })
  it('holds the playbooks and roles', () => {
    const { code, text } = on('cd /root/run && ./tsspray cluster.yml -i hosts --list-tasks')
    expect(text).toContain('there is no cluster.yml here: this is the one that comes with tsspray, /root/.cache/tsspray/')
    expect(text).toMatch(/bootstrap-os : /)
    expect(code).toBe(0)
  })
})
