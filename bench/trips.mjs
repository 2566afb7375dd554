// What a task costs on the wire: bytes to the host and back, and how often is waited for an answer, counted by a relay before a host's sshd.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const D = '/srv/trips'
/** A module's task, changed by the first run and left alone by the second; some need something there before. */
const TASKS = {
  command: 'command: echo hello',
  shell: 'shell: "echo hello | tr a-z A-Z"',
  stat: `stat: {path: ${D}/folder}`,
  'file, a folder': `file: {path: ${D}/folder, state: directory, mode: "0755"}`,
  'copy, one line': `copy: {content: "one line\\n", dest: ${D}/copied, mode: "0644"}`,
  'copy, 1 MB': `copy: {src: big, dest: ${D}/big}`,
  template: `template: {src: t.j2, dest: ${D}/templated}`,
  lineinfile: `lineinfile: {path: ${D}/copied, line: "another line"}`,
  blockinfile: `blockinfile: {path: ${D}/copied, block: "a block"}`,
  replace: `replace: {path: ${D}/copied, regexp: "another", replace: "changed"}`,
  slurp: `slurp: {src: ${D}/copied}`,
  find: `find: {paths: ${D}}`,
  user: 'user: {name: trips, shell: /bin/sh}',
  'user, gone': 'user: {name: trips, state: absent}',
  sysctl: `sysctl: {name: net.ipv4.ip_forward, value: "1", sysctl_file: ${D}/sysctl.conf}`,
  'systemd, a look': 'systemd: {name: ssh}',
  'package_facts, service_facts': 'service_facts:',
  setup: 'setup:',
}

/** Runs the bench against a host; `run` is the program's argv, `host` its address, `vars` the inventory's variables. */
export async function benchTrips(run, host, vars) {
  const folder = mkdtempSync(join(tmpdir(), 'trips-'))
  const relay = await counting(host)
  try {
    writeFileSync(join(folder, 't.j2'), '{{ inventory_hostname }} {{ 1 + 1 }}\n')
    writeFileSync(join(folder, 'big'), Buffer.alloc(1024 * 1024, 'x'))
    writeFileSync(join(folder, 'hosts'), `one ansible_host=127.0.0.1 ansible_port=${relay.port} ansible_host_key_checking=false ${vars}\n`)
    const play = async (tasks) => {
      const text = [`command: mkdir -p ${D}`, ...tasks].map((task) => `    - ${task}\n`).join('')
      writeFileSync(join(folder, 'site.yml'), `- hosts: all\n  gather_facts: false\n  tasks:\n${text}`)
      return relay.count(() =>
        ended(spawn(run[0], [...run.slice(1), '-i', 'hosts', 'site.yml'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })),
      )
    }
    await play([`command: rm -rf ${D}`])
    const bare = await play([])
    console.log(`${'task'.padEnd(30)} first: trips   sent   back   again: trips   sent   back   (bytes)`)
    for (const [name, task] of Object.entries(TASKS)) {
      const [first, again] = [await play([task]), await play([task])].map((counted) => less(counted, bare))
      console.log(`${name.padEnd(30)} ${row(first)} ${row(again)}`)
    }
    console.log(`${'(connecting, one command)'.padEnd(30)} ${row(bare)}`)
    await play([`command: rm -rf ${D}`])
  } finally {
    relay.server.close()
    rmSync(folder, { recursive: true })
  }
}

const row = ({ trips, sent, back }) => `${String(trips).padStart(12)} ${String(sent).padStart(6)} ${String(back).padStart(6)}`
const less = (a, b) => ({ trips: a.trips - b.trips, sent: a.sent - b.sent, back: a.back - b.back })

async function ended(child) {
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the playbook ended with ${code}\n${text}`)
}

/** A relay to a host's sshd; a trip is one or more chunks to the host after one that came back. */
async function counting(host) {
  let counts
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host, port: 22, noDelay: true })
    let asking = false
    near.on('data', (chunk) => {
      counts.sent += chunk.length
      if (!asking) counts.trips++
      asking = true
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      counts.back += chunk.length
      asking = false
      near.write(chunk)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ])
      one.on('close', () => other.destroy()).on('error', () => other.destroy())
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const count = async (work) => {
    counts = { trips: 0, sent: 0, back: 0 }
    await work()
    return counts
  }
  return { server, port: server.address().port, count }
}
