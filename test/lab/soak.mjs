// Many tasks on many light hosts (an sshd of OpenSSH's each, behind a relay) while random ones are cut and healed: no wrong ok, nothing done twice, no hang,
// flat memory, nothing left. `npm run soak`; SOAK_HOSTS, SOAK_TASKS, SOAK_ROUNDS, SOAK_SEED tell how much.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const number = (name, usual) => Number(process.env[name] ?? usual)
const HOSTS = number('SOAK_HOSTS', 50)
const TASKS = number('SOAK_TASKS', 500)
const ROUNDS = number('SOAK_ROUNDS', 10)
const SEED = number('SOAK_SEED', Date.now() % 100_000)
const MAIN = process.env.LAB_MAIN ?? join(import.meta.dirname, '../../dist/main.js')
/** Seconds without a word that are taken for a hang. */
const SILENCE = number('SOAK_SILENCE', 120)
/** MB that memory may grow after the first fifth of the run. */
const GROWTH = number('SOAK_GROWTH', 60)

const root = realpathSync(mkdtempSync(join(tmpdir(), 'soak-')))
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** A port that leads to a host's sshd, unless it is stalled (nobody is told) or closed. */
async function relayTo(port) {
  const sockets = new Set()
  let state = 'open'
  let waiting = []
  const through = () => (state === 'stalled' ? new Promise((resolve) => waiting.push(resolve)) : undefined)
  const carry = (from, to) => {
    let last = Promise.resolve()
    from.on('data', (chunk) => {
      from.pause()
      last = last.then(through).then(() => {
        from.resume()
        to.write(chunk)
      })
    })
    from.on('close', () => last.then(through).then(() => to.destroy()))
  }
  const server = createServer({ noDelay: true }, (near) => {
    if (state === 'closed') return near.destroy()
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    carry(near, far)
    carry(far, near)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: server.address().port,
    stall: () => (state = 'stalled'),
    close: () => {
      state = 'closed'
      dropAll()
    },
    heal: () => {
      state = 'open'
      for (const go of waiting.splice(0)) go()
    },
    end: () => {
      dropAll()
      server.close()
    },
  }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** An sshd, where its hosts keep what they are given, and the way there. */
async function startHost(index) {
  const home = join(root, `h${index}`)
  mkdirSync(join(home, 'tmp'), { recursive: true })
  const port = await freePort()
  const config = [
    `Port ${port}`, 'ListenAddress 127.0.0.1', 'UsePAM no', 'StrictModes no', 'PasswordAuthentication no', 'PermitRootLogin yes',
    `AuthorizedKeysFile ${root}/user.pub`, `HostKey ${root}/host`, `PidFile ${home}/pid`, `SetEnv TMPDIR=${home}/tmp`,
  ] // biome-ignore format: a list
  writeFileSync(join(home, 'sshd_config'), `${config.join('\n')}\n`)
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(home, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('listening')) resolve()
    })
    child.on('exit', () => reject(new Error(said)))
  })
  return { name: `h${index}`, home, child, relay: await relayTo(port) }
}

/** All processes below one. */
function below(pid) {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const found = []
  for (let parents = [String(pid)]; parents.length > 0; ) {
    const children = rows.filter(([, parent]) => parents.includes(parent))
    found.push(...children)
    parents = children.map(([child]) => child)
  }
  return found.map(([child, , name]) => ({ pid: Number(child), name }))
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

/** What happens to a host, and what heals it. */
const FAULTS = [
  { name: 'stalled', hurt: (host) => host.relay.stall(), heal: (host) => host.relay.heal() },
  { name: 'closed', hurt: (host) => host.relay.close(), heal: (host) => host.relay.heal() },
  { name: 'sessions killed', hurt: (host) => below(host.child.pid).forEach(({ pid }) => void kill(pid)), heal: () => {} },
  {
    name: 'a shell killed',
    hurt: (host) => below(host.child.pid).filter(({ name }) => name === 'sh').slice(0, 2).forEach(({ pid }) => void kill(pid)), // biome-ignore format: short
    heal: () => {},
  },
]

/** Odd tasks write a file of their own, even ones add a line to one that all share: both tell afterwards what was done, and how often. */
function task(round, n) {
  const id = `r${round}t${n}`
  return n % 2 === 1
    ? `    - {name: ${id}, copy: {content: "${id} {{ inventory_hostname }}", dest: "{{ home }}/files/${id}"}}\n`
    : `    - {name: ${id}, shell: "echo ${id} >>{{ home }}/lines; echo ${id} {{ inventory_hostname }}", register: told, failed_when: "told is failed or told.stdout | default('') != '${id} ' ~ inventory_hostname"}\n`
}

function playbook() {
  const play = (round) =>
    `- hosts: all\n  gather_facts: false\n  strategy: free\n  ignore_unreachable: true\n  ignore_errors: true\n  tasks:\n${Array.from({ length: TASKS }, (_, n) => task(round, n)).join('')}`
  return Array.from({ length: ROUNDS }, (_, round) => play(round)).join('')
}

/** Hurts one host after the other until it is told to stop; in the end all are healed. */
async function trouble(hosts, random, isOver) {
  const counts = {}
  const healing = new Set()
  while (!isOver()) {
    await pause(200 + random() * 800)
    const host = hosts[Math.floor(random() * hosts.length)]
    if (host.hurt || isOver()) continue
    const fault = FAULTS[Math.floor(random() * FAULTS.length)]
    counts[fault.name] = (counts[fault.name] ?? 0) + 1
    host.hurt = true
    fault.hurt(host)
    const healed = pause(500 + random() * 5500).then(() => {
      fault.heal(host)
      host.hurt = false
      healing.delete(healed)
    })
    healing.add(healed)
  }
  await Promise.all(healing)
  return counts
}

/** Output → each task's status on each host. */
function statuses(text) {
  const found = new Map()
  let name = ''
  for (const line of text.split('\n')) {
    const heading = /^TASK \[(r\d+t\d+)\]/.exec(line)
    if (heading) name = heading[1]
    const [, status, host, word] = /^(ok|changed|fatal): \[(\w+)\](?:: (\w+)!)?/.exec(line) ?? []
    if (status !== undefined) found.set(`${host} ${name}`, word ?? status)
  }
  return found
}

/** What is not as it was told. */
function lies(hosts, told) {
  const wrong = []
  for (const { name, home } of hosts) {
    const lines = existsSync(join(home, 'lines')) ? readFileSync(join(home, 'lines'), 'utf8').split('\n') : []
    const counts = new Map()
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
    for (let round = 0; round < ROUNDS; round++)
      for (let n = 0; n < TASKS; n++) {
        const id = `r${round}t${n}`
        const status = told.get(`${name} ${id}`)
        const path = join(home, 'files', id)
        const done = n % 2 === 0 ? (counts.get(id) ?? 0) : existsSync(path) ? 1 : 0
        if (status === undefined) wrong.push(`${name} ${id}: nothing was told`)
        else if (done > 1) wrong.push(`${name} ${id}: done ${done} times`)
        else if (/ok|changed/.test(status) && done !== 1) wrong.push(`${name} ${id}: ${status}, but not done`)
        if (n % 2 === 1 && done === 1 && readFileSync(path, 'utf8') !== `${id} ${name}`) wrong.push(`${name} ${id}: half a file`)
      }
  }
  return wrong
}

async function leftOn(hosts) {
  let left = []
  for (let tries = 0; tries < 40; tries++) {
    left = hosts.flatMap(({ name, home, child }) => [
      ...readdirSync(join(home, 'tmp')).map((file) => `${name}: ${file}`),
      ...readdirSync(join(home, 'files'))
        .filter((file) => !/^r\d+t\d+$/.test(file))
        .map((file) => `${name}: files/${file}`),
      ...below(child.pid).map((process) => `${name}: ${process.name} ${process.pid}`),
    ])
    if (left.length === 0) return left
    await pause(500)
  }
  return left
}

async function soak(hosts) {
  const vars = `ansible_user=${userInfo().username}\nansible_ssh_private_key_file=${root}/user\nansible_host_key_checking=false\nansible_ssh_common_args="-o ServerAliveInterval=1"\n`
  const lines = hosts.map(({ name, home, relay }) => `${name} ansible_host=127.0.0.1 ansible_port=${relay.port} home=${home}`)
  writeFileSync(join(root, 'hosts'), `${lines.join('\n')}\n[all:vars]\n${vars}`)
  writeFileSync(join(root, 'site.yml'), playbook())
  const argv = [MAIN, '-i', 'hosts', '-f', String(HOSTS), '--timeout', '3', 'site.yml']
  const began = performance.now()
  const child = spawn(process.execPath, argv, { cwd: root, env: { ...process.env, NO_COLOR: '1', ANSIBLE_CONFIG: '/dev/null' } })
  const chunks = []
  let last = Date.now()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      chunks.push(chunk)
      last = Date.now()
    })
  const memory = []
  const look = setInterval(() => {
    try {
      memory.push(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024)
    } catch {
      // it has ended
    }
    if (Date.now() - last > SILENCE * 1000) child.kill('SIGKILL')
  }, 250)
  let over = false
  const troubled = trouble(hosts, randomFrom(SEED), () => over)
  const code = await new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal)))
  over = true
  clearInterval(look)
  const faults = await troubled
  return { code, text: Buffer.concat(chunks).toString(), memory, faults, seconds: (performance.now() - began) / 1000 }
}

const most = (list) => Math.max(...list)

function grown(memory) {
  const settled = memory.slice(0, Math.max(1, Math.ceil(memory.length / 5)))
  const end = memory.slice(-Math.max(1, Math.ceil(memory.length / 5)))
  return { early: most(settled), late: most(end), most: most(memory) }
}

let hosts = []
const clear = () => {
  for (const { relay, child } of hosts) {
    for (const { pid } of below(child.pid)) kill(pid)
    relay.end()
    child.kill()
  }
  rmSync(root, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    clear()
    process.exit(1)
  })
try {
  for (const name of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(root, name)])
  mkdirSync('/run/sshd', { recursive: true })
  hosts = await Promise.all(Array.from({ length: HOSTS }, (_, index) => startHost(index)))
  for (const { home } of hosts) mkdirSync(join(home, 'files'))
  console.log(`${ROUNDS} × ${TASKS} tasks on ${HOSTS} hosts, seed ${SEED}`)
  const { code, text, memory, faults, seconds } = await soak(hosts)
  const told = statuses(text)
  const counts = {}
  for (const status of told.values()) counts[status] = (counts[status] ?? 0) + 1
  const { early, late, most: peak } = grown(memory)
  const wrong = lies(hosts, told)
  const left = await leftOn(hosts)
  const bad = [
    ...(code === 0 ? [] : [`it ended with ${code}\n${text.slice(-2000)}`]),
    ...wrong.slice(0, 20),
    ...(wrong.length > 20 ? [`and ${wrong.length - 20} more`] : []),
    ...(late - early > GROWTH ? [`memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`] : []),
    ...left.map((what) => `left behind: ${what}`),
  ]
  const list = (all) => Object.entries(all).map(([name, count]) => `${name} ${count}`).join(', ') // biome-ignore format: short
  console.log(`${seconds.toFixed(0)} s; told: ${list(counts)}; hosts: ${list(faults)}`)
  console.log(`memory: ${early.toFixed(0)} MB in the first fifth, ${late.toFixed(0)} MB in the last, ${peak.toFixed(0)} MB at most`)
  for (const line of bad) console.log(`WRONG ${line}`)
  if (process.env.SOAK_OUTPUT) writeFileSync(process.env.SOAK_OUTPUT, text)
  process.exitCode = bad.length === 0 ? 0 : 1
} finally {
  clear()
}
