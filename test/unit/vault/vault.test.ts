import { chmodSync, copyFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/base/index.ts'
import {
  createFile,
  createVault,
  decryptFile,
  editFile,
  encryptFile,
  isSealed,
  loadSecrets,
  rekeyFile,
  type Secret,
  sealedYaml,
  sealWith,
  secretSources,
  viewFile,
} from '../../../src/vault/index.ts'

const here = join(import.meta.dirname, 'files')
const read = (name: string): string => readFileSync(join(here, name), 'utf8')
const secret = (id: string, password: string): Secret => ({ id, password: Buffer.from(password) })
const prod = secret('prod', 'prodpass')
const dev = secret('dev', 'devpass')
const message = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
  return 'nothing is wrong'
}

describe('opening what Ansible sealed', () => {
  test.each([
    ['secret.yml', [prod], 'token: tok-prod\n'],
    ['secret.yml', [secret('other', 'devpass'), secret('wrong-label', 'prodpass')], 'token: tok-prod\n'],
    ['dev.yml', [prod, dev], 'devtoken: tok-dev\n'],
    ['labelled.yml', [secret('x', 'pw1')], 'hello: wörld\n'],
    ['empty.yml', [secret('x', 'pw1')], ''],
  ])('%s', (file, secrets, plain) => {
    expect(createVault(secrets).open(read(file))).toBe(plain)
  })

  test.each<[string, Secret[], boolean, string]>([
    ['secret.yml', [], false, 'Attempting to decrypt but no vault secrets found'],
    ['secret.yml', [secret('prod', 'devpass')], false, 'Decryption failed (no vault secrets were found that could decrypt)'],
    ['secret.yml', [secret('b', 'prodpass')], true, 'Decryption failed (no vault secrets were found that could decrypt)'],
    ['pw_dev', [prod], false, 'this is no vaulted text: it does not begin with $ANSIBLE_VAULT'],
  ])('%s with %o fails', (file, secrets, idMatch, said) => {
    expect(message(() => createVault(secrets, { idMatch }).open(read(file)))).toBe(said)
  })

  test('what was opened is told, once', () => {
    const opened: string[] = []
    const vault = createVault([prod], { onOpened: (plain) => opened.push(plain) })
    vault.open(read('secret.yml'))
    vault.open(read('secret.yml'))
    expect(opened).toEqual(['token: tok-prod\n'])
  })

  test('blanks around the lines do not matter', () => {
    const indented = read('secret.yml')
      .split('\n')
      .map((line) => `   ${line}`)
      .join('\r\n')
    expect(createVault([prod]).open(indented)).toBe('token: tok-prod\n')
  })

  test.each([
    '$ANSIBLE_VAULT;1.1;AES\n3131',
    '$ANSIBLE_VAULT;1.1;AES256\n313',
    '$ANSIBLE_VAULT;1.1;AES256\nzz',
    '$ANSIBLE_VAULT;1.1;AES256\n3131',
  ])('a damaged text: %j', (text) => {
    expect(message(() => createVault([prod]).open(text))).toMatch(/no vaulted text|unhexlify error|Decryption failed/)
  })
})

describe('sealing', () => {
  test('with a given salt gives the very bytes Ansible gives', () => {
    const file = read('labelled.yml')
    const body = Buffer.from(file.split('\n').slice(1).join(''), 'hex').toString('latin1')
    const salt = Buffer.from(body.split('\n')[0]!, 'hex')
    expect(sealWith(secret('lab', 'pw1'), Buffer.from('hello: wörld\n'), salt)).toBe(file)
  })

  test.each(['', 'x', '16 bytes exactly', 'ä'.repeat(1000)])('%j comes back', (plain) => {
    const vault = createVault([dev])
    expect(vault.open(vault.seal(plain))).toBe(plain)
  })

  test('the id chooses the secret and labels the text', () => {
    const vault = createVault([prod, dev])
    expect(vault.seal('x', 'dev').split('\n')[0]).toBe('$ANSIBLE_VAULT;1.2;AES256;dev')
    expect(message(() => vault.seal('x'))).toContain('Specify the vault-id to encrypt with')
    expect(message(() => vault.seal('x', 'nope'))).toContain('Did not find a match for --encrypt-vault-id=nope')
    expect(
      createVault([secret('default', 'x')])
        .seal('x')
        .split('\n')[0],
    ).toBe('$ANSIBLE_VAULT;1.1;AES256')
  })

  test('as YAML', () => {
    expect(sealedYaml('a\nb\n', 'x')).toBe('x: !vault |\n          a\n          b')
    expect(sealedYaml('a\n')).toBe('!vault |\n          a')
  })
})

describe('secrets', () => {
  const input = { cwd: here, home: here, prompt: async (text: string) => `answer to ${text}`, warn: () => {} }
  const load = async (request: Partial<Parameters<typeof secretSources>[0]>) =>
    (await loadSecrets(secretSources({ ids: [], files: [], ask: false, defaultId: 'default', ...request }), input)).map(
      ({ id, password }) => `${id}=${Buffer.from(password).toString()}`,
    )

  test.each([
    [{ ids: ['prod@pw_prod', 'dev@pw_script.sh'] }, ['prod=prodpass', 'dev=devpass']],
    [{ ids: ['pw_prod'], files: ['~/pw_dev'] }, ['default=prodpass', 'default=devpass']],
    [{ ids: ['prod@ids-client.sh'] }, ['prod=prodpass']],
    [{ ids: ['nope@ids-client.sh', 'dev@pw_dev'] }, ['dev=devpass']],
    [{ ids: ['a@prompt'] }, ['a=answer to Vault password (a):']],
    [{ ask: true }, ['default=answer to Vault password:']],
    [{ ids: ['missing@nofile', 'dev@pw_dev'] }, ['dev=devpass']],
  ])('%o', async (request, secrets) => {
    expect(await load(request)).toEqual(secrets)
  })

  test('the last problem is thrown when no source works', async () => {
    await expect(load({ ids: ['a@nofile'] })).rejects.toThrow('nofile was not found')
    await expect(load({ ids: ['nope@ids-client.sh'] })).rejects.toThrow('did not find a secret for vault-id=nope')
  })
})

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vault-test-'))
  const file = join(folder, 'f.yml')
  const vault = createVault([prod, dev])
  const text = (): string => readFileSync(file, 'utf8')

  test('go through their whole life', () => {
    writeFileSync(file, 'a: 1\n')
    chmodSync(file, 0o640)
    encryptFile(file, vault, 'dev')
    expect(isSealed(text())).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(message(() => encryptFile(file, vault, 'dev'))).toBe('input is already encrypted')
    expect(Buffer.from(viewFile(file, vault)).toString()).toBe('a: 1\n')

    rekeyFile(file, vault, prod)
    expect(createVault([prod]).open(text())).toBe('a: 1\n')

    editFile(file, vault, undefined, (path) => {
      expect(readFileSync(path, 'utf8')).toBe('a: 1\n')
      writeFileSync(path, 'a: 2\n')
    })
    expect(text().split('\n')[0]).toBe('$ANSIBLE_VAULT;1.2;AES256;prod')
    const before = text()
    editFile(file, vault, undefined, () => {})
    expect(text()).toBe(before)

    decryptFile(file, vault)
    expect(text()).toBe('a: 2\n')
    expect(message(() => decryptFile(file, vault))).toBe('input is not vault encrypted data')
  })

  test('are made by an editor', () => {
    const made = join(folder, 'new.yml')
    createFile(made, vault, 'prod', (path) => copyFileSync(join(here, 'pw_dev'), path))
    expect(createVault([prod]).open(readFileSync(made, 'utf8'))).toBe('devpass\n')
    expect(message(() => createFile(made, vault, 'prod', () => {}))).toContain("please use 'edit' instead")
  })
})
