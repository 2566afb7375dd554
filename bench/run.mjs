// Measures, in one run on one machine, and prints ratios: `npm run bench [-- NAME…]`. Nothing here is asserted.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchRemote } from './remote.mjs'
import { benchScale } from './scale.mjs'
import { benchTemplates } from './templates.mjs'
import { benchTrips } from './trips.mjs'

const MAIN = process.env.TSSPRAY_MAIN ?? join(import.meta.dirname, '../dist/main.js')
const LAB = process.env.LAB ?? '/tmp/tsspray-lab'

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const milliseconds = (work) => {
  const began = performance.now()
  work()
  return performance.now() - began
}

/** Runs two commands in turn and prints their medians and ratio. */
function pair(title, runs, a, b) {
  const times = { a: [], b: [] }
  for (let i = 0; i <= runs; i++) {
    const first = milliseconds(a.work)
    const second = milliseconds(b.work)
    if (i > 0) times.a.push(first) && times.b.push(second)
  }
  const [x, y] = [median(times.a), median(times.b)]
  console.log(
    `${title}\n  ${a.name.padEnd(34)} ${x.toFixed(0)} ms\n  ${b.name.padEnd(34)} ${y.toFixed(0)} ms\n  ratio ${(y / x).toFixed(3)}  (median of ${runs}, in turn)`,
  )
}

const node = (...argv) => spawnSync(process.execPath, argv, { stdio: 'ignore' })

const benches = {
  /** What one waits before anything happens. */
  start() {
    pair(
      'cold start',
      15,
      { name: 'node -e 0', work: () => node('-e', '0') },
      { name: 'tsspray --version', work: () => node(MAIN, '--version') },
    )
  },
  /** 10,000 skipped host-tasks. */
  skipped() {
    const dir = mkdtempSync(join(tmpdir(), 'bench-'))
    const tasks = Array.from({ length: 100 }, (_, i) => `    - {name: t${i}, command: echo ${i}, when: flag}`).join('\n')
    writeFileSync(join(dir, 'skip.yml'), `- hosts: all\n  gather_facts: false\n  vars: {flag: false}\n  tasks:\n${tasks}\n`)
    const hosts = `${Array.from({ length: 100 }, (_, i) => `h${i}`).join(',')},`
    const time = milliseconds(() => node(MAIN, join(dir, 'skip.yml'), '-i', hosts, '-c', 'local'))
    console.log(`10,000 skipped host-tasks\n  tsspray                            ${time.toFixed(0)} ms`)
    rmSync(dir, { recursive: true })
  },
  /** Playbooks on lab hosts with Python, beside ansible-playbook with pipelining and with Mitogen. REMOTE picks: wet, converged, loop, facts, copy. */
  async remote() {
    if (!existsSync(`${LAB}/key`) || !has('ansible-playbook')) {
      console.log(
        'remote: left out, it needs the lab (PYTHON=1 npm run lab -- up 3; npm run lab -- in npm run bench -- remote) and ansible-playbook',
      )
      return
    }
    const hosts = (process.env.LAB_HOSTS ?? '1,2,3').split(',').map((n) => `10.77.0.${10 + Number(n)}`)
    const wanted = process.env.REMOTE?.split(',') ?? []
    await benchRemote({ main: MAIN, lab: LAB, hosts, runs: Number(process.env.RUNS ?? 3) }, wanted)
  },
  /** Time and memory on a simulated fleet; SCALE tells the numbers of hosts. */
  async scale() {
    const sizes = (process.env.SCALE ?? '10,100,500,1000').split(',').map(Number)
    await benchScale([process.execPath, MAIN], sizes, Number(process.env.FORKS ?? 50))
  },
  /** The tasks of Kubespray's cluster.yml listed, beside ansible-playbook. */
  listing() {
    const { KUBESPRAY, ANSIBLE_PYTHON = 'python3' } = process.env
    if (!KUBESPRAY || spawnSync(ANSIBLE_PYTHON, ['-c', 'import ansible']).status !== 0) {
      console.log('listing: left out, it needs KUBESPRAY=<a checkout> and a Python with ansible-core (ANSIBLE_PYTHON)')
      return
    }
    const what = ['cluster.yml', '-i', 'inventory/sample/inventory.ini', '--list-tasks']
    const run = (program, argv) => () => {
      const done = spawnSync(program, [...argv, ...what], { cwd: KUBESPRAY, encoding: 'utf8' })
      if (done.status !== 0) throw new Error(`${program} ended with ${done.status}\n${done.stderr}`)
    }
    pair(
      "the tasks of Kubespray's cluster.yml listed",
      Number(process.env.RUNS ?? 9),
      { name: 'ansible-playbook', work: run(ANSIBLE_PYTHON, ['-m', 'ansible', 'playbook']) },
      { name: 'tsspray', work: run(process.execPath, [MAIN]) },
    )
  },
  /** Round trips and bytes of modules, on a lab host. */
  async trips() {
    if (!existsSync(`${LAB}/key`)) {
      console.log('round trips: left out, they need the lab (npm run lab -- up 1)')
      return
    }
    const host = 10 + Number((process.env.LAB_HOSTS ?? '1').split(',')[0])
    await benchTrips([process.execPath, MAIN], `10.77.0.${host}`, `ansible_user=root ansible_ssh_private_key_file=${LAB}/key`)
  },
  /** Kubespray's variables and templates, beside ansible-core's templar. */
  async templates() {
    const { KUBESPRAY, ANSIBLE_PYTHON = 'python3' } = process.env
    if (!KUBESPRAY || spawnSync(ANSIBLE_PYTHON, ['-c', 'import ansible.template']).status !== 0) {
      console.log('templates: left out, it needs KUBESPRAY=<a checkout> and a Python with ansible-core (ANSIBLE_PYTHON)')
      return
    }
    await benchTemplates(KUBESPRAY, ANSIBLE_PYTHON)
  },
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !benches[name])
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(', ')}; known are ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}\n`)
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) await benches[name]()
