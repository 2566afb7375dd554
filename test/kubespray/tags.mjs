// node test/kubespray/tags.mjs BARE_REPOSITORY [FIRST_TAG] → does every release of Kubespray since then load and list?
// TSSPRAY="node dist/main.js" says which program; ANSIBLE="ansible-playbook" asks Ansible, too, where tsspray gives an error.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [repository, first = 'v2.15.0'] = process.argv.slice(2)
const program = (process.env.TSSPRAY ?? `node ${join(import.meta.dirname, '../../dist/main.js')}`).split(' ')
const ansible = process.env.ANSIBLE?.split(' ')
const PLAYBOOKS = ['cluster', 'scale', 'upgrade-cluster', 'remove-node', 'reset', 'recover-control-plane'].map((name) => `${name}.yml`)
const LISTS = ['--list-tasks', '--list-tags', '--list-hosts']

const folder = mkdtempSync(join(tmpdir(), 'kubespray-'))
let wrong = 0
try {
  for (const tag of tags()) {
    const tree = join(folder, tag)
    execFileSync('sh', ['-c', 'mkdir "$3" && git -C "$1" archive "$2" | tar x -C "$3"', 'sh', repository, tag, tree])
    const faults = PLAYBOOKS.filter((name) => existsSync(join(tree, name))).flatMap((name) => LISTS.flatMap((list) => fault(tree, name, list)))
    wrong += faults.length
    console.log(`${tag}: ${faults.length === 0 ? 'all lists' : ''}`)
    for (const line of faults) console.log(`  ${line}`)
    rmSync(tree, { recursive: true })
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.exit(wrong > 0 ? 1 : 0)

/** Releases from the first one on, oldest first. */
function tags() {
  const all = execFileSync('git', ['-C', repository, 'tag', '--sort=v:refname'], { encoding: 'utf8' }).split('\n')
  const releases = all.filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag))
  return releases.slice(releases.findIndex((tag) => tag === first))
}

function fault(cwd, name, list) {
  const args = ['-i', existsSync(join(cwd, 'inventory/sample/inventory.ini')) ? 'inventory/sample/inventory.ini' : 'inventory/sample', name, list]
  const ours = run(program, cwd, args)
  if (ours.status === 0) return []
  const theirs = ansible && run(ansible, cwd, args)
  if (theirs && theirs.status !== 0) return []
  return [`${name} ${list}: exit ${ours.status}: ${ours.stderr.split('\n').find((line) => line.startsWith('ERROR')) ?? ours.stderr.slice(0, 300)}`]
}

function run([command, ...before], cwd, args) {
  return spawnSync(command, [...before, ...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
}
