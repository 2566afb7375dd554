import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/base/index.ts'
import { allModules } from '../../../src/modules/index.ts'
import type { Param, Params } from '../../../src/params/index.ts'
import { runModule } from '../../harness/local-host.ts'

/**
 * Names made of the shell's marks never run anything: every text of every module is given one that would leave a file behind, and all that the module
 * runs is run, in a root of its own that holds a shell, a few tools and programs that do nothing.
 */
const MARK = '/was-here'
const MARKS = [`a'$(touch ${MARK})`, `b"\`touch ${MARK}\``, `c';touch ${MARK};'`, `d\ntouch ${MARK}\n`, `-e|touch ${MARK}&`]

const TOOLS =
  'awk basename cat chmod chown cp cut date dirname echo env expr find grep head id ln ls md5sum mkdir mktemp mv printf readlink rm rmdir sed sha1sum sha256sum sort stat tail tar tee test touch tr uname wc xargs'.split(
    ' ',
  )
const IDLE =
  'apk apt-cache apt-get apt-key apt-mark at atq atrm at blkid bundle chattr crontab curl debconf-set-selections dnf dpkg dpkg-query firewall-cmd gem getcap getent getfacl getfattr git groupadd groupdel groupmod helm hostname hostnamectl iptables kubectl localectl locale-gen lvcreate lvs make mount modprobe nmcli npm openssl pacman patch pip pip3 pvcreate pvs rpm rsync semanage service setcap setfacl setfattr snap ssh-keygen svn swapon sysctl systemctl timedatectl udevadm ufw umount update-alternatives useradd userdel usermod vgcreate vgs visudo wget wipefs yarn zypper'.split(
    ' ',
  )

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'root-'))
  for (const folder of ['bin', 'tmp', 'etc', 'dev', 'proc', 'root']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'dev/null'), '')
  for (const file of ['passwd', 'group', 'fstab']) writeFileSync(join(root, 'etc', file), '')
  for (const program of ['dash', 'busybox']) install(program)
  symlinkSync('dash', join(root, 'bin/sh'))
  for (const tool of TOOLS) symlinkSync('busybox', join(root, 'bin', tool))
  for (const program of new Set(IDLE)) writeFileSync(join(root, 'bin', program), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Copies a program with the libraries that it needs. */
function install(program: string): void {
  const source = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
  const target = join(root, 'bin', program)
  copyFileSync(source, target)
  chmodSync(target, 0o755)
  const libraries = execFileSync('sh', ['-c', `ldd ${source} 2>/dev/null || :`], { encoding: 'utf8' }).match(/\/\S+(?= \()/g) ?? []
  for (const library of libraries) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
}

/** A value of a parameter's type with the text wherever a text may be; undefined where it takes none. */
function filled(param: Param, text: string): Json | undefined {
  if (param.choices) return undefined
  if (['str', 'path', 'raw', 'json'].includes(param.type)) return text
  if (param.type === 'list')
    return param.options
      ? [inside(param.options, text)]
      : param.elements === 'dict'
        ? [{ [text]: text }]
        : ['str', 'path', 'raw'].includes(param.elements ?? 'str')
          ? [text]
          : undefined
  if (param.type === 'dict') return param.options ? inside(param.options, text) : { [text]: text }
  return undefined
}

const inside = (params: Params, text: string): JsonObject =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, param]) => {
      const value = filled(param, text) ?? (param.required ? plain(param) : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** A harmless value. */
function plain(param: Param): Json {
  if (param.choices) return param.choices[0] as Json
  const values: Readonly<Record<string, Json>> = { int: 1, float: 1, bool: true, list: ['x'], dict: {} }
  return values[param.type] ?? '/x'
}

const required = (params: Params): JsonObject =>
  Object.fromEntries(
    Object.entries(params)
      .filter(([, param]) => param.required)
      .map(([name, param]) => [name, plain(param)]),
  )

/** What waits has little time; what a module fails with does not matter here. */
async function ran(module: string, args: JsonObject, check: boolean): Promise<void> {
  const options = {
    shell: ['chroot', root, '/bin/sh'],
    path: '/bin:/usr/sbin:/usr/bin',
    env: { HOME: '/root', TMPDIR: '/tmp' },
    check,
    diff: true,
    facts: { pkg_mgr: 'apt', service_mgr: 'systemd', os_family: 'Debian', system: 'Linux', distribution: 'Debian' },
  }
  const late = new Promise<void>((resolve) => setTimeout(resolve, 1500).unref())
  await Promise.race([
    runModule(module, args, options).then(
      () => undefined,
      () => undefined,
    ),
    late,
  ])
}

const BUSY = new Set(['reboot', 'wait_for', 'wait_for_connection', 'pause', 'shell', 'raw', 'script', 'command', 'expect'])
const modules = allModules().filter((module) => !module.controllerOnly && !BUSY.has(module.name.slice(module.name.lastIndexOf('.') + 1)))

/** Another root needs to be root. */
describe.runIf(process.getuid?.() === 0)('names made of metacharacters', () => {
  test('the root notices what runs', async () => {
    await ran('ansible.builtin.shell', { cmd: `touch ${MARK}` }, false)
    expect(existsSync(join(root, MARK))).toBe(true)
    rmSync(join(root, MARK))
  })

  test.each(modules.map((module) => [module.name, module] as const))('%s', async (name, module) => {
    const base = required(module.params)
    let at = 0
    for (const [key, param] of Object.entries(module.params)) {
      const text = MARKS[at++ % MARKS.length]!
      const value = filled(param, text)
      if (value === undefined) continue
      await ran(name, { ...base, [key]: value }, false)
      expect(existsSync(join(root, MARK)), `${name}: ${key}`).toBe(false)
    }
    for (const text of MARKS) {
      await ran(name, inside(module.params, text), false)
      expect(existsSync(join(root, MARK)), `${name}: all`).toBe(false)
    }
  })
})
