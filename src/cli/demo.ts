/** `npm run demo`: the main job on three embedded SSH hosts, without root and without touching the machine; `--cluster` does it in the lab. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Fleet, startFleet } from './fleet/index.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { exitCodeOf, tellError } from './trouble.ts'

const HOME = join(dirname(fileURLToPath(import.meta.url)), '..')
const NAMES = ['web1', 'web2', 'lb1']
const FIRST_STAGES = 'bootstrap-os,preinstall,container-engine,download,etcd'

const USAGE = `npm run demo [-- OPTION]

  (nothing)   runs playbooks/demo/site.yml on three embedded SSH hosts in a scratch folder
  --keep      leaves the hosts running until Ctrl-C and tells how to reach them
  --cluster   as root on Debian: starts the lab and runs the first stages of playbooks/cluster.yml on three real hosts
`

async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  const unknown = argv.find((word) => !['--keep', '--cluster', '--help', '-h'].includes(word))
  if (unknown !== undefined || argv.includes('--help') || argv.includes('-h')) {
    terminal[unknown === undefined ? 'out' : 'err'](unknown === undefined ? USAGE : `there is no option ${unknown}\n\n${USAGE}`)
    return unknown === undefined ? 0 : 2
  }
  return argv.includes('--cluster') ? cluster(terminal) : embedded(terminal, argv.includes('--keep'))
}

async function embedded(terminal: Terminal, keep: boolean): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tsspray-demo-'))
  const fleet = await startFleet(NAMES.length, folder, { name: (index) => NAMES[index]! })
  try {
    const inventory = join(folder, 'inventory.ini')
    writeFileSync(inventory, inventoryOf(fleet))
    terminal.out(
      `Three SSH hosts run on this machine, each in a folder below ${folder}.\n\n  tsspray playbooks/demo/site.yml -i ${inventory}\n`,
    )
    const { run } = await import('./commands/playbook.ts')
    const code = await run([join(HOME, 'playbooks/demo/site.yml'), '-i', inventory], terminal)
    terminal.out(keep ? reachable(inventory) : NEXT)
    if (keep) await stopped()
    return code
  } finally {
    await fleet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The run is over: what it did at a signal is done no more. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal).once(signal, () => resolve())
  })
}

function inventoryOf({ hosts, user, keyFile, knownHostsFile }: Fleet): string {
  const line = (name: string) => `${name} ansible_host=127.0.0.1 ansible_port=${hosts.find((h) => h.name === name)!.port}`
  return `[web]
${line('web1')}
${line('web2')}

[balancer]
${line('lb1')}

[all:vars]
ansible_user=${user}
ansible_ssh_private_key_file=${keyFile}
ansible_ssh_common_args=-o UserKnownHostsFile=${knownHostsFile} -o IdentitiesOnly=yes
`
}

const NEXT = `The hosts are gone again. Try next:

  npm run demo -- --keep                                        the same, and the hosts stay for your own commands
  npx tsspray exec all -i HOST, -u USER -m setup                facts of a host of yours
  npx tsspray playbook.yml -i inventory.ini --check --diff      what a playbook of yours would change
`

const reachable = (inventory: string): string => `The hosts stay until Ctrl-C. In another terminal, in this folder:

  npx tsspray exec all -i ${inventory} -m command -a 'ls -l site'
  npx tsspray playbooks/demo/site.yml -i ${inventory} -e site_version=2.0 --diff
`

/** The first stages of a cluster on three hosts of the lab. */
function cluster(terminal: Terminal): number {
  const lab = join(HOME, 'test/lab/lab.sh')
  if (!existsSync(lab)) {
    terminal.err('the lab is part of the source checkout, not of the package\n')
    return 1
  }
  const step = (...argv: string[]): number =>
    spawnSync('bash', [lab, ...argv], { cwd: HOME, stdio: 'inherit', env: { ...process.env, PYTHON: '0' } }).status ?? 1
  const up = step('up', '3')
  if (up !== 0) return up
  const code = step(
    'in',
    'node',
    join(HOME, 'dist/main.js'),
    'playbooks/cluster.yml',
    '-i',
    'inventory/lab/inventory.ini',
    '-b',
    '--tags',
    FIRST_STAGES,
  )
  terminal.out('\nThe hosts stay. Look at them with `npm run lab -- ssh 1`, remove them with `npm run lab -- down`.\n')
  return code
}

const terminal = openTerminal(process)
const keepAlive = setInterval(() => undefined, 1 << 30)
main(process.argv.slice(2), terminal)
  .catch(async (error: unknown) => {
    await tellError(error, terminal)
    return exitCodeOf(error)
  })
  .then(async (code) => {
    clearInterval(keepAlive)
    await terminal.flush()
    process.exit(code)
  })
