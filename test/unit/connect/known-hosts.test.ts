import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { judge, knownName, knownTypes, parseKnownHosts } from '../../../src/connect/ssh/known-hosts.ts'

/** A key in wire form: its kind, then something. */
function key(type: string, body: string): Buffer {
  const bytes = Buffer.alloc(4 + type.length + body.length)
  bytes.writeUInt32BE(type.length)
  bytes.write(type + body, 4, 'latin1')
  return bytes
}

const mine = key('ssh-ed25519', 'mine')
const other = key('ssh-ed25519', 'other')
const rsa = key('ssh-rsa', 'rsa')
const b64 = (k: Buffer) => k.toString('base64')
const salt = Buffer.from('0123456789abcdefghij')
const hashed = (name: string) => `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`

const cases = [
  { name: 'nothing', lines: '', what: 'unknown' },
  { name: 'the key', lines: `node1 ssh-ed25519 ${b64(mine)} comment`, what: 'known' },
  { name: 'another key of the kind', lines: `# c\nnode1 ssh-ed25519 ${b64(other)}`, what: 'changed', line: 2 },
  { name: 'another kind only', lines: `node1 ssh-rsa ${b64(rsa)}`, what: 'unknown' },
  { name: 'two keys of the kind', lines: `node1 ssh-ed25519 ${b64(other)}\nnode1 ssh-ed25519 ${b64(mine)}`, what: 'known' },
  { name: 'a list of names', lines: `a,node1,10.0.0.1 ssh-ed25519 ${b64(mine)}`, what: 'known' },
  { name: 'a pattern', lines: `node* ssh-ed25519 ${b64(mine)}`, what: 'known' },
  { name: 'a pattern with an exception', lines: `node*,!node1 ssh-ed25519 ${b64(mine)}`, what: 'unknown' },
  { name: 'a hashed name', lines: `${hashed('node1')} ssh-ed25519 ${b64(mine)}`, what: 'known' },
  { name: 'a hashed name of another', lines: `${hashed('node2')} ssh-ed25519 ${b64(mine)}`, what: 'unknown' },
  { name: 'a port', name_: '[node1]:2222', lines: `[node1]:2222 ssh-ed25519 ${b64(mine)}`, what: 'known' },
  { name: 'another port', name_: '[node1]:2222', lines: `node1 ssh-ed25519 ${b64(mine)}`, what: 'unknown' },
  { name: 'a hashed port', name_: '[node1]:2222', lines: `${hashed('[node1]:2222')} ssh-ed25519 ${b64(mine)}`, what: 'known' },
  { name: 'revoked', lines: `node1 ssh-ed25519 ${b64(mine)}\n@revoked * ssh-ed25519 ${b64(mine)}`, what: 'revoked', line: 2 },
  { name: 'an authority', lines: `@cert-authority node* ssh-ed25519 ${b64(other)}`, what: 'unknown', authorities: 1 },
  { name: 'nonsense', lines: 'node1\n@what node1 ssh-ed25519 x\n\n', what: 'unknown' },
]

test.each(cases)('$name: $what', ({ lines, what, line, authorities, name_ }) => {
  const verdict = judge(parseKnownHosts(lines), name_ ?? 'node1', mine)
  expect(verdict.what).toBe(what)
  if (line) expect(verdict).toMatchObject({ line })
  if (authorities) expect(verdict).toMatchObject({ authorities })
})

describe('names', () => {
  test('as in the file', () => {
    expect([knownName('Node1', 22), knownName('10.0.0.1', 2222), knownName('fe80::1', 2222)]).toEqual([
      'node1',
      '[10.0.0.1]:2222',
      '[fe80::1]:2222',
    ])
  })
  test('the kinds that are known', () => {
    expect(knownTypes(parseKnownHosts(`a ssh-rsa x\nnode1 ssh-rsa x\n@revoked node1 ssh-dss x\n* ecdsa-sha2-nistp256 y`), 'node1')).toEqual(
      ['ssh-rsa', 'ecdsa-sha2-nistp256'],
    )
  })
})
