/**
 * The same tasks by ansible-playbook on a host with Python and by tsspray on a host without: results, files, accounts, packages and units must be the same.
 *
 *   node test/lab/modules/run.mjs [--keep] [CASE…]
 *
 * needs root and the lab, ansible-core and the collections ansible.posix and community.general (Debian: apt install ansible).
 * In the environment: ENGINE (node dist/main.js), ANSIBLE (ansible-playbook), HOSTS ("8 9": the one with Python, the one without).
 * --keep leaves the hosts up. The hosts are made anew first, unless they are up.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { differences, statusOf } from './compare.mjs'
import { KNOWN } from './known.mjs'
import { changesBetween, snapshot } from './snapshot.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')
const [withPython, without] = (process.env.HOSTS ?? '8 9').split(' ').map(Number)
const words = process.argv.slice(2)
const keep = words.includes('--keep')
const wanted = words.filter((word) => !word.startsWith('-'))
const lab = process.env.LAB ?? '/tmp/tsspray-lab'
const work = mkdtempSync(join(tmpdir(), 'tsspray-modules-'))

/** Runs a command; its output as text and its exit status. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    const out = []
    const err = []
    child.stdout.on('data', (chunk) => out.push(chunk))
    child.stderr.on('data', (chunk) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }))
  })
}

const labScript = (...args) => run('bash', [join(root, 'test/lab/lab.sh'), ...args])

async function up() {
  for (const [host, python] of [
    [withPython, '1'],
    [without, '0'],
  ]) {
    const made = await run('bash', [join(root, 'test/lab/lab.sh'), 'up', `${host}-${host}`], { env: { ...process.env, PYTHON: python } })
    if (made.status !== 0) throw new Error(`the lab's host ${host} did not come up:\n${made.out}${made.err}`)
  }
  // the same lists of packages on both, and what the real modules need besides Python
  const needs = 'DEBIAN_FRONTEND=noninteractive apt-get install -yqq python3-debian'
  for (const [host, then] of [
    [withPython, needs],
    [without, 'true'],
  ]) {
    const got = await labScript('exec', String(host), 'sh', '-c', `apt-get -qq update && ${then} && rm -rf /var/lib/apt/lists/*`)
    if (got.status !== 0) throw new Error(`host ${host} was not made ready:\n${got.err}`)
  }
}

const engines = {
  ansible: { host: withPython, words: (process.env.ANSIBLE ?? 'ansible-playbook').split(' ') },
  tsspray: { host: without, words: (process.env.ENGINE ?? `${process.execPath} ${join(root, 'dist/main.js')}`).split(' ') },
}

/** One run of a case by an engine: per task its name, module and result. */
async function play(name, engine, label, options) {
  const { host, words: command } = engines[engine]
  const folder = join(work, `${engine}-${name}-${label}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'inventory.ini'), `[target]\nthere ansible_host=10.77.0.${10 + host} ansible_user=root ansible_ssh_private_key_file=${lab}/key\n`)
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('ANSIBLE'))),
    ...(process.env.ANSIBLE_COLLECTIONS_PATH === undefined ? {} : { ANSIBLE_COLLECTIONS_PATH: process.env.ANSIBLE_COLLECTIONS_PATH }),
    ANSIBLE_HOST_KEY_CHECKING: '0',
    ANSIBLE_PIPELINING: '1',
    ANSIBLE_STDOUT_CALLBACK: engine === 'ansible' ? 'ansible.posix.json' : 'json',
    ANSIBLE_LOCALHOST_WARNING: '0',
    LC_ALL: 'C.UTF-8',
    ANSIBLE_NOCOLOR: '1',
  }
  const all = ['in', ...command, '-i', join(folder, 'inventory.ini'), join(work, `${name}.yml`), ...options]
  const { out, err } = await run('bash', [join(root, 'test/lab/lab.sh'), ...all], { cwd: work, env })
  writeFileSync(join(folder, 'out.json'), out)
  writeFileSync(join(folder, 'err.txt'), err)
  let told
  try {
    told = JSON.parse(out.slice(out.indexOf('{\n')))
  } catch {
    throw new Error(`${engine} on ${name} (${label}) printed no JSON:\n${out.slice(0, 2000)}\n${err.slice(0, 2000)}`)
  }
  return told.plays.flatMap(({ tasks }) => tasks).map(({ task, hosts }) => ({ name: task.name, result: hosts.there ?? {} }))
}

const both = (make) => Promise.all([make('ansible'), make('tsspray')])

/** The release of ansible-core that is compared with, as a number: 2.14 is 214. */
async function release() {
  const [command, ...rest] = engines.ansible.words
  const { out } = await run(command, [...rest, '--version'])
  const [, major, minor] = /core (\d+)\.(\d+)/.exec(out) ?? []
  if (major === undefined) throw new Error(`this is no ansible-playbook: ${engines.ansible.words.join(' ')}`)
  return Number(major) * 100 + Number(minor)
}

/** The tasks of a case that this release has the arguments for: `since: 216` beside them says from which on. */
function tasksFor(name, of) {
  const tasks = parse(readFileSync(join(here, 'cases', `${name}.yml`), 'utf8'))
  return tasks.filter(({ since = 0 }) => since <= of).map(({ since, ...task }) => task)
}

async function check(name, of) {
  const tasks = tasksFor(name, of)
  for (const folder of ['files', 'templates']) cpSync(join(here, 'cases', folder), join(work, folder), { recursive: true })
  const server = { server: `http://10.77.0.1:${process.env.PORT ?? 8099}` }
  writeFileSync(
    join(work, `${name}.yml`),
    JSON.stringify([{ hosts: 'target', gather_facts: true, ignore_errors: true, vars: { d: `/srv/${name}`, ...server }, tasks }]),
  )
  const found = []
  const tell = (what, lines) => found.push(...lines.map((line) => `${what}: ${line}`).filter((line) => !KNOWN.some(([pattern, , before = 1000]) => of < before && pattern.test(line))))
  const look = () => both((engine) => snapshot((command) => labScript('exec', String(engines[engine].host), 'sh', '-c', command)))
  await both((engine) => labScript('exec', String(engines[engine].host), 'rm', '-rf', `/srv/${name}`))
  const before = await look()
  const checked = await both((engine) => play(name, engine, 'check', ['--check']))
  const afterCheck = await look()
  tell('check writes', changesBetween(before[1], afterCheck[1]))
  const first = await both((engine) => play(name, engine, 'first', []))
  const after = await look()
  const second = await both((engine) => play(name, engine, 'second', []))
  for (const [index, { name: task, result }] of first[0].entries()) {
    const ours = first[1][index]
    if (ours?.name !== task) {
      tell('order', [`task ${index} is ${task} there and ${ours?.name} here`])
      break
    }
    tell(task, differences(result, ours.result))
    tell(`${task} (second)`, statuses(second, index))
    tell(`${task} (check)`, statuses(checked, index))
  }
  const [theirs, mine] = [0, 1].map((i) => changesBetween(before[i], after[i]))
  tell('only there', theirs.filter((line) => !mine.includes(line)))
  tell('only here', mine.filter((line) => !theirs.includes(line)))
  return { tasks: first[0].length, found }
}

function statuses(runs, index) {
  const [theirs, ours] = runs.map((run) => statusOf(run[index]?.result ?? {}))
  return theirs === ours ? [] : [`${theirs} there, ${ours} here`]
}

let failed = 0
let tasks = 0
let http
try {
  await up()
  http = spawn('bash', [join(root, 'test/lab/lab.sh'), 'in', process.execPath, join(here, 'server.mjs'), process.env.PORT ?? '8099'], { stdio: ['pipe', 'ignore', 'inherit'] })
  const of = await release()
  const names = readdirSync(join(here, 'cases')).flatMap((file) => (file.endsWith('.yml') ? [file.slice(0, -4)] : []))
  for (const name of wanted.length > 0 ? wanted : names.sort()) {
    const start = Date.now()
    const outcome = await check(name, of)
    tasks += outcome.tasks
    failed += outcome.found.length
    for (const line of outcome.found) console.log(`  ${line}`)
    console.log(`${outcome.found.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${outcome.tasks} tasks, ${outcome.found.length} differences, ${Math.round((Date.now() - start) / 1000)} s`)
  }
} finally {
  http?.stdin.end()
  if (!keep) for (const host of [withPython, without]) await labScript('down', `${host}-${host}`)
  if (failed === 0) rmSync(work, { recursive: true, force: true })
  else console.log(`the outputs are in ${work}`)
}
console.log(`${tasks} tasks, ${failed} differences`)
process.exitCode = failed === 0 && tasks > 0 ? 0 : 1
