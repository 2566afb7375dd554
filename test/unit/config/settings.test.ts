import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/base/index.ts'
import { loadSettings, type SettingName, settingName, settingNames, tellOrigin } from '../../../src/config/index.ts'

const root = mkdtempSync(join(tmpdir(), 'config-test-'))
const home = join(root, 'home')
const project = join(root, 'project')
mkdirSync(home)
mkdirSync(project)
const file = join(project, 'ansible.cfg')
const systemFile = join(root, 'none.cfg')
const load = (text: string, env: Record<string, string> = {}, flags: Parameters<typeof loadSettings>[0]['flags'] = undefined) => {
  writeFileSync(file, text)
  return loadSettings({ cwd: project, env, home, flags, systemFile })
}

describe('a value', () => {
  type Case = readonly [string, SettingName, unknown, string, Record<string, string>?]
  const cases: readonly Case[] = [
    ['', 'DEFAULT_FORKS', 5, 'default'],
    ['[defaults]\nforks = 20\n', 'DEFAULT_FORKS', 20, `${file}:2`],
    ['[defaults]\nFORKS: 20\n', 'DEFAULT_FORKS', 20, `${file}:2`],
    ['[defaults]\nforks = 20\n', 'DEFAULT_FORKS', 30, 'env: ANSIBLE_FORKS', { ANSIBLE_FORKS: '30' }],
    ['[defaults]\nforks = 20\n', 'DEFAULT_FORKS', 5, 'default', { ANSIBLE_FORKS: '' }],
    ['', 'DEFAULT_TIMEOUT', 10, 'default', { ANSIBLE_TIMEOUT: '' }],
    ['[defaults]\nhost_key_checking=False\n', 'HOST_KEY_CHECKING', false, `${file}:2`],
    ['[defaults]\nhost_key_checking=nonsense\n', 'HOST_KEY_CHECKING', false, `${file}:2`],
    ['[defaults]\nlibrary = ./library\n', 'DEFAULT_MODULE_PATH', [join(project, 'library')], `${file}:2`],
    [
      '[defaults]\nroles_path = roles:$X/r:~/h:$NO/x\n',
      'DEFAULT_ROLES_PATH',
      [join(project, 'roles'), '/x/r', join(home, 'h'), join(project, '$NO/x')],
      `${file}:2`,
      { X: '/x' },
    ],
    ['', 'DEFAULT_ROLES_PATH', [`${home}/.ansible/roles`, '/usr/share/ansible/roles', '/etc/ansible/roles'], 'default'],
    ['[defaults]\nhome = /h\n', 'COLLECTIONS_PATHS', ['/h/collections', '/usr/share/ansible/collections'], 'default'],
    ['[defaults]\ninventory = hosts, /abs\n', 'DEFAULT_HOST_LIST', [join(project, 'hosts'), '/abs'], `${file}:2`],
    ['', 'DEFAULT_HOST_LIST', [join(project, 'a')], 'env: ANSIBLE_INVENTORY', { ANSIBLE_INVENTORY: 'a' }],
    ['[inventory]\nignore_patterns = artifacts, "credentials"\n', 'INVENTORY_IGNORE_PATTERNS', ['artifacts', 'credentials'], `${file}:2`],
    ['[defaults]\nansible_managed = "by hand" ; not\n', 'DEFAULT_MANAGED_STR', 'by hand', `${file}:2`],
    ['[defaults]\nansible_managed = a;b\n', 'DEFAULT_MANAGED_STR', 'a;b', `${file}:2`],
    ['[ssh_connection]\nssh_args = -o A=1\n  -o B=2\n# c\n', 'SSH_ARGS', '-o A=1\n-o B=2', `${file}:2`],
    ['[defaults]\ntimeout = 30\n[ssh_connection]\ntimeout = 60\n', 'SSH_TIMEOUT', 60, `${file}:4`],
    ['[defaults]\ntimeout = 30\n', 'SSH_TIMEOUT', 30, `${file}:2`],
    ['[defaults]\ncallback_whitelist = profile_tasks\n', 'CALLBACKS_ENABLED', ['profile_tasks'], `${file}:2`],
    ['[defaults]\npipelining = yes\n', 'SSH_PIPELINING', true, `${file}:2`],
    [
      '',
      'SSH_HOST_KEY_CHECKING',
      true,
      'env: ANSIBLE_SSH_HOST_KEY_CHECKING',
      { ANSIBLE_HOST_KEY_CHECKING: 'no', ANSIBLE_SSH_HOST_KEY_CHECKING: 'yes' },
    ],
    ['[defaults]\nprivate_key_file = ~/.ssh/k\n', 'DEFAULT_PRIVATE_KEY_FILE', join(home, '.ssh/k'), `${file}:2`],
    ['[DEFAULT]\nforks = 7\n[defaults]\n', 'DEFAULT_FORKS', 7, `${file}:2`],
    ['[tsspray]\ncompat_version = 2.16.3\n', 'COMPAT_VERSION', '2.16.3', `${file}:2`],
  ]
  test.each(cases.map((one) => ({ title: `${JSON.stringify(one[0])} → ${one[1]}`, one })))(
    '$title',
    ({ one: [text, name, value, origin, env] }) => {
      const settings = load(text, env)
      expect(settings.get(name)).toEqual(value)
      expect(tellOrigin(settings.origin(name))).toBe(origin)
    },
  )

  test('of a flag is the strongest', () => {
    const settings = load('[defaults]\nforks = 20\n', { ANSIBLE_FORKS: '30' }, { DEFAULT_FORKS: { value: 40, flag: '--forks' } })
    expect(settings.get('DEFAULT_FORKS')).toBe(40)
    expect(tellOrigin(settings.origin('DEFAULT_FORKS'))).toBe('cli: --forks')
  })

  test.each([
    ['[defaults]\nforks = many\n', 'DEFAULT_FORKS', `${file}:2: DEFAULT_FORKS must be a whole number, not 'many'`],
    [
      '[defaults]\ngathering = sometimes\n',
      'DEFAULT_GATHERING',
      `${file}:2: DEFAULT_GATHERING must be one of implicit, explicit, smart, not 'sometimes'`,
    ],
  ] as const)('%j is wrong', (text, name, message) => {
    expect(() => load(text).get(name)).toThrow(message)
  })

  test.each(['forks = 3\n', '[defaults]\nnonsense\n'])('the file %j is no ini file', (text) => {
    expect(() => load(text)).toThrow(Problem)
  })
})

describe('the file', () => {
  const at = (env: Record<string, string>, cwd = project) => loadSettings({ cwd, env, home, systemFile })
  test('is looked for in order', () => {
    writeFileSync(file, '[defaults]\nforks=1\n')
    expect(at({}).file).toBe(file)
    expect(at({ ANSIBLE_CONFIG: project }, root).file).toBe(file)
    expect(at({}, root).file).toBeUndefined()
    writeFileSync(join(home, '.ansible.cfg'), '')
    expect(at({}, root).file).toBe(join(home, '.ansible.cfg'))
    expect(at({ ANSIBLE_CONFIG: join(root, 'nowhere.cfg') }).file).toBe(file)
  })

  test('is not read from a folder that everybody may write to', () => {
    const open = join(root, 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    writeFileSync(join(open, 'ansible.cfg'), '')
    const settings = at({}, open)
    expect(settings.file).not.toBe(join(open, 'ansible.cfg'))
    expect(settings.warnings).toEqual([`Everybody may write to the working directory (${open}), so its ansible.cfg is not read.`])
    expect(at({ ANSIBLE_CONFIG: join(open, 'ansible.cfg') }, open).warnings).toEqual([])
  })

  test('keeps keys of users’ own plugins', () => {
    expect(load('[my_plugin]\nkey = v\n').raw('my_plugin', 'key')).toBe('v')
  })
})

test('every setting has a default of its type and a summary', () => {
  for (const { name, definition } of load('').entries()) {
    expect(definition.summary, name).not.toBe('')
    expect((definition.env ?? []).length + (definition.ini ?? []).length + 1, name).toBeGreaterThan(0)
  }
  expect(new Set(settingNames).size).toBe(settingNames.length)
})

test('a mistyped name is told its nearest', () => {
  expect(settingName('default_forks')).toBe('DEFAULT_FORKS')
  try {
    settingName('DEFAULT_FORK')
    expect.unreachable()
  } catch (error) {
    expect((error as Problem).hint).toContain("'DEFAULT_FORKS'")
  }
})
