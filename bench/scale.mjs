// What hosts cost the controller: time and memory of one playbook on a fleet of 10, 100, 500 and 1,000 simulated hosts.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Four operations: a file, a template, a look at a service, a command. */
const PLAYBOOK = `- hosts: all
  gather_facts: false
  tasks:
    - {name: a file, file: {path: "{{ home }}/folder", state: directory, mode: "0750"}}
    - {name: a template, template: {src: t.j2, dest: "{{ home }}/folder/t", mode: "0640"}}
    - {name: a service, systemd_service: {name: fleet, state: started, enabled: true}}
    - {name: a command, command: "cat {{ home }}/folder/t", register: told, changed_when: false, failed_when: inventory_hostname not in told.stdout}
`
const TEMPLATE = `host {{ inventory_hostname }} of {{ groups['all'] | length }}\n${'{{ inventory_hostname }} says a line of an ordinary length\n'.repeat(20)}`

/** Starts the fleet's servers; hosts are shared out among them. */
export async function startFleet(servers = 2) {
  const root = mkdtempSync(join(tmpdir(), 'fleet-'))
  for (const name of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(root, name)])
  const processes = Array.from({ length: servers }, () =>
    spawn(process.execPath, [join(import.meta.dirname, 'fleet.mjs'), join(root, 'host'), root], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const ports = await Promise.all(
    processes.map((child) => new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(Number(chunk))))),
  )
  return {
    root,
    /** Inventory lines for so many hosts. */
    inventory: (count) => {
      const lines = Array.from({ length: count }, (_, i) => {
        const address = `127.1.${i >> 8}.${i & 255}`
        return `host${i} ansible_host=${address} ansible_port=${ports[i % servers]} home=${root}/${address}`
      })
      return `${lines.join('\n')}\n[all:vars]\nansible_user=fleet\nansible_ssh_private_key_file=${root}/user\nansible_host_key_checking=false\n`
    },
    stop: async () => {
      const gone = processes.map((child) => new Promise((resolve) => child.on('close', resolve)))
      for (const child of processes) child.stdin.end()
      await Promise.all(gone)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Runs a playbook on so many hosts of the fleet; how long it took, and the most memory that was taken, in MB. */
export async function runOnFleet(fleet, argv, { hosts, forks = 50, playbook = PLAYBOOK, env = {} }) {
  const folder = join(fleet.root, `run-${hosts}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'hosts'), fleet.inventory(hosts))
  writeFileSync(join(folder, 'site.yml'), playbook)
  writeFileSync(join(folder, 't.j2'), TEMPLATE)
  const began = performance.now()
  const child = spawn(argv[0], [...argv.slice(1), '-i', 'hosts', '-f', String(forks), 'site.yml'], {
    cwd: folder,
    env: { ...process.env, ANSIBLE_CONFIG: '/dev/null', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  let most = 0
  const look = () => {
    try {
      most = Math.max(most, Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0))
    } catch {
      // it has ended
    }
  }
  const looking = setInterval(look, 50)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(looking)
  return { seconds: (performance.now() - began) / 1000, megabytes: most / 1024, code, text }
}

/** Prints a line for each size, once changing and once more. */
export async function benchScale(argv, sizes, forks) {
  const fleet = await startFleet()
  try {
    console.log(`a file, a template, a service, a command; ${forks} forks\n  hosts   changing      again   most memory   a host`)
    let least
    for (const hosts of sizes) {
      const runs = []
      for (const _ of ['changing', 'again']) {
        const run = await runOnFleet(fleet, argv, { hosts, forks })
        if (run.code !== 0) throw new Error(`the playbook ended with ${run.code}\n${run.text.slice(-3000)}`)
        runs.push(run)
      }
      const memory = Math.max(...runs.map((run) => run.megabytes))
      least ??= { hosts, memory }
      const each = hosts === least.hosts ? '' : `${(((memory - least.memory) * 1024) / (hosts - least.hosts)).toFixed(0)} kB`
      const [first, again] = runs.map((run) => `${run.seconds.toFixed(1)} s`.padStart(10))
      console.log(`${String(hosts).padStart(7)} ${first} ${again} ${`${memory.toFixed(0)} MB`.padStart(13)} ${each.padStart(8)}`)
    }
  } finally {
    await fleet.stop()
  }
}
