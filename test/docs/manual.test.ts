/** The manual, the exit codes and the scripts of completion are what the tables of options say, and work in their shells. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { exitCodes, manual } from '../../docs/generate/pages.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { bashScript } from '../../src/cli/completion/bash.ts'
import { fishScript } from '../../src/cli/completion/fish.ts'
import { commandShapes } from '../../src/cli/completion/shape.ts'
import { zshScript } from '../../src/cli/completion/zsh.ts'

const root = join(import.meta.dirname, '../..')
const text = (name: string): string => readFileSync(join(root, name), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'tsspray-completion-'))
afterAll(() => rmSync(folder, { recursive: true }))
const has = (program: string): boolean => process.env['CI'] !== undefined || spawnSync(program, ['--version']).status === 0
const { version } = JSON.parse(text('package.json')) as { version: string }

test('docs/tsspray.1 is what the options say: run npm run docs', async () => expect(text('docs/tsspray.1')).toBe(await manual(version)))
test('docs/exit-codes.md is what the code says: run npm run docs', () => expect(text('docs/exit-codes.md')).toBe(exitCodes()))

test.skipIf(!has('man'))('man has nothing to complain of (needs man)', () => {
  const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', '-Tutf8', join(root, 'docs/tsspray.1')], {
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
  })
  expect([status, stderr]).toEqual([0, ''])
  // bold letters are struck twice
  expect(stdout.replace(/.\x08/g, '')).toContain('tsspray lint')
})

const cases: readonly (readonly [string[], string[]])[] = [
  [['inv'], ['inventory']],
  [['--summ'], ['--summary']],
  [['exec', '-m', 'ansible.builtin.cop'], ['ansible.builtin.copy']],
  [
    ['x.yml', '--output', 'gi'],
    ['github', 'gitlab'],
  ],
  [
    ['vault', 'enc'],
    ['encrypt', 'encrypt_string'],
  ],
  [
    ['lint', '--output', ''],
    ['default', 'github'],
  ],
]

describe.skipIf(!has('bash'))('bash (needs bash)', () => {
  test.each(cases)('%j', async (words, wanted) => {
    writeFileSync(join(folder, 'bash'), bashScript(await commandShapes(COMMANDS)))
    const script = 'source "$1"; shift; COMP_WORDS=(tsspray "$@"); COMP_CWORD=$#; _tsspray; printf "%s\\n" "${COMPREPLY[@]}"'
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', join(folder, 'bash'), ...words], { encoding: 'utf8', cwd: folder })
    expect([stdout.trim().split('\n').sort(), stderr]).toEqual([wanted, ''])
  })
})

describe.skipIf(!has('fish'))('fish (needs fish)', () => {
  test.each(cases)('%j', async (words, wanted) => {
    writeFileSync(join(folder, 'fish'), fishScript(await commandShapes(COMMANDS)))
    const line = ['tsspray', ...words].join(' ')
    const { stdout, stderr } = spawnSync('fish', ['-c', `source ${join(folder, 'fish')}; complete -C '${line}'`], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, HOME: folder },
    })
    expect([
      stdout
        .trim()
        .split('\n')
        .map((row) => row.split('\t')[0]!)
        .sort(),
      stderr,
    ]).toEqual([wanted, ''])
  })
})

test.skipIf(!has('zsh'))('zsh takes its script (needs zsh)', async () => {
  writeFileSync(join(folder, 'zsh'), zshScript(await commandShapes(COMMANDS)))
  const script = `autoload -Uz compinit; compinit -u -D; source ${join(folder, 'zsh')}; echo $_comps[tsspray]`
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8', env: { ...process.env, HOME: folder } })
  expect([stdout, stderr]).toEqual(['_tsspray\n', ''])
})
