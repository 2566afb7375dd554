import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { localLink } from '../../../src/connect/local.ts'
import { ConnectionLost, ShellDied, TimedOut } from '../../../src/connect/lost.ts'
import { Meter } from '../../../src/connect/meter.ts'
import { Intake } from '../../../src/connect/shell/intake.ts'
import { runOnChannel } from '../../../src/connect/shell/own-channel.ts'
import { Shell, type ShellRunOptions } from '../../../src/connect/shell/shell.ts'
import { stopBelow } from '../../../src/connect/shell/stop.ts'
import { Spill } from '../../../src/connect/spill.ts'
import { textOf, userScript } from '../../../src/remote/index.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const link = localLink()

async function openShell(program: string, seconds = 5): Promise<Shell> {
  const meter = new Meter()
  const channel = await link.open(`echo start-up noise; exec ${program}`)
  const stop = async (pid: number) =>
    void (await runOnChannel(
      { link, meter, host: 'here', becomeSeconds: 5, terminals: new Set(), makeRoom: () => {}, spill: new Spill() },
      stopBelow(pid),
      {},
    ))
  return new Shell({ channel, intake: new Intake(channel, meter), meter, host: 'here', seconds, layout: 'two streams', stop })
}

const has = (program: string): boolean => spawnSync('/bin/sh', ['-c', `command -v ${program.split(' ')[0]}`]).status === 0
const all = Buffer.from([...Array(256).keys(), 0, 0x25, 0x73, 0x5c, 0x6e, 0x27])

interface Case {
  readonly name: string
  readonly script: string
  readonly options?: ShellRunOptions
  readonly stdout?: string | RegExp
  readonly stderr?: string | RegExp
  readonly code?: number
}

const cases: readonly Case[] = [
  { name: 'both streams and a code', script: 'echo out; echo err >&2; exit 3', stdout: 'out\n', stderr: 'err\n', code: 3 },
  {
    name: 'streams opened by name',
    script: 'echo out >/dev/stdout; echo err >/dev/stderr; exit 4',
    stdout: 'out\n',
    stderr: 'err\n',
    code: 4,
  },
  { name: 'no final newline', script: 'printf hi', stdout: 'hi' },
  { name: 'nothing', script: ':' },
  { name: 'an empty script', script: '' },
  { name: 'a comment at the end', script: 'echo a # b', stdout: 'a\n' },
  { name: 'a line that goes on into nothing', script: 'echo a \\', stdout: /^a/ },
  { name: 'an open quote', script: "echo 'never closed", stderr: /./, code: 2 },
  { name: 'an open parenthesis', script: '( echo a', stderr: /./, code: 2 },
  { name: 'a closing parenthesis too many', script: 'echo a )', stderr: /./, code: 2 },
  { name: 'an open here-document', script: 'cat <<X\nline', stdout: /^line/, stderr: /^$|X/ },
  { name: 'quotes, UTF-8 and blanks', script: `printf '%s|' "it's" 'ü–漢' "a  b" '\\'`, stdout: `it's|ü–漢|a  b|\\|` },
  { name: 'reading stdin finds nothing', script: 'read -r line; echo "<$line>"; cat', stdout: '<>\n' },
  { name: 'stdin given', script: 'read -r line; echo "<$line>"; cat', options: { stdin: Buffer.from('one\ntwo') }, stdout: '<one>\ntwo' },
  { name: 'stdin not read', script: 'echo a', options: { stdin: Buffer.alloc(8000, 120) }, stdout: 'a\n' },
  { name: 'empty stdin', script: 'cat; echo end', options: { stdin: Buffer.alloc(0) }, stdout: 'end\n' },
  { name: 'stdin of all bytes', script: 'od -An -v -tx1', options: { stdin: all }, stdout: hexLines(all) },
  { name: 'stdin like an option', script: 'cat', options: { stdin: Buffer.from('--n %d') }, stdout: '--n %d' },
  { name: 'variables', script: 'printf %s "$A$B"', options: { env: new Map([['A', "x'y\n"], ['B', '$HOME `id`']]) }, stdout: "x'y\n$HOME `id`" }, // biome-ignore format: short
  { name: 'exec', script: 'exec printf %s gone', stdout: 'gone' },
  { name: 'an unknown program', script: '/no/such/program', stderr: /no\/such/, code: 127 },
  { name: 'a death by signal says nothing of its own', script: `sh -c 'kill -9 $$'; exit $?`, code: 137, stderr: /^(.*Killed.*)?\s*$/s },
  { name: 'the whole script killed', script: `kill -9 $(exec sh -c 'echo $PPID')`, code: 137 },
  { name: 'its own trap', script: `trap 'echo bye' 0; echo hi`, stdout: 'hi\nbye\n' },
  { name: 'closed streams', script: 'exec >&- 2>&-; exit 4', code: 4 },
  { name: 'what looks like a mark', script: 'printf "<AAAAAAAAAAAAAAAAAAAA>0;"', stdout: '<AAAAAAAAAAAAAAAAAAAA>0;' },
]

function hexLines(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 16)
    text += `${[...bytes.subarray(at, at + 16)].map((b) => ` ${b.toString(16).padStart(2, '0')}`).join('')}\n`
  return text
}

for (const program of ['sh', 'dash', 'bash', 'busybox sh']) {
  describe.skipIf(!has(program))(`a persistent ${program}`, () => {
    let shell: Shell
    beforeAll(async () => {
      shell = await openShell(program)
    })
    afterAll(() => shell.end(1000))

    test.each(cases)('$name', async ({ script, options, stdout = '', stderr = '', code = 0 }) => {
      const output = await shell.run(userScript(script), options)
      for (const [text, expected] of [
        [textOf(output.stdout), stdout],
        [textOf(output.stderr), stderr],
      ] as const) {
        if (typeof expected === 'string') expect(text).toBe(expected)
        else expect(text).toMatch(expected)
      }
      expect(output.code).toBe(code)
    })

    test('nothing leaks into the next script', async () => {
      await shell.run(
        userScript(
          `cd /; x=1; export y=2; set -e; set -f; umask 0; f() { echo f; }; alias ls=false; exec 3>&1; trap 'echo t' 0; exec >/dev/null`,
        ),
      )
      const output = await shell.run(
        userScript('echo "<$x$y>"; pwd; umask; false; f 2>/dev/null; (echo >&3) 2>/dev/null; (echo >&4) 2>/dev/null || echo end'),
      )
      expect(textOf(output.stdout)).toBe(`<>\n${process.cwd()}\n${textOf((await shell.run(userScript('umask'))).stdout)}end\n`)
    })

    test('long scripts, in ASCII and not', async () => {
      const comment = '# a line that says nothing\n'.repeat(200)
      for (const word of ['plain', 'fünf–漢']) {
        expect(textOf((await shell.run(userScript(`${comment}echo '${word}'\nexit 3`))).stdout)).toBe(`${word}\n`)
        expect((await shell.run(userScript(`${comment}echo '${word}`))).code).toBe(2)
      }
      expect(textOf((await shell.run(userScript(`cat;${comment}`), { stdin: Buffer.alloc(5000, 'ab%\\') })).stdout)).toBe(
        'ab%\\'.repeat(1250),
      )
    })

    test('binary output comes through as it is', async () => {
      const output = await shell.run(userScript('cat'), { stdin: all })
      expect(Buffer.from(output.stdout).equals(all)).toBe(true)
    })

    test('an exported variable of ours stays in its script', async () => {
      await shell.run(userScript(':'), { env: new Map([['ONLY_HERE', '1']]) })
      expect(textOf((await shell.run(userScript('echo "<$ONLY_HERE>"'))).stdout)).toBe('<>\n')
    })

    test('too long a script is ended, with all it started, and the shell lives on', async () => {
      const from = performance.now()
      const script = userScript('echo $$ >/dev/null; sleep 77 & sh -c "sleep 78; :"; wait')
      await expect(shell.run(script, { timeoutSeconds: 0.3 })).rejects.toBeInstanceOf(TimedOut)
      expect(shell.spent).toBe(true)
      expect(performance.now() - from).toBeLessThan(5000)
      expect(textOf((await shell.run(userScript('echo alive'))).stdout)).toBe('alive\n')
    })

    test('an aborted script is ended', async () => {
      const abort = new AbortController()
      setTimeout(() => abort.abort(new Error('enough')), 200)
      await expect(shell.run(userScript('sleep 79'), { signal: abort.signal })).rejects.toThrow('enough')
    })

    test('output is told while it comes', async () => {
      const told: string[] = []
      const onOutput = (chunk: Uint8Array, stream: string) => told.push(`${stream}: ${textOf(chunk)}`)
      await shell.run(userScript('echo a; sleep 0.2; echo b >&2'), { onOutput })
      expect(told).toEqual(['stdout: a\n', 'stderr: b\n'])
    })

    test('what is left in the background does not reach the next script', async () => {
      const one = await openShell(program)
      expect(textOf((await one.run(userScript('(sleep 0.2; echo late) & echo now'))).stdout)).toBe('now\n')
      expect(one.spent).toBe(true)
      one.retire()
    })

    test('a killed shell is told as such', async () => {
      const one = await openShell(program)
      await expect(one.run(userScript('kill -9 $$; sleep 5'))).rejects.toBeInstanceOf(ShellDied)
      await expect(one.run(userScript('echo a'))).rejects.toBeInstanceOf(ShellDied)
    })

    test('its scratch folder goes with it', async () => {
      const one = await openShell(program)
      const path = textOf((await one.scratch()).stdout)
      expect(textOf((await one.run(userScript(`ls -ld ${path}; : >${path}/x`))).stdout)).toMatch(/^drwx------/)
      await one.end(2000)
      expect(spawnSync('test', ['-e', path]).status).toBe(1)
    })

    test('much output', async () => {
      const size = program === 'sh' ? 100_000_000 : 5_000_000
      const output = await shell.run(userScript(`head -c ${size} /dev/zero`))
      expect(output.stdout.length).toBe(size)
    })
  })
}

test('a NUL byte in a script is refused', async () => {
  const shell = await openShell('sh')
  await expect(shell.run(userScript('echo \0'))).rejects.toThrow('NUL')
  await expect(shell.run(userScript(':'), { env: new Map([['a b', '1']]) })).rejects.toThrow('“a b”')
  await shell.end(1000)
})

test('a shell that does not come up is a lost connection, with what it said', async () => {
  const refused = openShell("sh -c 'echo this account is closed; exit 1'").then((shell) => shell.run(userScript(':')))
  await expect(refused).rejects.toMatchObject({ notes: ['it said: start-up noise', 'it said: this account is closed'] })
  await expect(refused).rejects.toBeInstanceOf(ConnectionLost)
  const mute = await openShell('sleep 5', 0.3)
  await expect(mute.run(userScript(':'))).rejects.toThrow('does not start within the time given')
})
