import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crypto-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const openssl = (...words: string[]): string => execFileSync('openssl', words, { encoding: 'utf8' })

describe.each([['dash'], ['bash'], ['busybox sh']])('in %s', (name) => {
  const shell = name.split(' ')
  const run = (module: string, args: JsonObject, more: object = {}) => runModule(module, args, { shell, ...more })

  test('a key, a request, a certificate of its own and one of an authority', async () => {
    const key = { path: at('k e y'), type: 'ECC', curve: 'secp256r1' }
    expect((await run('openssl_privatekey', key, { check: true })).result.changed).toBe(true)
    expect(existsSync(at('k e y'))).toBe(false)
    const made = (await run('openssl_privatekey', key)).result
    expect(made).toMatchObject({
      changed: true,
      type: 'ECC',
      curve: 'secp256r1',
      fingerprint: { sha256: expect.stringMatching(/^[0-9a-f:]{95}$/) },
    })
    expect(statSync(at('k e y')).mode & 0o777).toBe(0o600)
    expect((await run('openssl_privatekey', key)).result).toEqual({ ...made, changed: false })

    const csr = {
      path: at('csr'),
      privatekey_path: at('k e y'),
      common_name: "a'$(id).example",
      organization_name: 'O; #1',
      subject_alt_name: ['DNS:a.example', 'IP:10.0.0.1'],
      basic_constraints: ['CA:TRUE'],
      key_usage: ['keyCertSign', 'Digital Signature'],
      key_usage_critical: true,
      extended_key_usage: ['serverAuth'],
    }
    expect((await run('openssl_csr', csr, { check: true })).result.changed).toBe(true)
    expect((await run('openssl_csr', csr)).result).toMatchObject({
      changed: true,
      subject: [
        ['O', 'O; #1'],
        ['CN', "a'$(id).example"],
      ],
    })
    expect((await run('openssl_csr', csr)).result.changed).toBe(false)
    expect(openssl('req', '-in', at('csr'), '-noout', '-subject')).toContain("CN = a'$(id).example")
    expect((await run('openssl_csr', { ...csr, subject_alt_name: ['DNS:b.example'] }, { check: true })).result.changed).toBe(true)

    const own = {
      path: at('own.crt'),
      provider: 'selfsigned',
      csr_path: at('csr'),
      privatekey_path: at('k e y'),
      selfsigned_not_after: '+10d',
    }
    expect((await run('x509_certificate', own)).result).toMatchObject({ changed: true, filename: at('own.crt') })
    expect((await run('x509_certificate', own)).result.changed).toBe(false)

    const ask = { ...csr, path: at('leaf.csr'), common_name: 'leaf', basic_constraints: ['CA:FALSE'], key_usage: ['digitalSignature'] }
    expect((await run('openssl_csr', ask)).result.changed).toBe(true)
    const leaf = {
      path: at('leaf.crt'),
      provider: 'ownca',
      csr_path: at('leaf.csr'),
      ownca_path: at('own.crt'),
      ownca_privatekey_path: at('k e y'),
    }
    expect((await run('x509_certificate', leaf)).result.changed).toBe(true)
    expect((await run('x509_certificate', leaf)).result.changed).toBe(false)
    expect(openssl('verify', '-CAfile', at('own.crt'), at('leaf.crt'))).toContain('OK')

    const { result } = await run('x509_certificate_info', { path: at('own.crt'), valid_at: { soon: '+1d', late: '+99d' } })
    expect(result).toMatchObject({
      changed: false,
      version: 3,
      subject: { commonName: "a'$(id).example", organizationName: 'O; #1' },
      subject_alt_name: ['DNS:a.example', 'IP:10.0.0.1'],
      key_usage: ['Certificate Sign', 'Digital Signature'],
      key_usage_critical: true,
      extended_key_usage: ['TLS Web Server Authentication'],
      basic_constraints: ['CA:TRUE'],
      signature_algorithm: 'ecdsa-with-SHA256',
      public_key_type: 'ECC',
      expired: false,
      valid_at: { soon: true, late: false },
    })
    expect((await run('openssl_privatekey', { path: at('k e y'), state: 'absent' })).result.changed).toBe(true)
    expect((await run('openssl_privatekey', { path: at('k e y'), state: 'absent' })).result.changed).toBe(false)
  })

  test('pairs of SSH keys', async () => {
    const args = { path: at('id'), type: 'ed25519', comment: "it's me" }
    expect((await run('openssh_keypair', args, { check: true })).result.changed).toBe(true)
    const made = (await run('openssh_keypair', args)).result
    expect(made).toMatchObject({ changed: true, size: 256, comment: "it's me", fingerprint: expect.stringMatching(/^SHA256:/) })
    expect(readFileSync(at('id.pub'), 'utf8')).toBe(`${made.public_key} it's me\n`)
    expect((await run('openssh_keypair', args)).result).toEqual({ ...made, changed: false })
    expect((await run('openssh_keypair', { ...args, comment: 'x' })).result).toMatchObject({
      changed: true,
      public_key: made.public_key,
      comment: 'x',
    })
    expect((await run('openssh_keypair', { path: at('id'), state: 'absent' })).result.changed).toBe(true)
  })
})

test('sealed and other keys', async () => {
  const args = { path: at('k'), size: 1024, passphrase: 'secret', cipher: 'auto' }
  expect((await runModule('openssl_privatekey', args)).result.changed).toBe(true)
  expect((await runModule('openssl_privatekey', args)).result.changed).toBe(false)
  expect((await runModule('openssl_privatekey', { ...args, passphrase: 'other', regenerate: 'fail' })).result).toMatchObject({
    failed: true,
  })
  expect((await runModule('openssl_privatekey', { path: at('k'), type: 'Ed25519', backup: true })).result).toMatchObject({
    changed: true,
    backup_file: expect.any(String),
  })
  expect((await runModule('openssl_privatekey', { path: at('k'), type: 'Ed25519' })).result.changed).toBe(false)
})
