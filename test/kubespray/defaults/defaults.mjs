// Renders every default and role variable of a Kubespray checkout with tsspray and with ansible-core, and prints where they differ.
//
// usage: node test/kubespray/defaults/defaults.mjs CHECKOUT [ROLE…]
// TSSPRAY: the command to try (default: node dist/main.js); ANSIBLE_PYTHON: a Python that has ansible-core 2.18 and the collections (default: python3)
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const HERE = import.meta.dirname
const HOSTS = ['node1', 'node4']

/** Everything that both engines are given: roles without their tasks, the sample inventory with six nodes, cached facts, one playbook. */
export function prepare(checkout, only = []) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'ks-defaults-')))
  const roles = rolesOf(join(checkout, 'roles')).filter((role) => only.length === 0 || only.includes(role))
  for (const role of rolesOf(join(checkout, 'roles'))) linkRole(checkout, dir, role)
  const inventory = join(dir, 'inventory')
  cpSync(join(checkout, 'inventory/sample'), inventory, { recursive: true })
  writeFileSync(join(inventory, 'inventory.ini'), INVENTORY)
  mkdirSync(join(dir, 'facts'))
  for (const host of HOSTS) cpSync(join(HERE, 'facts.json'), join(dir, 'facts', host))
  writeFileSync(join(dir, 'ansible.cfg'), configuration(checkout))
  writeFileSync(join(dir, 'site.json'), JSON.stringify(roles.flatMap((role) => playOf(checkout, role))))
  return { dir, roles }
}

const INVENTORY = `[kube_control_plane]
node1 ansible_host=10.0.0.11 ip=10.0.0.11 etcd_member_name=etcd1
[etcd:children]
kube_control_plane
[kube_node]
node4 ansible_host=10.0.0.14 ip=10.0.0.14
[calico_rr]
[k8s_cluster:children]
kube_control_plane
kube_node
calico_rr
`

const configuration = (checkout) => `[defaults]
roles_path = roles
library = ${checkout}/library
gathering = explicit
fact_caching = jsonfile
fact_caching_connection = facts
fact_caching_timeout = 0
force_valid_group_names = ignore
retry_files_enabled = False
localhost_warning = False
`

/** Every role by its path below `roles`. */
function rolesOf(top) {
  const found = new Set()
  for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
    const role = relative(top, entry.parentPath)
    if (['defaults', 'vars', 'tasks', 'meta'].includes(entry.name) && role !== '' && !/(^|\/)(molecule|tests)(\/|$)/.test(role)) found.add(role)
  }
  return [...found].sort()
}

function linkRole(checkout, dir, role) {
  const target = join(dir, 'roles', role)
  mkdirSync(join(target, 'meta'), { recursive: true })
  for (const part of ['defaults', 'vars', 'meta/main.yml', 'templates', 'files']) {
    const source = join(checkout, 'roles', role, part)
    if (existsSync(source)) symlinkSync(source, join(target, part))
  }
}

/** A play for a role's defaults and variables, and one for each file of variables that its tasks may include. */
function playOf(checkout, role) {
  const base = ['kubespray_defaults', 'kubespray-defaults'].filter((name) => existsSync(join(checkout, 'roles', name, 'defaults'))).slice(0, 1)
  const main = { play: role, roles: [...new Set([...base, role])], names: namesIn(checkout, role, 'defaults').concat(namesIn(checkout, role, 'vars')) }
  const vars = join(checkout, 'roles', role, 'vars')
  const others = existsSync(vars) ? readdirSync(vars).filter((file) => /\.ya?ml$/.test(file) && !/^main\.ya?ml$/.test(file)) : []
  const included = others.map((file) => ({ play: `${role} ${file}`, roles: main.roles, files: [join(vars, file)], names: keysOf(join(vars, file)) }))
  return [main, ...included].filter(({ names }) => names.length > 0).map(asPlay)
}

const asPlay = ({ play, roles, files = [], names }) => ({
  name: play,
  hosts: HOSTS.join(','),
  gather_facts: false,
  vars_files: files,
  roles,
  tasks: [...new Set(names)].map((name) => ({
    name,
    'ansible.builtin.debug': { msg: `{{ lookup('vars', '${name}') | to_json }}` },
    ignore_errors: true,
  })),
})

function namesIn(checkout, role, part) {
  const folder = join(checkout, 'roles', role, part)
  if (!existsSync(folder)) return []
  const main = readdirSync(folder, { recursive: true }).filter((file) => /^main(\.ya?ml$|\/.*\.ya?ml$)/.test(file))
  return main.flatMap((file) => keysOf(join(folder, file)))
}

const keysOf = (path) => Object.keys(parse(readFileSync(path, 'utf8'), { merge: true, logLevel: 'silent' }) ?? {})

/** Map of `play host name` to { value } or { error }. */
export function ours({ dir }, command = `${process.execPath} ${join(HERE, '../../../dist/main.js')}`) {
  const done = run('sh', ['-c', `${command} -i inventory/inventory.ini site.json --output jsonl`], dir, process.env)
  const found = new Map()
  let play = ''
  for (const line of done.stdout.split('\n').filter((text) => text.startsWith('{'))) {
    const event = JSON.parse(line)
    if (event.kind === 'play-start') play = event.name
    if (event.kind !== 'result') continue
    found.set(`${play} ${event.host} ${event.task.name}`, resultOf(event))
  }
  if (found.size === 0) throw new Error(`tsspray told nothing: ${done.stdout.slice(0, 2000)}${done.stderr.slice(0, 2000)}`)
  return found
}

const resultOf = ({ result, status }) => (status === 'failed' ? { error: result.msg } : { value: result.msg })

export function theirs({ dir }, python = process.env.ANSIBLE_PYTHON ?? 'python3') {
  const done = run(python, [join(HERE, 'oracle.py'), 'site.json', 'inventory/inventory.ini'], dir, { ...process.env, ANSIBLE_CONFIG: join(dir, 'ansible.cfg') })
  if (done.status !== 0) throw new Error(`the reference failed: ${done.stderr.slice(-3000)}`)
  const lines = done.stdout.split('\n').filter((line) => line.startsWith('{'))
  return new Map(lines.map((line) => JSON.parse(line)).map(({ play, host, name, ...rest }) => [`${play} ${host} ${name}`, rest]))
}

const run = (program, argv, cwd, env) => spawnSync(program, argv, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 30 })

/** Where the two differ; errors count as equal when both are errors about the same thing. */
export function differences(mine, reference) {
  const names = [...new Set([...reference.keys(), ...mine.keys()])]
  return names.filter((name) => same(mine.get(name)) !== same(reference.get(name))).map((name) => ({ name, ours: mine.get(name), theirs: reference.get(name) }))
}

const same = (one) => (one === undefined ? 'nothing' : 'value' in one ? `value ${one.value}` : `error ${essence(one.error)}`)

/** What is undefined or wrong, without the chain of templates that led there and without the place in the file. */
const essence = (message) => /'[^']+' is undefined|has no attribute '[^']*'|has no element [^ .]*/.exec(message)?.[0] ?? 'other'

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))

function main([checkout, ...only]) {
  if (!checkout) {
    console.error('usage: node defaults.mjs CHECKOUT [ROLE…]')
    process.exit(2)
  }
  const prepared = prepare(realpathSync(checkout), only)
  try {
    const mine = ours(prepared, process.env.TSSPRAY)
    const reference = theirs(prepared)
    const found = differences(mine, reference)
    for (const { name, ours, theirs } of found) console.log(`${name}\n  tsspray  ${JSON.stringify(ours)}\n  ansible  ${JSON.stringify(theirs)}`)
    const errors = [...reference.values()].filter((one) => 'error' in one).length
    if (process.env.ERRORS) for (const [name, { error }] of reference) if (error) console.log(`${name}: ${essence(error)}`)
    console.log(`${prepared.roles.length} roles, ${reference.size} values on ${HOSTS.length} hosts (${errors} of them errors in both), ${found.length} differences`)
    process.exitCode = found.length > 0 ? 1 : 0
  } finally {
    if (!process.env.KEEP) rmSync(prepared.dir, { recursive: true })
    else console.log(prepared.dir)
  }
}
