/** Questions about many paths at once answer as each would alone, in every shell, also where a path goes away in between. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { answerOf, eachStat, type Probe, type Stat, selfProbe, sh, statProbe, statsProbe, sumsProbe } from '../../../src/remote/index.ts'
import { SHELLS } from '../../harness/local-host.ts'

const dir = mkdtempSync(join(tmpdir(), 'tsspray-many-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const at = (name: string): string => join(dir, name)
writeFileSync(at('file'), 'text\n')
chmodSync(at('file'), 0o640)
mkdirSync(at("fol der's"))
symlinkSync('file', at('link'))
symlinkSync('nowhere', at('dangling'))
writeFileSync(at('new\nline'), 'two\n')

function ask<T>(shell: readonly string[], probe: Probe<T>, before = sh``): T {
  const script = `export LC_ALL=C\n${before.text}\n${probe.script.text}`
  const { stdout, stderr } = spawnSync(shell[0]!, [...shell.slice(1), '-c', script])
  expect(stderr.toString()).toBe('')
  return answerOf(probe, stdout)
}

/** A program that removes a file before it does its work. */
const takingAway = (program: string, path: string) => sh`${program}() { rm -f -- ${path}; command ${program} "$@" 2>/dev/null; }`

test.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))('in %s', (_name, shell) => {
  const questions = ['file', "fol der's", 'link', 'dangling', 'none', 'file/below', 'new\nline'].flatMap((name) => [
    { path: at(name) },
    { path: at(name), follow: true },
    { path: at(name), checksum: 'sha1' as const },
    { path: at(name), follow: true, checksum: 'sha1' as const, hashLinksOnly: true },
  ])
  const alone = questions.map(({ path, ...wishes }) => ask(shell, statProbe(path, wishes)))
  expect(ask(shell, eachStat(questions)).map(untimed)).toEqual(alone.map(untimed))
  expect(ask(shell, statsProbe({ one: questions[0]!, none: undefined })).none).toBe(undefined)

  const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
  expect(ask(shell, sumsProbe([at('file'), at('none'), at('link'), dir], 'sha1'))).toEqual([
    sha1('text\n'),
    undefined,
    undefined,
    undefined,
  ])
  expect(ask(shell, sumsProbe([at('file'), at('new\nline')], 'sha1'))).toEqual([sha1('text\n'), sha1('two\n')])
})

test.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))('a path that goes away meanwhile, in %s', (_name, shell) => {
  const fleeting = at('fleeting')
  writeFileSync(fleeting, 'x')
  const paths = [at('file'), fleeting, at('link')].map((path) => ({ path }))
  const stats = ask(shell, eachStat(paths), takingAway('stat', fleeting))
  expect(stats.map(({ exists }) => exists)).toEqual([true, false, true])
  expect((stats[2] as Stat).kind).toBe('link')
  writeFileSync(fleeting, 'x')
  const sums = ask(shell, sumsProbe([fleeting, at('file')], 'sha1'), sh`exec 2>/dev/null; ${takingAway('sha1sum', fleeting)}`)
  expect(sums).toEqual([undefined, createHash('sha1').update('text\n').digest('hex')])
})

test.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))('who asks, in %s', (_name, shell) => {
  expect(ask(shell, selfProbe, sh`umask 027`)).toEqual({ uid: process.geteuid!(), gid: process.getegid!(), umask: 0o027 })
})

const untimed = (stat: object): object => ({ ...stat, accessed: 0 })
