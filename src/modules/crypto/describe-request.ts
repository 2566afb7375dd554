/** The DER of a request for a certificate → what results tell of it. */
import { createPublicKey, verify } from 'node:crypto'
import type { JsonObject } from '../../base/index.ts'
import { SIGNATURES } from '../../template/index.ts'
import { type Der, readDer } from './der.ts'
import { find, generalName, identifiers, keyOf, names, purposes } from './describe.ts'
import { type Extension, type Request, readRequest } from './x509.ts'

export function describeRequest(der: Uint8Array): JsonObject {
  const request = readRequest(der)
  const { extensions } = request
  return {
    signature_valid: isSealed(request),
    ...names('subject', request.subject),
    ...keyOf(request.key),
    ...purposes(extensions),
    ...constraints(extensions),
    ...identifiers(extensions),
    extensions_by_oid: Object.fromEntries(
      extensions.map(({ oid, critical, value }) => [oid, { critical, value: Buffer.from(value).toString('base64') }]),
    ),
  }
}

/** Is the request signed by its own key? */
function isSealed({ key, signature, signed, seal }: Request): boolean {
  const digest = /sha\d+|md5/i.exec(SIGNATURES[signature] ?? '')?.[0]?.toLowerCase()
  try {
    return verify(digest ?? null, signed, createPublicKey({ key: Buffer.from(key), format: 'der', type: 'spki' }), seal)
  } catch {
    return false
  }
}

function constraints(extensions: readonly Extension[]): JsonObject {
  const one = find(extensions, '2.5.29.30')
  const parts = one ? readDer(one.value).parts : []
  const list = (tag: number): string[] =>
    parts.filter((part) => part.tag === tag).flatMap((part) => part.parts.map((entry) => nameIn(entry.parts[0]!)))
  return {
    name_constraints_permitted: one ? list(0xa0) : null,
    name_constraints_excluded: one ? list(0xa1) : null,
    name_constraints_critical: one?.critical ?? false,
  }
}

/** An address stands with its mask. */
function nameIn(name: Der): string {
  const { content } = name
  if (name.tag !== 0x87 || (content.length !== 8 && content.length !== 32)) return generalName(name)
  const half = content.length / 2
  const bits = [...content.subarray(half)].map((byte) => byte.toString(2).replaceAll('0', '').length).reduce((a, b) => a + b, 0)
  return `${generalName({ ...name, content: content.subarray(0, half) })}/${bits}`
}
