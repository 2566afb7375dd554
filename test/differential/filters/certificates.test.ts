/** x509_certificate_info beside the collection's own: everything told of three certificates, byte by byte. */
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
