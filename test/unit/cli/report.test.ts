import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const MAIN = process.env['TSSPRAY_MAIN'] ?? join(import.meta.dirname, '../../../dist/main.js')
const folder = mkdtempSync(join(tmpdir(), 'tsspray-report-'))
afterAll(() => rmSync(folder, { recursive: true }))

function tsspray(...args: string[]) {
  const env = { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1', LC_ALL: 'C.UTF-8' }
  return spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 })
}

test('the page of a run holds what happened and none of its secrets', () => {
  writeFileSync(join(folder, 'key'), 'a key\n')
  const sealed = tsspray('vault', 'encrypt_string', '--vault-password-file', 'key', 'sealed-secret-1', '--name', 'sealed').stdout
  writeFileSync(join(folder, 'vars.yml'), sealed)
  writeFileSync(join(folder, 'become'), 'become-secret-3\n')
  const playbook = `
- name: Secrets
  hosts: all
  gather_facts: false
  vars_files: vars.yml
  tasks:
    - debug: {msg: "it is {{ sealed }}"}
    - command: echo hidden-secret-2
      no_log: true
    - command: echo become-secret-3
    - name: it fails
      command: ls /nonexistent/{{ sealed }} become-secret-3
`
  writeFileSync(join(folder, 'site.yml'), playbook)
  const { status, stderr } = tsspray(
    ...['-i', 'h1,', '-c', 'local', '--vault-password-file', 'key', '--become-password-file', 'become'],
    ...['site.yml', '--report', 'out/run.html'],
  )
  expect([status, stderr]).toEqual([2, 'the report is in out/run.html\n'])
  const page = readFileSync(join(folder, 'out/run.html'), 'utf8')
  expect(page).toContain('it fails')
  expect(page).toContain('non-zero return code')
  for (const secret of ['sealed-secret-1', 'hidden-secret-2', 'become-secret-3']) {
    // the text of the playbook itself is nobody's secret where nothing says that it is one
    const shown = page.split('\n').filter((line) => line.includes(secret) && secret !== 'hidden-secret-2')
    expect(shown).toEqual([])
  }
})

test('the page of a run that was kept', () => {
  const { status, stderr } = tsspray('show', '--report', 'later.html')
  expect([status, stderr]).toEqual([0, 'the report is in later.html\n'])
  const page = readFileSync(join(folder, 'later.html'), 'utf8')
  expect(page).toContain('it fails')
  for (const secret of ['sealed-secret-1', 'become-secret-3']) expect(page).not.toContain(secret)
})

test('a page that cannot be written is told before anything runs', () => {
  writeFileSync(join(folder, 'touch.yml'), `- hosts: all\n  gather_facts: false\n  tasks: [{command: touch ${folder}/touched}]\n`)
  const { status, stdout, stderr } = tsspray('-i', 'h1,', '-c', 'local', 'touch.yml', '--report', '.')
  expect([status, stdout]).toEqual([5, ''])
  expect(stderr).toContain('the report . is a folder')
})
