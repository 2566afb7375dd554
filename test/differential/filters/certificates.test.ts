/** x509_certificate_info, openssl_csr_info and x509_crl_info beside the collection's own: everything told of some certificates, requests and lists, byte by byte. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Template, type Value } from '../../../src/base/index.ts'
import { createTemplar, type Scope } from '../../../src/template/index.ts'

const rows: { pem: string; info: string }[] = JSON.parse(readFileSync(new URL('certificates.json', import.meta.url), 'utf8'))
const templar = createTemplar({ native: false, extensions: [] })

test.each(rows.map((row) => [row.pem.slice(28, 60), row] as const))('%s', (_, row) => {
  const scope: Scope = { get: (): Value => row.pem, has: () => true, names: () => ['pem'], fromHost: () => false }
  const text = '{{ pem | community.crypto.x509_certificate_info | to_json(sort_keys=true, indent=1) }}'
  expect(templar.render(new Template(text), scope)).toBe(row.info)
})

const asked: { filter: string; text: string; info: string }[] = JSON.parse(readFileSync(new URL('requests.json', import.meta.url), 'utf8'))
const told = (filter: string, text: string): Value => {
  const scope: Scope = { get: (): Value => text, has: () => true, names: () => ['pem'], fromHost: () => false }
  return templar.render(new Template(`{{ pem | community.crypto.${filter} | to_json(sort_keys=true, indent=1) }}`), scope)
}

test.each(asked.map((row) => [row.filter, row.text.slice(40, 60), row] as const))('%s of %s', (_filter, _text, row) => {
  expect(told(row.filter, row.text)).toBe(row.info)
})

test.each([
  ['openssl_csr_info', 'no request', 'no PEM block'],
  ['openssl_csr_info', asked[0]!.text.replace(/[a-z](?=[A-Z]{2})/, 'q'), 'Unable to load request'],
  ['x509_crl_info', 'bm8gbGlzdA==', 'Error while decoding CRL'],
])('%s of what is none', (filter, text, words) => {
  expect(() => told(filter, text)).toThrow(words)
})
