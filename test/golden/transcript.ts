/** A golden case's commands → their transcript, and a transcript → the lines that are compared. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../../dist/main.js')

/** The commands of Ansible that cases use, and what stands for them. */
const STANDS_FOR = { 'ansible-playbook': '', 'ansible-inventory': ' inventory', 'ansible-vault': ' vault', ansible: ' exec' }

/** Runs every command of a case in a scratch copy of its folder. */
export function runCase(folder: string): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'case-')))
  try {
    cpSync(folder, dir, { recursive: true, verbatimSymlinks: true })
    for (const name of ['expected.txt', 'notes.md']) rmSync(join(dir, name), { force: true })
    const env = prepare(dir)
    const text = commandsOf(dir).map((command) => `$ ${command}\n${run(command, dir, env)}`)
    return text.join('') + filesLeft(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function prepare(dir: string): NodeJS.ProcessEnv {
  for (const name of ['out', '.home', '.bin']) mkdirSync(join(dir, name), { recursive: true })
  for (const [name, command] of Object.entries(STANDS_FOR)) {
    const path = join(dir, '.bin', name)
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}'${command} "$@"\n`)
    chmodSync(path, 0o755)
  }
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ANSIBLE')))
  return {
    ...env,
    ...{ HOME: join(dir, '.home'), LC_ALL: 'C.UTF-8', COLUMNS: '80', NO_COLOR: '1', PATH: `${dir}/.bin:${env['PATH']}` },
    ...{
      ANSIBLE_LOCALHOST_WARNING: '0',
      ANSIBLE_DEPRECATION_WARNINGS: '0',
      ANSIBLE_RETRY_FILES_ENABLED: '0',
      ANSIBLE_HOST_KEY_CHECKING: '0',
    },
  }
}

function commandsOf(dir: string): string[] {
  const file = join(dir, 'cmd')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : 'ansible-playbook -i inventory.ini playbook.yml'
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

function run(command: string, cwd: string, env: NodeJS.ProcessEnv): string {
  const done = spawnSync('bash', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 120_000,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  })
  return `${done.stdout.replaceAll(cwd, 'CASE')}\n[exit ${done.status}]\n`
}

function filesLeft(dir: string): string {
  return walk(join(dir, 'out'))
    .sort()
    .map((path) => {
      const stat = lstatSync(path)
      const name = path.slice(dir.length + 1)
      if (stat.isSymbolicLink()) return `--- ${name} -> ${readlinkSync(path).replaceAll(dir, 'CASE')}\n`
      return `--- ${name} 0o${(stat.mode & 0o7777).toString(8)}\n${JSON.stringify(readFileSync(path, 'utf8').replaceAll(dir, 'CASE'))}\n`
    })
    .join('')
}

function walk(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? walk(join(dir, e.name)) : [join(dir, e.name)]))
}

/** Keeps what is meaning: no standard error, no blank lines, no wording of errors; times are masked, a task's lines sorted by host. */
export function meaning(text: string): string[] {
  const lines = text
    .replace(/\*{3,}/g, '***')
    .replace(/"(delta|start|end)": "[^"]*"/g, '"$1": "TIME"')
    .split('\n')
  const out: string[] = []
  let block: { host: string; lines: string[] }[] = []
  let dropping: 'stderr' | 'body' | undefined
  const flush = () => {
    block.sort((a, b) => (a.host < b.host ? -1 : a.host > b.host ? 1 : 0))
    out.push(...block.flatMap((b) => b.lines))
    block = []
  }
  for (const written of lines) {
    let line = written.trimEnd()
    if (dropping === 'stderr' && /^\[exit /.test(line)) dropping = undefined
    if (dropping === 'body' && line === '}') {
      dropping = undefined
      continue
    }
    if (line.startsWith('[stderr]')) dropping = 'stderr'
    if (dropping !== undefined || line === '' || /^(NO MORE HOSTS LEFT|An exception occurred during task execution)/.test(line)) continue
    const head = /^(ok|changed|fatal|failed|skipping|included|FAILED - RETRYING|\.\.\.ignoring)(?:: \[([^\]\s]+))?/.exec(line)
    if (head?.[1] === 'fatal' || head?.[1] === 'failed') {
      if (line.endsWith('{')) dropping = 'body'
      line = line.replace(/ => \{.*$/, '').replace(/(FAILED!|UNREACHABLE!).*$/, '$1')
    }
    if (head?.[2]) block.push({ host: head[2], lines: [line] })
    else if (/^(PLAY|TASK|RUNNING HANDLER|\$ |\[exit|---|[^\s:]+\s+: ok=)/.test(line)) {
      flush()
      out.push(line)
    } else if (block.length > 0) block.at(-1)!.lines.push(line)
    else out.push(line)
  }
  flush()
  return out
}
