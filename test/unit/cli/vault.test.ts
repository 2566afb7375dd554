import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const program = join(import.meta.dirname, '../../../dist/main.js')
const cwd = mkdtempSync(join(tmpdir(), 'cli-vault-'))
const file = (name: string): string => join(cwd, name)

function vault(argv: readonly string[], input = '', more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], HOME: cwd, ANSIBLE_CONFIG: '/nowhere/ansible.cfg', ...more }
  return spawnSync(process.execPath, [program, 'vault', ...argv], { cwd, env, input, encoding: 'utf8' })
}

test('a file goes through all verbs', () => {
  writeFileSync(file('old'), 'one\n')
  writeFileSync(file('new'), 'two\n')
  writeFileSync(file('f.yml'), 'a: 1\n')
  expect(vault(['encrypt', '--vault-id', 'lab@old', 'f.yml'])).toMatchObject({ status: 0, stderr: 'Encryption successful\n' })
  expect(readFileSync(file('f.yml'), 'utf8')).toMatch(/^\$ANSIBLE_VAULT;1\.2;AES256;lab\n/)
  expect(vault(['view', '--vault-password-file', 'old', 'f.yml'])).toMatchObject({ status: 0, stdout: 'a: 1\n' })
  expect(vault(['rekey', '--vault-password-file', 'old', '--new-vault-password-file', 'new', 'f.yml']).status).toBe(0)
  expect(vault(['view', 'f.yml'], '', { ANSIBLE_VAULT_PASSWORD_FILE: 'old' })).toMatchObject({ status: 1, stdout: '' })

  writeFileSync(file('editor'), '#!/bin/sh\necho "b: 2" >> "$2"\n')
  chmodSync(file('editor'), 0o755)
  const editor = { EDITOR: `"${file('editor')}" -x` }
  expect(vault(['edit', '--skip-tty-check', '--vault-password-file', 'new', 'f.yml'], '', editor).status).toBe(0)
  expect(vault(['decrypt', '--vault-password-file', 'new', '--output', '-', 'f.yml']).stdout).toBe('a: 1\nb: 2\n')
})

test('texts become YAML, standard input goes through', () => {
  writeFileSync(file('pw'), 'secret\n')
  const { stdout } = vault(['encrypt_string', '--vault-id', 'lab@pw', '--name', 'x', 'text'])
  expect(stdout).toMatch(/^x: !vault \|\n {10}\$ANSIBLE_VAULT;1\.2;AES256;lab\n(?: {10}[\da-f]+\n)+$/)
  const sealed = vault(['encrypt', '--vault-password-file', 'pw'], 'piped\n').stdout
  expect(vault(['decrypt', '--vault-password-file', 'pw'], sealed).stdout).toBe('piped\n')
})

test.each([
  [[], 2, 'a verb is needed'],
  [['veiw', 'x'], 2, "did you mean 'view'?"],
  [['view', '--vault-password-file', 'nofile', 'x'], 1, 'nofile was not found'],
])('%j ends with %i', (argv, code, said) => {
  const { status, stderr } = vault(argv)
  expect(stderr).toContain(said)
  expect(status).toBe(code)
})
