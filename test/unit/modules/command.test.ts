import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
import { runModule, SHELLS } from '../../harness/local-host.ts'

const dir = mkdtempSync(join(tmpdir(), 'tsspray-command-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const CASES: readonly [string, string, JsonObject, JsonObject][] = [
  ['words and quotes', 'command', { _raw_params: `printf '%s|' a "b c" 'd"e' f\\ g` }, { rc: 0, stdout: 'a|b c|d"e|f g|', changed: true }],
  [
    'no shell',
    'command',
    { _raw_params: 'echo a; echo b > c' },
    { rc: 0, stdout: 'a; echo b > c', cmd: ['echo', 'a;', 'echo', 'b', '>', 'c'] },
  ],
  [
    'variables and home',
    'command',
    { argv: ['echo', '$HOME/x', '~/y', '$NOPE', '${NOPE}', "it's $LC_ALL"] },
    { stdout: `${process.env['HOME']}/x ${process.env['HOME']}/y $NOPE \${NOPE} it's C` },
  ],
  ['unknown program', 'command', { _raw_params: 'no-such-program x' }, { rc: 2, failed: true, cmd: 'no-such-program x' }],
  ['not executable', 'command', { _raw_params: '/etc/passwd' }, { rc: 13, failed: true }],
  ['a builtin is no program', 'command', { _raw_params: 'umask' }, { rc: 2, failed: true }],
  [
    'exit code',
    'shell',
    { _raw_params: 'echo out; echo err >&2; exit 3' },
    { rc: 3, failed: true, stdout: 'out', stderr: 'err', msg: 'non-zero return code' },
  ],
  ['a kill', 'shell', { _raw_params: 'kill -9 $$' }, { rc: -9, failed: true }],
  ['a code that looks like a kill', 'shell', { _raw_params: 'exit 137' }, { rc: 137, failed: true }],
  ['code 125', 'shell', { _raw_params: 'exit 125' }, { rc: 125, failed: true }],
  ['stdin gets a newline', 'command', { _raw_params: 'od -An -c', stdin: 'ab' }, { stdout: '   a   b  \\n' }],
  ['stdin as it is', 'command', { _raw_params: 'wc -c', stdin: 'ab', stdin_add_newline: false }, { stdout: '2' }],
  ['no stdin', 'command', { _raw_params: 'cat' }, { rc: 0, stdout: '' }],
  ['ends are kept', 'shell', { _raw_params: 'echo a; echo', strip_empty_ends: false }, { stdout: 'a\n\n', stdout_lines: ['a', ''] }],
  ['chdir', 'shell', { _raw_params: 'pwd', chdir: dir }, { stdout: dir }],
  [
    'chdir to nothing',
    'shell',
    { _raw_params: 'pwd', chdir: `${dir}/none` },
    { failed: true, msg: expect.stringContaining('Unable to change directory before execution: [Errno 2] No such file or directory') },
  ],
  [
    'creates',
    'shell',
    { _raw_params: 'echo x', creates: '/etc/pass*' },
    { rc: 0, changed: false, stdout: 'skipped, since /etc/pass* exists' },
  ],
  [
    'removes',
    'shell',
    { _raw_params: 'echo x', removes: 'none*', chdir: dir },
    { rc: 0, changed: false, stdout: 'skipped, since none* does not exist' },
  ],
  ['another shell', 'shell', { _raw_params: 'echo ${0##*/}', executable: '/bin/bash' }, { stdout: 'bash' }],
  ['nothing to run', 'command', { _raw_params: ' ' }, { rc: 256, failed: true, msg: 'no command given' }],
  ['twice', 'command', { _raw_params: 'a', argv: ['b'] }, { rc: 256, failed: true }],
]

describe.each(SHELLS)('%s %s', (...shell) => {
  it.each(CASES)('%s', async (_name, module, args, want) => {
    const { result } = await runModule(module, args, { shell: shell.filter(Boolean) })
    expect(result).toMatchObject(want)
  })
})

it('check mode runs nothing', async () => {
  expect((await runModule('command', { _raw_params: `touch ${dir}/made` }, { check: true })).result).toMatchObject({
    skipped: true,
    changed: false,
  })
  const ran = await runModule('command', { _raw_params: `touch ${dir}/made`, creates: `${dir}/made` }, { check: true })
  expect(ran.result).toMatchObject({ changed: true, rc: 0, msg: 'Command would have run if not in check mode' })
})
