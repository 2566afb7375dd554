/** Runs a generated case with a command in a scratch folder → what it printed, without what differs from run to run. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CaseFiles, generate } from './generate.ts'

/** The output of a seed's case, play by play and task by task. */
export function runSeed(seed: number, command: readonly string[]): string[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'precedence-')))
  try {
    return run(folder, generate(seed), command)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(folder: string, files: CaseFiles, command: readonly string[]): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ANSIBLE')))
  const done = spawnSync('sh', ['-c', `"$@" ${files['cmd']}`, 'sh', ...command], {
    cwd: folder,
    env: { ...env, LC_ALL: 'C.UTF-8', COLUMNS: '80', NO_COLOR: '1', ANSIBLE_NOCOLOR: '1', ANSIBLE_LOCALHOST_WARNING: '0' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  })
  return outputParts(`${done.stdout}[exit ${done.status}]\n`.replaceAll(folder, 'CASE'))
}

/** Parts without the length of their banners. */
export const outputParts = (text: string): string[] => text.replace(/\*{3,}/g, '***').split('\n\n')
