/** Wrong input with what must be said of it: the whole text, the places, the hints, the exit code; and no host is touched. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, 'mistakes')
const ROOT = join(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'dist/main.js')
/** UPDATE_GOLDEN=1 writes what was said; read it before you keep it. */
const UPDATE = process.env['UPDATE_GOLDEN'] === '1'

/** Wide, so that no message is broken where the folder's name is long. */
function say(folder: string): string {
  const file = join(folder, 'cmd')
  const commands = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : ['tsspray -i h1, -c local playbook.yml']
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
    ANSIBLE_LOCALHOST_WARNING: '0',
    COLUMNS: '1000',
  }
  return commands
    .map((command) => {
      const line = command.replace(/^tsspray/, `'${process.execPath}' '${MAIN}'`)
      const done = spawnSync('sh', ['-c', line], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 })
      return `$ ${command}\n${done.stdout}${done.stderr}[exit ${done.status}]\n`
        .replaceAll(folder, 'HERE')
        .replaceAll(ROOT, 'TSSPRAY')
        .replace(/\*{4,}/g, '****')
    })
    .join('')
}

describe.concurrent('mistakes', () => {
  for (const name of readdirSync(FOLDER).sort()) {
    it(name, { timeout: 60_000 }, () => {
      const expected = join(FOLDER, name, 'expected.txt')
      const said = say(join(FOLDER, name))
      if (UPDATE) writeFileSync(expected, said)
      expect(said).toBe(readFileSync(expected, 'utf8'))
    })
  }
})
