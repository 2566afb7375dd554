import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "auth'or $(id) "))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const openssl = (...words: string[]): string => execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const keygen = (...words: string[]): string => execFileSync('ssh-keygen', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

describe.each([['dash'], ['bash'], ['busybox sh']])('in %s', (name) => {
  const shell = name.split(' ')
  const run = async (module: string, args: JsonObject, more: object = {}) =>
    (await runModule(`community.crypto.${module}`, args, { shell, ...more })).result

  test('lists of revoked certificates', async () => {
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('key'), '-out', at('ca'), '-subj', '/CN=My CA')
    const fixed = { last_update: '20300101000000Z', next_update: '20600101000000Z' }
    const args = {
      path: at('crl'),
      privatekey_path: at('key'),
      issuer: { CN: 'My CA' },
      ...fixed,
      revoked_certificates: [
        { serial_number: 1234, revocation_date: '20191013000000Z', issuer: ['DNS:a.example', 'dirName:CN=x,O=y', 'IP:10.0.0.1'] },
        {
          serial_number: '123456789012345678901234567890',
          revocation_date: '20191013000000Z',
          reason: 'key_compromise',
          reason_critical: true,
        },
        { path: at('ca'), revocation_date: '20191013000000Z', invalidity_date: '20191012000000Z' },
      ],
    }
    expect(await run('x509_crl', args, { check: true })).toMatchObject({ changed: true, digest: 'sha256', issuer: { CN: 'My CA' } })
    expect(await run('x509_crl', args)).toMatchObject({
      changed: true,
      digest: 'sha256WithRSAEncryption',
      issuer: { commonName: 'My CA' },
      last_update: '20300101000000Z',
      revoked_certificates: [
        { serial_number: 1234, issuer: ['DNS:a.example', 'dirName:CN=x,O=y', 'IP:10.0.0.1'], reason: null },
        { reason: 'key_compromise', reason_critical: true },
        { invalidity_date: '20191012000000Z' },
      ],
    })
    expect(openssl('crl', '-in', at('crl'), '-noout', '-text')).toMatch(/018EE90FF6C373E0EE4E3F0AD2[\s\S]*Key Compromise/)
    execFileSync('sh', ['-c', 'openssl crl -in "$1" -CAfile "$2" -noout 2>&1 | grep -q "verify OK"', 'sh', at('crl'), at('ca')])
    expect((await run('x509_crl', args)).changed).toBe(false)
    expect((await run('x509_crl', { ...args, format: 'der' })).changed).toBe(true)
    expect(openssl('crl', '-inform', 'DER', '-in', at('crl'), '-noout', '-issuer')).toContain('My CA')
    const more = { ...args, format: 'der', crl_mode: 'update', revoked_certificates: [{ serial_number: 5 }], ignore_timestamps: true }
    expect((await run('x509_crl', more)).revoked_certificates).toHaveLength(4)
    expect((await run('x509_crl', more)).changed).toBe(false)
    // what counts from now is never the same again
    expect((await run('x509_crl', { ...more, ignore_timestamps: false })).changed).toBe(true)
    expect((await run('x509_crl', { path: at('crl'), state: 'absent' }, { check: true })).changed).toBe(true)
    expect((await run('x509_crl', { path: at('crl'), state: 'absent' })).changed).toBe(true)
    expect((await run('x509_crl', { path: at('crl'), state: 'absent' })).changed).toBe(false)
  })

  test('certificates of OpenSSH', async () => {
    for (const key of ['ca', 'id']) keygen('-q', '-t', 'ed25519', '-N', '', '-f', at(key))
    const args = {
      path: at('id-cert.pub'),
      type: 'user',
      signing_key: at('ca'),
      public_key: at('id.pub'),
      valid_from: '2001-01-21',
      valid_to: 'forever',
      identifier: "it's $(id)",
      principals: ['b', 'a'],
      options: ['clear', 'force-command=/bin/true x', 'source-address=10.0.0.0/8'],
      serial_number: '12345678901234567890',
      regenerate: 'full_idempotence',
    }
    expect((await run('openssh_cert', args, { check: true })).changed).toBe(true)
    const made = await run('openssh_cert', args)
    expect(made).toMatchObject({ changed: true, type: 'user', filename: at('id-cert.pub') })
    expect(made.info).toContain('Serial: 12345678901234567890')
    expect(made.info).toContain('Valid: after 2001-01-21T00:00:00')
    expect(await run('openssh_cert', args)).toEqual({ ...made, changed: false })
    expect((await run('openssh_cert', { ...args, principals: ['a', 'b'] })).changed).toBe(false)
    expect((await run('openssh_cert', { ...args, options: [] }, { check: true, diff: true })).diff).toMatchObject({
      before: { critical_options: ['force-command=/bin/true x', 'source-address=10.0.0.0/8'], identifier: "it's $(id)" },
      after: {},
    })
    expect(await run('openssh_cert', { ...args, identifier: 'x', regenerate: 'fail' })).toMatchObject({
      failed: true,
      msg: 'Certificate does not match the provided options.',
    })
    expect((await run('openssh_cert', { ...args, identifier: 'x', regenerate: 'partial_idempotence' })).changed).toBe(false)
    const soon = { ...args, path: at('x'), valid_from: '+0s', valid_to: '+32w', valid_at: '+2w', ignore_timestamps: true }
    expect((await run('openssh_cert', soon)).changed).toBe(true)
    expect((await run('openssh_cert', soon)).changed).toBe(false)
    expect((await run('openssh_cert', { ...soon, valid_at: '+42w' })).changed).toBe(true)
    expect(await run('openssh_cert', { ...args, type: 'host' })).toMatchObject({
      failed: true,
      msg: 'Options can only be used with user certificates.',
    })
    writeFileSync(at('bad'), 'hello world')
    expect(await run('openssh_cert', { ...args, path: at('bad'), regenerate: 'never' })).toMatchObject({ failed: true })
    expect((await run('openssh_cert', { path: at('bad'), state: 'absent' })).changed).toBe(true)
    expect((await run('openssh_cert', { path: at('bad'), state: 'absent' })).changed).toBe(false)
  })

  test('keys in other forms', async () => {
    openssl('genpkey', '-algorithm', 'X25519', '-out', at('x'))
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', at('ec'))
    const sealed = { src_path: at('ec'), dest_path: at('out'), format: 'pkcs1', dest_passphrase: 'a b' }
    expect((await run('openssl_privatekey_convert', sealed, { check: true })).changed).toBe(true)
    expect((await run('openssl_privatekey_convert', sealed)).changed).toBe(true)
    expect(statSync(at('out')).mode & 0o777).toBe(0o600)
    expect(readFileSync(at('out'), 'utf8')).toContain('BEGIN EC PRIVATE KEY')
    expect((await run('openssl_privatekey_convert', sealed)).changed).toBe(false)
    expect((await run('openssl_privatekey_convert', { ...sealed, dest_passphrase: 'c', backup: true })).backup_file).toContain(at('out'))
    const raw = { src_path: at('x'), dest_path: at('raw'), format: 'raw' }
    expect((await run('openssl_privatekey_convert', raw)).changed).toBe(true)
    expect((await run('openssl_privatekey_convert', raw)).changed).toBe(false)
    expect(readFileSync(at('raw'))).toHaveLength(32)
    expect((await run('openssl_privatekey_convert', { ...raw, src_path: at('ec') })).failed).toBe(true)
  })

  test('chains to a root', async () => {
    const sign = (name: string, by: string): void => {
      openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`)
      openssl(
        'x509',
        '-req',
        '-in',
        at(`${name}.csr`),
        '-CA',
        at(`${by}.pem`),
        '-CAkey',
        at(`${by}.key`),
        '-CAcreateserial',
        '-out',
        at(`${name}.pem`),
      )
    }
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('root.key'), '-out', at('root.pem'), '-subj', '/CN=root')
    sign('middle', 'root')
    sign('leaf', 'middle')
    const pem = (one: string): string => readFileSync(at(`${one}.pem`), 'utf8')
    const args = { input_chain: pem('leaf'), root_certificates: [folder], intermediate_certificates: [at('middle.pem')] }
    // a folder holds more than roots: the nearest one ends the chain
    expect(await run('certificate_complete_chain', { ...args, root_certificates: [at('root.pem'), '/nowhere'] })).toEqual({
      changed: false,
      failed: false,
      root: pem('root'),
      chain: [pem('middle'), pem('root')],
      complete_chain: [pem('leaf'), pem('middle'), pem('root')],
    })
    expect((await run('certificate_complete_chain', args)).root).toBe(pem('leaf'))
    expect((await run('certificate_complete_chain', { ...args, input_chain: pem('root') + pem('leaf') })).failed).toBe(true)
    expect((await run('certificate_complete_chain', { ...args, root_certificates: [], intermediate_certificates: [] })).failed).toBe(true)
  })
})

describe('keys without files', () => {
  const run = async (args: JsonObject, more: object = {}) =>
    (await runModule('community.crypto.openssl_privatekey_pipe', args, more)).result

  test.each([
    [{ type: 'RSA', size: 1024 }, 'RSA PRIVATE KEY'],
    [{ type: 'ECC', curve: 'secp256r1', passphrase: 'a b', cipher: 'auto' }, 'EC PRIVATE KEY'],
    [{ type: 'DSA', size: 1024, passphrase: 'a b', cipher: 'auto' }, 'DSA PRIVATE KEY'],
    [{ type: 'DSA', size: 1024 }, 'DSA PRIVATE KEY'],
    [{ type: 'Ed448', format: 'auto' }, 'PRIVATE KEY'],
  ] as const)('%j', async (args, label) => {
    expect(await run(args, { check: true })).toMatchObject({ changed: true, privatekey: null })
    const made = await run(args)
    expect(made).toMatchObject({ changed: true, type: args.type, fingerprint: { sha256: expect.any(String) } })
    expect(made.privatekey).toContain(`-----BEGIN ${label}-----`)
    writeFileSync(at('key'), String(made.privatekey))
    openssl('pkey', '-in', at('key'), '-passin', 'pass:a b', '-check', '-noout')
    expect(await run({ ...args, content: made.privatekey! })).not.toHaveProperty('privatekey')
    const again = await run({ ...args, content: made.privatekey!, return_current_key: true })
    expect(again).toEqual({ ...made, changed: false })
    const other = { type: 'Ed25519', content: made.privatekey!, regenerate: 'fail' }
    expect((await run(other)).failed).toBe(true)
  })

  test('raw keys are told in Base64', async () => {
    const made = await run({ type: 'Ed25519', format: 'raw' })
    const there = { type: 'Ed25519', content: made.privatekey!, content_base64: true }
    expect((await run({ ...there, format: 'raw' })).changed).toBe(false)
    const converted = await run({ ...there, format: 'pkcs8', format_mismatch: 'convert' })
    expect(converted).toMatchObject({ changed: true, fingerprint: made.fingerprint! })
    expect(converted.privatekey).toContain('BEGIN PRIVATE KEY')
  })
})
