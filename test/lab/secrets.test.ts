/** Logging in and becoming another user, right and wrong; and that nobody sees the secrets: not on the hosts, not in what is told. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { address, clean, Folder, hosts, KEY, LAB_SH, on, type Ran } from './kit.ts'

const [first] = hosts as [string]
const folder = new Folder()
const PASSWORD = 'S3CRpassword'
const VAULT = 'S3CRvaulted'
const HIDDEN = 'S3CRhidden'
const WEB = 'S3CRweb'

/** Users under rules that sudoers can have; a sudo that asks in another language. */
const PREPARE = `
for u in labpw labtty labno labru; do
  id $u >/dev/null 2>&1 || useradd -m -s /bin/bash $u
  echo "$u:${PASSWORD}" | chpasswd
  mkdir -p -m 700 /home/$u/.ssh; cp /root/.ssh/authorized_keys /home/$u/.ssh/; chown -R $u: /home/$u/.ssh
done
cat >/etc/sudoers.d/labsecrets <<E
labpw,labru ALL=(ALL) ALL
labtty ALL=(ALL) NOPASSWD:ALL
Defaults:labtty requiretty
Defaults:labpw,labno timestamp_timeout=0
E
cat >/usr/local/bin/sudo-ru <<'E'
#!/bin/sh
for try in 1 2 3; do
  printf '[sudo] пароль для %s: ' "$(id -un)" >&2
  IFS= read -r word || exit 1
  echo >&2
  if printf '%s\\n' "$word" | sudo -S -p '' true 2>/dev/null; then
    while [ "$1" != sh ]; do shift; done
    exec sudo -n "$@"
  fi
  echo 'Попробуйте ещё раз.' >&2
done
exit 1
E
chmod 755 /usr/local/bin/sudo-ru
echo 'Defaults:labru timestamp_timeout=1, timestamp_type=global' >>/etc/sudoers.d/labsecrets
command -v doas >/dev/null || apt-get -qq install -y doas >/dev/null 2>&1
printf 'permit nopass admin\\npermit labpw\\n' >/etc/doas.conf
`
const TIDY = `rm -f /etc/sudoers.d/labsecrets /usr/local/bin/sudo-ru /etc/doas.conf; for u in labpw labtty labno labru; do pkill -u $u; sleep 0.2; userdel -rf $u; done 2>/dev/null; :`

beforeAll(() => void on(first, PREPARE))
afterAll(() => {
  on(first, TIDY)
  folder.remove()
})

const who = '- {name: who, command: id -un, register: r}\n- {debug: {msg: "I am {{ r.stdout }}"}}'
const asked = { ansible_user: 'labpw', ansible_become: 'true' }

interface Case {
  readonly name: string
  readonly vars: Readonly<Record<string, string>>
  readonly says: RegExp
  readonly word?: 'FAILED' | 'UNREACHABLE'
}

const cases: readonly Case[] = [
  { name: 'sudo without a password', vars: { ansible_become: 'true' }, says: /I am root/ },
  { name: 'sudo with a password', vars: { ...asked, ansible_become_password: PASSWORD }, says: /I am root/ },
  {
    name: 'sudo with flags of one’s own',
    vars: { ...asked, ansible_become_password: PASSWORD, ansible_become_flags: '-E' },
    says: /I am root/,
  },
  {
    name: 'sudo to another than root',
    vars: { ...asked, ansible_become_password: PASSWORD, ansible_become_user: 'games' },
    says: /I am games/,
  },
  { name: 'sudo that demands a terminal', vars: { ansible_user: 'labtty', ansible_become: 'true' }, says: /I am root/ },
  {
    name: 'a sudo that asks in another language',
    vars: { ...asked, ansible_user: 'labru', ansible_become_password: PASSWORD, ansible_become_exe: '/usr/local/bin/sudo-ru' },
    says: /I am root/,
  },
  {
    name: 'a wrong password in another language',
    vars: { ...asked, ansible_become_password: 'S3CRwrong', ansible_become_exe: '/usr/local/bin/sudo-ru' },
    says: /FAILED!.*cannot become root with sudo: the password is wrong/,
    word: 'FAILED',
  },
  {
    name: 'a wrong password',
    vars: { ...asked, ansible_become_password: 'S3CRwrong' },
    says: /FAILED!.*cannot become root with sudo: the password is wrong/,
    word: 'FAILED',
  },
  { name: 'no password where one is asked for', vars: asked, says: /FAILED!.*sudo said: sudo: a password is required/, word: 'FAILED' },
  {
    name: 'a user whom sudo refuses',
    vars: { ansible_user: 'labno', ansible_become: 'true', ansible_become_password: PASSWORD },
    says: /FAILED!.*sudo said: labno is not in the sudoers file/,
    word: 'FAILED',
  },
  {
    name: 'a command for which there is no sudo',
    vars: { ansible_become: 'true', ansible_become_exe: '/no/sudo' },
    says: /FAILED!.*cannot become root with sudo: .*\/no\/sudo/,
    word: 'FAILED',
  },
  {
    name: 'su',
    vars: { ansible_become: 'true', ansible_become_method: 'su', ansible_become_user: 'labpw', ansible_become_password: PASSWORD },
    says: /I am labpw/,
  },
  {
    name: 'su with a wrong password',
    vars: { ansible_become: 'true', ansible_become_method: 'su', ansible_become_user: 'labpw', ansible_become_password: 'S3CRwrong' },
    says: /FAILED!.*cannot become labpw with su/,
    word: 'FAILED',
  },
  {
    name: 'doas',
    vars: { ansible_become: 'true', ansible_become_method: 'doas' },
    says: /I am root/,
  },
  { name: 'doas with a password', vars: { ...asked, ansible_become_method: 'doas', ansible_become_password: PASSWORD }, says: /I am root/ },
  {
    name: 'doas with a wrong password',
    vars: { ...asked, ansible_become_method: 'doas', ansible_become_password: 'S3CRwrong' },
    says: /FAILED!.*cannot become root with doas/,
    word: 'FAILED',
  },
  {
    name: 'logging in with a password',
    vars: { ansible_user: 'labpw', ansible_ssh_private_key_file: '', ansible_password: PASSWORD },
    says: /I am labpw/,
  },
  {
    name: 'logging in with a wrong password',
    vars: { ansible_user: 'labpw', ansible_ssh_private_key_file: '', ansible_password: 'S3CRwrong' },
    says: /UNREACHABLE!.*does not let us in as labpw/,
    word: 'UNREACHABLE',
  },
]

describe('who one is', () => {
  let ran: Ran
  let isClean: () => Promise<void>
  // all at once: each case is a host of the inventory
  beforeAll(async () => {
    isClean = clean(first)
    const line = ({ vars }: Case, index: number): string =>
      `case${index} ansible_host=${address(first)} ${Object.entries(vars)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(' ')}`
    ran = await folder.run(who, { inventory: cases.map(line), args: ['-f', '30'], env: { HOME: folder.path } })
  }, 120_000)

  it.each(cases.map((each, index) => [each.name, each, index] as const))('%s', (_, { says, word = 'ok' }, index) => {
    const said = ran.text.split(/\n(?=\S+: \[|TASK|PLAY)/).filter((part) => new RegExp(`^\\S+: \\[case${index}\\]`).test(part))
    expect(said.join('\n')).toMatch(says)
    expect(ran.text).toMatch(
      new RegExp(
        `^case${index} +: ${word === 'ok' ? 'ok=2 .*unreachable=0 +failed=0' : word === 'FAILED' ? 'ok=0 .*failed=1' : 'ok=0 .*unreachable=1'} `,
        'm',
      ),
    )
  })

  it('is told soon, without any password, and nothing is left', async () => {
    expect(ran.text).not.toContain('S3CR')
    expect(ran.seconds).toBeLessThan(40)
    await isClean()
  })
})

describe('the host’s key', () => {
  const strict = (known: string): Record<string, string> => ({
    ansible_host_key_checking: 'true',
    ansible_ssh_common_args: `"-o UserKnownHostsFile=${known}"`,
  })
  const scanned = (): string => execFileSync('ssh-keyscan', ['-t', 'ed25519', address(first)], { encoding: 'utf8', stdio: 'pipe' })

  it('that is known lets us in', async () => {
    const { code } = await folder.run(who, { on: [first], vars: strict(folder.file('known', scanned())) })
    expect(code).toBe(0)
  })

  it('that is not known does not', async () => {
    const { code, text } = await folder.run(who, { on: [first], vars: strict(folder.file('none', '')) })
    expect(text).toMatch(/UNREACHABLE!.*key.*not known|UNREACHABLE!.*unknown/i)
    expect(code).toBe(4)
  })

  it('that has changed does not, and this is said', async () => {
    const other = readFileSync(`${KEY}.pub`, 'utf8').split(' ').slice(0, 2).join(' ')
    const { code, text } = await folder.run(who, { on: [first], vars: strict(folder.file('other', `${address(first)} ${other}\n`)) })
    expect(text).toMatch(/UNREACHABLE!.*(changed|differs|another key|not the one)/i)
    expect(code).toBe(4)
  })
})

describe('secrets', () => {
  it('are seen nowhere: not among the hosts’ processes, not in files that others can read, not in what is told', {
    timeout: 120_000,
  }, async () => {
    const server = createServer((request, response) => {
      const right = request.headers.authorization === `Basic ${Buffer.from(`me:${WEB}`).toString('base64')}`
      response.writeHead(right ? 200 : 401, { 'WWW-Authenticate': 'Basic realm="x"' }).end(right ? 'let in' : 'no')
    })
    await new Promise<void>((resolve) => server.listen(0, '10.77.0.1', resolve))
    const { port } = server.address() as { port: number }
    const vaultPassword = folder.file('vault-password', 'S3CRvaultkey\n')
    const vars = folder.file('vars.yml', `sealed: ${VAULT}\nsealed_pw: ${PASSWORD}\nweb: ${WEB}\n`)
    execFileSync(process.execPath, [folder.main, 'vault', 'encrypt', '--vault-password-file', vaultPassword, vars])
    const tasks = `- hosts: all
  gather_facts: true
  become: true
  vars_files: [${vars}]
  vars: {ansible_become_password: "{{ sealed_pw }}"}
  tasks:
    - {name: file, copy: {content: "{{ sealed }}", dest: /root/fault-secret, mode: "0600"}}
    - {name: large file, copy: {content: "{{ (sealed ~ ' ') * 20000 }}", dest: /root/fault-secret, mode: "0600"}, diff: false}
    - {name: printed, command: head -c 60 /root/fault-secret, register: printed}
    - {name: input, command: {cmd: wc -c, stdin: "{{ sealed }}"}}
    - {name: environment, shell: 'sleep 0.5; echo "$WORD"', environment: {WORD: "{{ sealed }}"}}
    - {name: hidden, command: {cmd: cat, stdin: ${HIDDEN}}, no_log: true, register: hidden}
    - {name: hidden again, debug: {msg: "{{ hidden.stdout }}"}, no_log: true}
    - {name: fails, command: {cmd: cat /root/fault-secret /no/such/file}, ignore_errors: true}
    - {name: web, uri: {url: "http://10.77.0.1:${port}/", user: me, password: "{{ web }}", force_basic_auth: true, return_content: true}, register: page}
    - {name: user, user: {name: labno, password: "{{ sealed | password_hash('sha512', 'S3CRsalt') }}"}}
    - {name: looped, command: {cmd: cat, stdin: "{{ item }}"}, loop: ["{{ sealed }}"]}
    - {name: gone, file: {path: /root/fault-secret, state: absent}}
    - {debug: {msg: "page {{ page.content }}"}}
`
    const isClean = clean(first)
    // who looks must not be seen: it names the word it looks for in two parts
    const spy = spawn('bash', [LAB_SH, 'exec', first, 'bash', '-c', SPY], { stdio: ['pipe', 'pipe', 'inherit'] })
    let seen = ''
    spy.stdout.on('data', (chunk) => (seen += chunk))
    const looked = new Promise((resolve) => spy.on('close', resolve))
    const log = `${folder.path}/log`
    const ran = await folder.run(tasks, {
      on: [first],
      vars: { ansible_user: 'labpw' },
      args: ['-vvvv', '--diff', '--vault-password-file', vaultPassword],
      env: { ANSIBLE_LOG_PATH: log },
    })
    server.close()
    spy.stdin.end()
    await looked
    expect(ran.text).toContain('"msg": "page let in"')
    expect(ran.code).toBe(0)
    expect(seen.split('\n').at(-2)).toMatch(/^looked \d\d/)
    expect(seen.split('\n').filter((line) => line.includes('S3CR'))).toEqual([])
    for (const text of [ran.text, readFileSync(log, 'utf8')]) {
      expect(text.split('\n').filter((line) => line.includes('S3CR'))).toEqual([])
    }
    await isClean()
  })
})

/** Looks at all processes and at readable files for as long as there is input. */
const SPY = `w=S3; n=0
exec 3<&0; cat <&3 >/dev/null & alive=$!
while kill -0 $alive 2>/dev/null; do
  cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -aoE "\${w}CR[a-z]+" | sed 's/^/process: /'
  find /tmp /var/tmp /home /root /dev/shm -type f -perm /044 -exec grep -la "\${w}CR" {} + 2>/dev/null | sed "s/^/\${w}CR in file: /"
  n=$((n + 1))
done
echo "looked $n"`
