// node test/integration/run.mjs ANSIBLE_CHECKOUT [TARGET…] → which of ansible-core's own integration targets pass with tsspray in place of its programs.
// As root on Linux: each target runs in namespaces of its own, on an overlay of the whole machine that is thrown away, and without a network.
// PACKAGES=DIR with Python's pexpect, ptyprocess and passlib unpacked and as wheels, for the targets that drive a terminal or install them.
// DEBS=DIR with Debian packages that targets install (apt-get install --download-only); NETWORK=1 leaves them the machine's network.
// TSSPRAY="node dist/main.js" the program; REFERENCE=1 runs Ansible itself; LOGS=DIR keeps what targets print; JOBS=2; SECONDS=600 for each target.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { whyNot } from './not-applicable.mjs'

const [given, ...wanted] = process.argv.slice(2)
const checkout = resolve(given)
const targets = join(checkout, 'test/integration/targets')
const program = process.env.TSSPRAY ?? `node ${resolve(import.meta.dirname, '../../dist/main.js')}`
const logs = resolve(process.env.LOGS ?? mkdtempSync(join(tmpdir(), 'targets-')))
const seconds = Number(process.env.SECONDS ?? 600)
mkdirSync(logs, { recursive: true })

const COMMANDS = { 'ansible-playbook': '', ansible: 'exec', 'ansible-inventory': 'inventory', 'ansible-vault': 'vault', 'ansible-doc': 'doc', 'ansible-config': 'config' }

/** What a target whose aliases say needs/ssh finds: a server that lets root in, plain shells, and no sshpass, which they do without. */
const SSH_SERVER = `rm -f /usr/bin/sshpass ~/.bashrc ~/.profile ~/.bash_profile; mkdir -p /run/sshd && ssh-keygen -q -A && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519
cat ~/.ssh/id_ed25519.pub >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys
printf 'PermitRootLogin yes\\nUsePAM yes\\nMaxStartups 100\\nSubsystem sftp internal-sftp\\n' > /run/sshd/config
/usr/sbin/sshd -f /run/sshd/config`

/** What a target finds that asks for the machine's network: a way out that leads nowhere. */
const ROUTE = `mount -t sysfs none /sys
ip link add net0 type veth peer name net1 && ip link set net0 up && ip link set net1 up
ip address add 192.0.2.1/24 dev net0 && ip route add default via 192.0.2.2`
const ROUTED = new Set(['facts_linux_network'])

const bin = writeCommands()

const names = wanted.length > 0 ? wanted : readdirSync(targets).filter((name) => !/^(setup|prepare)_/.test(name))
const results = new Map()
const waiting = [...names]
await Promise.all(Array.from({ length: Number(process.env.JOBS ?? 2) }, work))
const sorted = names.map((name) => [name, results.get(name)])
console.log(`\n| target | result |\n|---|---|\n${sorted.map(([name, result]) => `| ${name} | ${result} |`).join('\n')}`)
const count = (start) => sorted.filter(([, result]) => result.startsWith(start)).length
console.log(`\npass ${count('pass')}, fail ${count('fail')}, not applicable ${count('not applicable')}`)

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const reason = whyNot(name, aliasesOf(name))
    const result = reason && wanted.length === 0 ? `not applicable: ${reason}` : await run(name)
    results.set(name, result)
    console.log(`${name}: ${result}`)
  }
}

function aliasesOf(name) {
  const file = join(targets, name, 'aliases')
  return existsSync(file) ? readFileSync(file, 'utf8').replace(/#.*/g, '').split(/\s+/) : []
}

/** The programs' names, leading to tsspray or to the checkout's own. */
function writeCommands() {
  const folder = join(logs, 'bin')
  mkdirSync(folder, { recursive: true })
  for (const [name, verb] of Object.entries(COMMANDS)) {
    const own = `PYTHONPATH=${checkout}/lib exec /usr/bin/python3 -m ansible ${name === 'ansible' ? 'adhoc' : name.slice(8)} "$@"`
    writeFileSync(join(folder, name), `#!/bin/sh\n${process.env.REFERENCE ? own : `exec ${program} ${verb} "$@"`}\n`, { mode: 0o755 })
  }
  // what ansible-test brings: of a virtual environment only the folder, for nothing is installed
  writeFileSync(join(folder, 'virtualenv.sh'), 'mkdir -p "$OUTPUT_DIR/venv/bin" && ln -sf /usr/bin/python3 "$OUTPUT_DIR/venv/bin/python" && PATH="$PATH:$OUTPUT_DIR/venv/bin"\n')
  writeFileSync(join(folder, 'python.py'), '#!/bin/sh\nexec /usr/bin/python3 "$@"\n', { mode: 0o755 })
  writeFileSync(join(folder, 'python'), `#!/bin/sh\n${dialogues()}exec /usr/bin/python3 "$@"\n`, { mode: 0o755 })
  if (process.env.PACKAGES) writeFileSync(join(folder, 'pip'), '#!/bin/sh\n', { mode: 0o755 })
  return folder
}

/** Scripts that drive a terminal import pexpect and a few lines of Ansible's; what they start does not get these. */
function dialogues() {
  const path = [join(checkout, 'lib'), process.env.PACKAGES].filter(Boolean).join(':')
  return process.env.PACKAGES ? `case "$1" in test[-_]*.py|./test_*.py) exec /usr/bin/env PYTHONPATH="${path}" /usr/bin/python3 "$@" ;; esac\n` : ''
}

/** A role becomes a playbook; a script is run as it is. */
function commandOf(name) {
  if (existsSync(join(targets, name, 'runme.sh'))) return `cd ${join(targets, name)} && ./runme.sh`
  const facts = !aliasesOf(name).includes('gather_facts/no')
  const playbook = `- hosts: testhost\n  gather_facts: ${facts}\n  vars:\n    output_dir: /tmp/output\n    win_output_dir: x\n  roles:\n    - {role: ${name}}\n`
  return `cd ${join(checkout, 'test/integration')} && cat > target-${name}.yml <<'END'\n${playbook}END\nansible-playbook target-${name}.yml -i /tmp/inventory -v`
}

/** A throwaway copy of the machine with an empty /tmp but for what a target needs of it, and without a network. */
function isolation() {
  const kept = [checkout, join(logs, 'bin'), process.env.PACKAGES ?? ''].filter((folder) => folder.startsWith('/tmp/'))
  return `set -e
mount -t tmpfs none /mnt && mkdir /mnt/root /mnt/tmp && chmod 1777 /mnt/tmp
over() { mkdir -p /mnt/over/$1/upper /mnt/over/$1/work "$3"; mount -t overlay overlay -o "lowerdir=$2,upperdir=/mnt/over/$1/upper,workdir=/mnt/over/$1/work" "$3"; }
over 0 ${process.env.LOWER ?? '/'} /mnt/root
${kept.map((folder, index) => `over ${index + 1} '${folder}' '/mnt${folder}'`).join('\n')}
mount --rbind /mnt/tmp /mnt/root/tmp
${process.env.DEBS ? `cp ${process.env.DEBS}/*.deb /mnt/root/var/cache/apt/archives/` : ''}
for part in dev sys; do mount --rbind /$part /mnt/root/$part; done
mount -t proc proc /mnt/root/proc
ip link set lo up
exec chroot /mnt/root /bin/bash -c "$TARGET"
`
}

function scriptOf(name) {
  const needsSsh = aliasesOf(name).includes('needs/ssh')
  const way = needsSsh ? 'ansible_connection=ssh ansible_host=127.0.0.1 ansible_user=root' : 'ansible_connection=local ansible_pipelining=yes'
  return `set -e
printf '[testgroup]\\ntesthost ${way} ansible_python_interpreter=/usr/bin/python3\\n' > /tmp/inventory
cp /tmp/inventory ${join(checkout, 'test/integration/inventory')}
mkdir -p /tmp/output ~/.ssh && touch ~/.ssh/authorized_keys
${needsSsh ? SSH_SERVER : ''}
${ROUTED.has(name) ? ROUTE : ''}
${commandOf(name)}
`
}

function run(name) {
  const home = join(logs, 'bin')
  const env = {
    ...{ PATH: `${home}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: '/root', USER: 'root', LC_ALL: 'C.UTF-8', TARGET: scriptOf(name) },
    ...{ INVENTORY_PATH: '/tmp/inventory', OUTPUT_DIR: '/tmp/output', JUNIT_OUTPUT_DIR: '/tmp/output', PAGER: '/bin/cat' },
    ...(existsSync(join(targets, name, 'runme.sh')) ? {} : { ANSIBLE_ROLES_PATH: targets }),
    ...{ ANSIBLE_PLAYBOOK_DIR: join(targets, name), ANSIBLE_LIBRARY: '/dev/null' },
    ...{ ANSIBLE_CONFIG: join(checkout, 'test/lib/ansible_test/_data/ansible.cfg') },
    ...{ ANSIBLE_DEPRECATION_WARNINGS: 'true', ANSIBLE_FORCE_COLOR: 'false', ANSIBLE_HOST_KEY_CHECKING: 'false', ANSIBLE_RETRY_FILES_ENABLED: 'false' },
    ...{ ANSIBLE_DEVEL_WARNING: 'false', ANSIBLE_TEST_PYTHON_INTERPRETER: '/usr/bin/python3', ANSIBLE_TEST_PYTHON_VERSION: '3.11', ANSIBLE_TEST_ANSIBLE_LIB_ROOT: join(checkout, 'lib/ansible') },
    ...{ PYTHONPATH: '', ANSIBLE_CONTROLLER_MIN_PYTHON_VERSION: '3.11', ANSIBLE_REMOTE_TMP: '/root/.ansible/tmp', PYTHONDONTWRITEBYTECODE: '1' },
    ...(process.env.PACKAGES ? { PIP_NO_INDEX: '1', PIP_FIND_LINKS: process.env.PACKAGES, PIP_BREAK_SYSTEM_PACKAGES: '1' } : {}),
  }
  return new Promise((done) => {
    const started = Date.now()
    // a file and no pipe: node's pipes are sockets, which `tee /dev/stderr` cannot open
    const log = join(logs, `${name}.log`)
    const file = openSync(log, 'w')
    const command = ['-k', '5', String(seconds), 'unshare', process.env.NETWORK ? '-mpuif' : '-mnpuif', '--kill-child', '--propagation', 'private', 'bash', '-c', isolation()]
    const child = spawn('timeout', command, { env, stdio: ['ignore', file, file] })
    child.on('close', (code) => {
      closeSync(file)
      const output = readFileSync(log, 'utf8')
      const took = `${Math.round((Date.now() - started) / 1000)} s`
      done(code === 0 ? `pass (${took})` : code === 124 ? `fail: not ready after ${seconds} s` : `fail: exit ${code} (${took}): ${lastFault(output)}`)
    })
  })
}

/** The last line that tells of a fault. */
function lastFault(output) {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return (lines.findLast((line) => /^(ERROR!|fatal:|failed:)|Traceback|^\+ (exit 1|false)/.test(line)) ?? lines.at(-1) ?? '').slice(0, 160).replaceAll('|', '¦')
}
