import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { guarded, guardWords } from '../../../src/connect/shell/guard.ts'

vi.setConfig({ testTimeout: 20_000 })

const folder = mkdtempSync(join(tmpdir(), 'guard-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const has = (program: string): boolean => spawnSync('/bin/sh', ['-c', `command -v ${program.split(' ')[0]}`]).status === 0
const isAlive = (pid: string): boolean => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
const nothing = ''

let files = 0
/** A file into which scripts write process ids, one a line. */
const register = (): { path: string; pids: () => string[] } => {
  const path = join(folder, `pids${++files}`)
  return { path, pids: () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter((line) => line !== nothing) : []) } // biome-ignore format: short
}

function start(program: string): { child: ChildProcess; said: () => string; ended: Promise<number | null> } {
  const child = spawn('/bin/sh', ['-c', guarded.text.replace('sh', program)], { stdio: 'pipe', detached: true })
  let said = ''
  child.stdout!.on('data', (chunk) => (said += chunk))
  child.stdin!.on('error', () => {})
  child.stdin!.write(guardWords(program))
  return { child, said: () => said, ended: new Promise((resolve) => child.on('close', (code) => resolve(code))) }
}

describe.each(['sh', 'dash', 'bash', 'busybox sh'].filter(has))('a guarded %s', (program) => {
  test('takes commands, and ends as it is told', async () => {
    const { child, said, ended } = start(program)
    child.stdin!.write(`echo "<$0>" >/dev/null; echo one\necho two; exit 7\n`)
    expect(await ended).toBe(7)
    expect(said()).toBe('one\ntwo\n')
  })

  test('ends at the end of its input, at once when it has nothing to do', async () => {
    const { child, said, ended } = start(program)
    child.stdin!.end(`trap 'echo bye' 0\n`)
    const from = performance.now()
    expect(await ended).toBe(0)
    expect([said(), performance.now() - from < 900]).toEqual(['bye\n', true])
  })

  test('what runs when the input ends is ended, whether it listens or not, and the shell removes what it keeps', async () => {
    const { path, pids } = register()
    const kept = join(folder, `kept${files}`)
    const { child, ended } = start(program)
    const stubborn = `sh -c 'trap "" 1 2 15; echo $$ >>${path}; while :; do sleep 1; done' & sh -c 'echo $$ >>${path}; exec sleep 60'`
    child.stdin!.write(`trap 'rm -rf ${kept}' 0; mkdir ${kept}\n(eval '${stubborn.replaceAll("'", `'\\''`)}; :')\n`)
    await expect.poll(() => pids().length, { timeout: 5000 }).toBe(2)
    expect(pids().map(isAlive)).toEqual([true, true])
    child.stdin!.destroy()
    await ended
    await expect.poll(() => pids().map(isAlive), { timeout: 5000 }).toEqual([false, false])
    expect(existsSync(kept)).toBe(false)
  })

  test('what an earlier command has left in the background goes on', async () => {
    const { path, pids } = register()
    const { child, ended } = start(program)
    child.stdin!.write(`(eval 'sleep 61 >/dev/null 2>&1 & echo $! >>${path}')\n`)
    await expect.poll(() => pids().length, { timeout: 5000 }).toBe(1)
    child.stdin!.destroy()
    await ended
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(pids().map(isAlive)).toEqual([true])
    process.kill(Number(pids()[0]))
  })

  test('a killed shell ends it all', async () => {
    const { child, ended } = start(program)
    child.stdin!.write(`kill -9 $$\n`)
    expect(await ended).toBe(137)
  })
})
