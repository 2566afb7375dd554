import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runModule } from '../../../harness/local-host.ts'

/** Package managers as small programs that keep their packages in a file, one `name version` a line. */
const programs: Readonly<Record<string, string>> = {
  rpm: `
case "$1 $2" in
  "-q --whatprovides") grep -q "^$3 " "$DB"; exit $? ;;
  "-qa --qf") while read -r n v; do echo "$n-$v-1.x86_64"; done <"$DB"; exit ;;
esac
case "$1" in
  -qa) while read -r n v; do echo "$n-$v"; done <"$DB" ;;
  -q) grep -q "^$2 " "$DB" ;;
esac`,
  dnf: `
verb=; names=
for w; do case "$w" in -*) ;; *) if [ -z "$verb" ]; then verb=$w; else names="$names $w"; fi ;; esac; done
echo "dnf $*" >>"$LOG"
case $verb in
  check-update) grep -q ' 1$' "$DB" && exit 100; exit 0 ;;
  install) for n in $names; do case $n in nosuch) echo "No match for argument: nosuch" >&2; exit 1 ;; esac; grep -q "^$n " "$DB" || echo "$n 2" >>"$DB"; done ;;
  remove) for n in $names; do grep -v "^$n " "$DB" >"$DB.x"; mv "$DB.x" "$DB"; done ;;
  upgrade) sed 's/ 1$/ 2/' "$DB" >"$DB.x"; mv "$DB.x" "$DB" ;;
esac`,
  apk: `
echo "apk $*" >>"$LOG"
case "$1 $2" in
  "info -v") while read -r n v; do echo "$n-$v-r0"; done <"$DB" ;;
  "info -e") grep -q "^$3 " "$DB" ;;
  "version -q") grep ' 1$' "$DB" | cut -d' ' -f1 ;;
  add*) shift; for n; do case $n in -u) sed 's/ 1$/ 2/' "$DB" >"$DB.x"; mv "$DB.x" "$DB" ;; *) grep -q "^$n " "$DB" || echo "$n 2" >>"$DB" ;; esac; done ;;
  del*) shift; for n; do grep -v "^$n " "$DB" >"$DB.x"; mv "$DB.x" "$DB"; done ;;
esac`,
  zypper: `
echo "zypper $*" >>"$LOG"
case "$*" in
  *list-updates*) echo '<update-list>'; while read -r n v; do [ "$v" = 1 ] && echo "<update kind=\\"package\\" name=\\"$n\\" edition=\\"2\\"/>"; done <"$DB"; echo '</update-list>' ;;
  *" install "*) for n; do last=$n; done; grep -v "^$last " "$DB" >"$DB.x"; echo "$last 2" >>"$DB.x"; mv "$DB.x" "$DB" ;;
  *" remove "*) for n; do last=$n; done; grep -v "^$last " "$DB" >"$DB.x"; mv "$DB.x" "$DB" ;;
esac`,
  pacman: `
echo "pacman $*" >>"$LOG"
case "$1" in
  -Q) if [ -n "$2" ]; then grep -q "^$2 " "$DB"; else cat "$DB"; fi; exit $? ;;
  -Qg) exit 1 ;;
  -Qu) grep ' 1$' "$DB"; exit $? ;;
esac
for n; do last=$n; done
case "$*" in
  *--sync*) grep -v "^$last " "$DB" >"$DB.x"; echo "$last 2" >>"$DB.x"; mv "$DB.x" "$DB" ;;
  *--remove*) grep -v "^$last " "$DB" >"$DB.x"; mv "$DB.x" "$DB" ;;
esac`,
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'managers-'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'db'), 'old 1\nnew 2\n')
  writeFileSync(join(folder, 'log'), '')
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\nDB='${folder}/db' LOG='${folder}/log'${text}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

const db = (): string => readFileSync(join(folder, 'db'), 'utf8').trim().split('\n').filter(Boolean).sort().join(', ')

/** module, arguments, changed, packages afterwards */
type Case = readonly [string, Record<string, string | boolean | string[]>, boolean, string]

const names = { dnf: 'dnf', zypper: 'zypper', apk: 'apk', pacman: 'pacman' } as const

describe.each(Object.keys(names))('%s', (manager) => {
  const cases: readonly Case[] = [
    ['is there', { name: 'old', state: 'present' }, false, 'new 2, old 1'],
    ['is not there', { name: 'x', state: 'present' }, true, 'new 2, old 1, x 2'],
    ['is the latest', { name: 'new', state: 'latest' }, false, 'new 2, old 1'],
    ['is old', { name: 'old', state: 'latest' }, true, 'new 2, old 2'],
    ['is gone', { name: 'x', state: 'absent' }, false, 'new 2, old 1'],
    ['goes', { name: 'old', state: 'absent' }, true, 'new 2'],
  ]
  const env = () => ({ path: `${join(folder, 'bin')}:${process.env.PATH}` })
  // with several packages of other ages check-update speaks for all, so dnf may be asked once too often for what is the latest already
  test.each(cases.filter(([name]) => manager !== 'dnf' || name !== 'is the latest'))('%s', async (_name, args, changed, after) => {
    const { result } = await runModule(manager, args, env())
    expect([result.failed, result.changed, db()]).toEqual([false, changed, after])
  })
  test('check mode only tells', async () => {
    const { result } = await runModule(manager, { name: 'x', state: 'present' }, { ...env(), check: true })
    expect([result.changed, db()]).toEqual([true, 'new 2, old 1'])
  })
})

test('dnf tells what came and why it failed', async () => {
  const env = { path: `${join(folder, 'bin')}:${process.env.PATH}` }
  const { result } = await runModule('ansible.builtin.yum', { name: 'x', enablerepo: 'extra', disable_gpg_check: true }, env)
  expect(result).toMatchObject({ changed: true, rc: 0, results: ['Installed: x-2-1.x86_64'] })
  expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('dnf -y --enablerepo=extra --nogpgcheck install x')
  const failed = await runModule('dnf', { name: 'nosuch' }, env)
  expect(failed.result).toMatchObject({
    failed: true,
    rc: 1,
    msg: 'Failed to install some of the specified packages',
    failures: ['No match for argument: nosuch'],
  })
})

test('package_facts of RPMs and of Alpine', async () => {
  const env = { path: `${join(folder, 'bin')}:${process.env.PATH}` }
  writeFileSync(
    join(folder, 'bin', 'rpm'),
    "#!/bin/sh\nprintf 'bash|5.1|6.el9|(none)|x86_64\\ngpg-pubkey|fd4|5fd|(none)|(none)\\nvim|9|1|2|noarch\\n'\n",
  )
  const rpm = await runModule('package_facts', { manager: 'dnf' }, env)
  expect((rpm.result.ansible_facts as { packages: unknown }).packages).toEqual({
    bash: [{ name: 'bash', version: '5.1', release: '6.el9', epoch: null, arch: 'x86_64', source: 'rpm' }],
    'gpg-pubkey': [{ name: 'gpg-pubkey', version: 'fd4', release: '5fd', epoch: null, arch: null, source: 'rpm' }],
    vim: [{ name: 'vim', version: '9', release: '1', epoch: 2, arch: 'noarch', source: 'rpm' }],
  })
  const apk = await runModule('package_facts', { manager: 'apk' }, env)
  expect((apk.result.ansible_facts as { packages: unknown }).packages).toMatchObject({
    old: [{ name: 'old', version: '1', release: 'r0', source: 'apk' }],
  })
})

describe('yum_repository', () => {
  const args = () => ({
    name: 'extra',
    description: 'Extra',
    baseurl: ['http://a/', 'http://b/'],
    gpgcheck: true,
    reposdir: folder,
    exclude: ['x', 'y'],
  })
  const file = () => readFileSync(join(folder, 'extra.repo'), 'utf8')
  test('comes, stays, changes and goes', async () => {
    expect((await runModule('yum_repository', args())).result).toEqual({ changed: true, repo: 'extra', state: 'present', failed: false })
    expect(file()).toBe('[extra]\nbaseurl = http://a/\n\thttp://b/\nexclude = x y\ngpgcheck = 1\nname = Extra\n\n')
    expect((await runModule('yum_repository', args())).result.changed).toBe(false)
    expect((await runModule('yum_repository', { ...args(), gpgcheck: false })).result.changed).toBe(true)
    expect((await runModule('yum_repository', { name: 'extra', state: 'absent', reposdir: folder })).result.changed).toBe(true)
    expect(() => file()).toThrow()
  })
})
