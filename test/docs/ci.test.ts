/** The pipelines of docs/ci.md are those of docs/ci, and their commands run. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { eventSchema } from '../../docs/generate/pages.ts'

const docs = join(import.meta.dirname, '../../docs')
const MAIN = process.env['TSSPRAY_MAIN'] ?? join(docs, '../dist/main.js')
const text = (name: string): string => readFileSync(join(docs, name), 'utf8')
let folder = ''
const made: string[] = []
afterAll(() => made.forEach((one) => void rmSync(one, { recursive: true })))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tsspray-ci-'))
  made.push(folder)
  writeFileSync(join(folder, 'tsspray'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  chmodSync(join(folder, 'tsspray'), 0o755)
  writeFileSync(join(folder, 'inventory.ini'), 'h1 ansible_connection=local\n')
  const tasks = `[{copy: {content: hello, dest: ${folder}/hello}}]`
  writeFileSync(join(folder, 'site.yml'), `- hosts: all\n  gather_facts: false\n  tasks: ${tasks}\n`)
})

function sh(command: string, env: Record<string, string>) {
  const all = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, LC_ALL: 'C.UTF-8', ...env }
  return spawnSync('sh', ['-c', command], { cwd: folder, env: all, encoding: 'utf8', timeout: 60_000 })
}

test.each(['ci/github.yml', 'ci/gitlab.yml'])('docs/ci.md shows %s', (name) => {
  expect(text('ci.md')).toContain(`\`\`\`yaml\n${text(name)}\`\`\``)
})

test('docs/reference/events.schema.json is what the code says: run npm run docs', () => {
  expect(text('reference/events.schema.json')).toBe(eventSchema())
})

interface Job {
  readonly steps?: readonly { readonly id?: string; readonly run?: string }[]
  readonly script?: readonly string[]
}

test('the workflow for GitHub runs', () => {
  const { jobs } = parse(text('ci/github.yml')) as { jobs: Readonly<Record<string, Job>> }
  const changed: Record<string, string> = {}
  for (const { id = '', run } of Object.values(jobs).flatMap(({ steps = [] }) => steps)) {
    if (run === undefined) continue
    const output = join(folder, `output-${id}`)
    const command = run.replace(/\$\{\{ steps\.(\w+)\.outputs\.changed \}\}/g, (_, step: string) => changed[step] ?? '')
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: join(folder, 'summary') }
    const { status, stdout, stderr } = sh(command, env)
    expect([command, status, status === 0 ? '' : stdout + stderr]).toEqual([command, 0, ''])
    changed[id] = existsSync(output) ? (/^changed=(\d+)$/m.exec(readFileSync(output, 'utf8'))?.[1] ?? '') : ''
  }
  expect(changed).toMatchObject({ deploy: '1', again: '0' })
  for (const file of ['plan.html', 'run.html', 'summary']) expect(existsSync(join(folder, file))).toBe(true)
})

test('the pipeline for GitLab runs', () => {
  const jobs = Object.values(parse(text('ci/gitlab.yml')) as Readonly<Record<string, Job>>)
  const commands = jobs.flatMap(({ script = [] }) => script)
  expect(commands).toHaveLength(4)
  for (const command of commands) {
    const { status, stdout, stderr } = sh(command, { CI_PROJECT_DIR: folder })
    expect([command, status, status === 0 ? '' : stdout + stderr]).toEqual([command, 0, ''])
  }
  expect(JSON.parse(readFileSync(join(folder, 'gl-code-quality-report.json'), 'utf8'))).toEqual([])
})

test('a mistake in a playbook is marked at its line', () => {
  writeFileSync(join(folder, 'wrong.yml'), '- hosts: all\n  tasks:\n    - comand: true\n')
  const { status, stdout } = sh('tsspray -i inventory.ini wrong.yml --output github', { GITHUB_WORKSPACE: folder })
  expect([status, stdout]).toEqual([4, expect.stringMatching(/^::error file=wrong\.yml,line=3,col=\d+,title=/)])
})

test.each([
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '0' }, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [{}, false],
])('%j: colours are %s', (env, isColoured) => {
  expect(sh('tsspray -i inventory.ini site.yml --check', env as Record<string, string>).stdout.includes('\u001b[')).toBe(isColoured)
})
