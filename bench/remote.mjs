// The same playbooks on lab hosts by tsspray, ansible-playbook with pipelining, and Ansible with Mitogen; and the same work as scripts down one shell a host.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mixedPlaybook, rawScripts } from './mixed.mjs'

const MITOGEN = '/usr/lib/python3/dist-packages/ansible_mitogen/plugins/strategy'
const FILES = 1000

const play = (tasks, facts = false) =>
  `- hosts: all\n  gather_facts: ${facts}\n  tasks:\n${tasks.map((task) => `    - ${task}\n`).join('')}`
const folder = 'file: {path: /srv/bench/d0, state: directory, mode: "0755"}'
const PLAYBOOKS = {
  'mixed.yml': mixedPlaybook(),
  'loop.yml': play(['command: "echo {{ item }}"\n      loop: "{{ range(100) | list }}"']),
  'facts.yml': play(['debug: msg="{{ ansible_facts.hostname }}"'], true),
  'copy.yml': play([folder, 'copy: {src: many/, dest: /srv/bench/many/, mode: "0644"}']),
}

/**
 * Each bench prints the medians of `runs` rounds, in turn, and how many times tsspray's each is.
 * @param {{main: string, lab: string, hosts: string[], runs: number}} options
 */
export async function benchRemote({ main, lab, hosts, runs }, wanted) {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    prepare(dir, hosts, lab)
    const ssh = (host, command) => spawnSync('ssh', [...sshOptions(lab), `root@${host}`, command])
    const clean = () => hosts.forEach((host) => void ssh(host, 'rm -rf /srv/bench'))
    const contenders = (file) => [
      { name: 'tsspray', work: playing(dir, [process.execPath, main], file) },
      { name: 'ansible-playbook, pipelining', work: playing(dir, ['ansible-playbook'], file) },
      ...(existsSync(MITOGEN)
        ? [
            {
              name: 'ansible-playbook, mitogen',
              work: playing(dir, ['ansible-playbook'], file, { ANSIBLE_STRATEGY_PLUGINS: MITOGEN, ANSIBLE_STRATEGY: 'mitogen_linear' }),
            },
          ]
        : []),
    ]
    const raw = { name: 'scripts down one shell a host', work: () => rawRun(hosts, lab) }
    const benches = {
      wet: () => race('80 mixed tasks, changing', runs, [...contenders('mixed.yml'), raw], clean),
      converged: () => race('80 mixed tasks, again', runs, contenders('mixed.yml')),
      loop: () => race('a loop of 100 commands', runs, contenders('loop.yml')),
      facts: () => race('facts', runs, contenders('facts.yml')),
      copy: () => race(`${FILES} small files`, 1, contenders('copy.yml').slice(0, 2), clean),
    }
    console.log(`on ${hosts.length} hosts; ${existsSync(MITOGEN) ? '' : 'without Mitogen, which is not installed; '}median of ${runs}\n`)
    for (const [name, bench] of Object.entries(benches)) if (wanted.length === 0 || wanted.includes(name)) await bench()
    clean()
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function prepare(dir, hosts, lab) {
  const lines = hosts.map((host, i) => `node${i} ansible_host=${host}`)
  writeFileSync(join(dir, 'hosts'), `${lines.join('\n')}\n[all:vars]\nansible_user=root\nansible_ssh_private_key_file=${lab}/key\n`)
  writeFileSync(join(dir, 'ansible.cfg'), '[defaults]\nhost_key_checking = False\nforks = 10\n[ssh_connection]\npipelining = True\n')
  for (const [file, text] of Object.entries(PLAYBOOKS)) writeFileSync(join(dir, file), text)
  mkdirSync(join(dir, 'many'))
  for (let i = 0; i < FILES; i++) writeFileSync(join(dir, 'many', `f${i}`), `file ${i}\n`)
}

const playing =
  (dir, argv, file, env = {}) =>
  () => {
    const done = spawnSync(argv[0], [...argv.slice(1), '-i', 'hosts', file], {
      cwd: dir,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
    if (done.status !== 0) throw new Error(`${argv[0]} ended with ${done.status}\n${done.stdout.slice(-2000)}${done.stderr}`)
  }

async function race(title, runs, contenders, before = () => {}) {
  const times = contenders.map(() => [])
  for (let round = 0; round < runs; round++) {
    for (const [i, { work }] of contenders.entries()) {
      before()
      const began = performance.now()
      await work()
      times[i].push(performance.now() - began)
    }
  }
  const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)])
  console.log(title)
  for (const [i, { name }] of contenders.entries()) {
    console.log(`  ${name.padEnd(34)} ${medians[i].toFixed(0).padStart(7)} ms   ${(medians[i] / medians[0]).toFixed(2)}`)
  }
}

const sshOptions = (lab) => [
  '-i',
  `${lab}/key`,
  '-o',
  'StrictHostKeyChecking=no',
  '-o',
  'UserKnownHostsFile=/dev/null',
  '-o',
  'LogLevel=ERROR',
]

/** The limit: hand-written scripts, in lock step, down one shell a host. */
async function rawRun(hosts, lab) {
  const shells = hosts.map((host) =>
    shell(spawn('ssh', [...sshOptions(lab), `root@${host}`, 'sh'], { stdio: ['pipe', 'pipe', 'inherit'] })),
  )
  for (const script of rawScripts()) await Promise.all(shells.map((each) => each.run(script)))
  await Promise.all(shells.map((each) => each.end()))
}

function shell(child) {
  let text = ''
  let done
  child.stdout.on('data', (chunk) => {
    text += chunk
    if (!text.includes('--done--\n')) return
    text = ''
    done()
  })
  return {
    run(script) {
      const answered = new Promise((resolve) => (done = resolve))
      child.stdin.write(`( ${script} ) </dev/null; echo --done--\n`)
      return answered
    },
    end() {
      child.stdin.end()
      return new Promise((resolve) => child.on('close', resolve))
    },
  }
}
