/** The password lookup makes a file once and reads it ever after. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Template, type Value } from '../../../src/base/index.ts'
import { createTemplar, type Scope } from '../../../src/template/index.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'password-'))
afterAll(() => rmSync(folder, { recursive: true }))

const scope: Scope = {
  get: (): Value | undefined => undefined,
  has: () => false,
  names: () => [],
  fromHost: () => false,
  run: { playbookDir: folder, env: {}, now: () => new Date() },
}
const templar = createTemplar({ native: false, extensions: [] })
const render = (text: string): Value => templar.render(new Template(text), scope)

test('a new password is written, private, with a newline, and read again', () => {
  const text = "{{ lookup('password', 'credentials/root.creds length=15 chars=ascii_letters,digits') }}"
  const made = render(text)
  const file = path.join(folder, 'credentials/root.creds')
  expect(made).toMatch(/^[A-Za-z0-9]{15}$/)
  expect(readFileSync(file, 'utf8')).toBe(`${made}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(render(text)).toBe(made)
  expect(readdirSync(path.dirname(file))).toEqual(['root.creds'])
})

test('encrypting keeps the salt, so that the hash stays the same', () => {
  const text = "{{ lookup('password', 'enc encrypt=md5_crypt') }}"
  const hash = render(text)
  expect(hash).toMatch(/^\$1\$[./A-Za-z0-9]{8}\$/)
  expect(readFileSync(path.join(folder, 'enc'), 'utf8')).toMatch(/^\S{20} salt=[./A-Za-z0-9]{8}\n$/)
  expect(render(text)).toBe(hash)
})

test('a file that people wrote is taken as it is', () => {
  writeFileSync(path.join(folder, 'own'), 'my own words  \n')
  expect(render("{{ lookup('password', 'own') }}")).toBe('my own words')
})
