import { describe, expect, test } from 'vitest'
import { expandLong, parseArgs } from '../../../src/cli/options.ts'
import { playbookOptions } from '../../../src/cli/tables.ts'
import type { Terminal } from '../../../src/cli/terminal.ts'
import { Exit } from '../../../src/cli/trouble.ts'
import { VERSION } from '../../../src/cli/version.ts'

const parse = (...argv: string[]) => {
  let said = ''
  const write = (text: string): void => {
    said += text
  }
  const terminal: Terminal = {
    ...{ cwd: '/', env: {}, home: '/', columns: 80, colour: false, isTerminal: false, isInteractive: false, out: write, err: write },
    ask: () => Promise.reject(new Error('nobody')),
    readLine: async () => undefined,
    keys: async () => ({ how: 'done', typed: '' }),
    flush: async () => {},
  }
  try {
    const { args, options } = parseArgs({ name: 'tsspray', about: 'x', args: '[playbooks...]', options: playbookOptions }, argv, terminal)
    return { args, options, said, code: undefined }
  } catch (error) {
    if (error instanceof Exit) return { args: [], options: undefined, said, code: error.code }
    throw error
  }
}

describe('options of a run', () => {
  test.each<[string[], Record<string, unknown>]>([
    [['-i', 'a', '-i', 'b,', 'site.yml'], { inventory: ['a', 'b,'] }],
    [['site.yml', '-vvv', '-v'], { verbose: 4 }],
    [['-f', '10', 'site.yml'], { forks: 10 }],
    [['-f10', 'site.yml'], { forks: 10 }],
    [['--forks=10', 'site.yml'], { forks: 10 }],
    [['-bCD', 'site.yml'], { become: true, check: true, diff: true }],
    [['-e', 'a=1', '-e@x.yml', '--extra-vars', '{"b": 2}', 'site.yml'], { extraVars: ['a=1', '@x.yml', '{"b": 2}'] }],
    [['--ssh-common-args', '-o ProxyJump=b', 'site.yml'], { sshCommonArgs: '-o ProxyJump=b' }],
    [['--ssh-extra-args=-v', 'site.yml'], { sshExtraArgs: '-v' }],
    [['--key-file', 'k', 'site.yml'], { privateKeyFile: 'k' }],
    [
      ['--vault-pass-file', 'p', '--vault-id', 'a@b', '--vault-id', 'c@prompt', 'site.yml'],
      { vaultPasswordFiles: ['p'], vaultIds: ['a@b', 'c@prompt'] },
    ],
    [['-J', '-k', '-K', 'site.yml'], { askVaultPass: true, askPass: true, askBecomePass: true }],
    [['--skip', 'x', '-t', 'a,b', '-t', 'c', 'site.yml'], { skipTags: ['x'], tags: ['a,b', 'c'] }],
    [['-l', 'web', '--limit', 'db', 'site.yml'], { limit: 'db' }],
    [['site.yml'], { limit: undefined, forks: undefined, inventory: [], check: false, verbose: 0 }],
  ])('%j', (argv, wanted) => {
    const { args, options } = parse(...argv)
    expect(args).toEqual(['site.yml'])
    expect(options).toMatchObject(wanted)
  })

  test.each<[string[], number, string]>([
    [['--nonsense', 'x.yml'], 2, "unknown option '--nonsense'"],
    [['--limt', 'x', 'x.yml'], 2, 'Did you mean --limit?'],
    [['-f', 'many', 'x.yml'], 2, "needs a whole number from 1 on, not 'many'"],
    [['-i'], 2, 'argument missing'],
    [['--help'], 0, '--start-at-task <name>'],
    [['--version'], 0, `tsspray ${VERSION}`],
  ])('%j ends with %i', (argv, code, said) => {
    const parsed = parse(...argv)
    expect(parsed.code).toBe(code)
    expect(parsed.said).toContain(said)
  })

  test('long names may be cut short where they stay unambiguous', () => {
    const known = ['--vault-id', '--vault-password-file', '--verbose']
    expect(expandLong(['--vault-p', 'x', '--vault', '--ver', '--', '--ver'], known)).toEqual([
      '--vault-password-file',
      'x',
      '--vault',
      '--verbose',
      '--',
      '--ver',
    ])
    expect(expandLong(['--vault-p=x'], known)).toEqual(['--vault-password-file=x'])
  })
})
