/** What shells were told → the scripts in it, and those of them that a shell cannot read. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeOf, readLog } from './engine.ts'

/** A frame gives its script to eval as one quoted word. */
const SCRIPT = /^(?:printf '.*?'\|)?\((?:export [A-Za-z_]\w*='(?:[^']|'\\'')*';)*eval '((?:[^']|'\\'')*)'\)/gms

export function scriptsIn(root: string): Set<string> {
  const texts = readdirSync(placeOf(root).log).map((name) => readLog(root, name))
  const found = texts.flatMap((text) => [...text.matchAll(SCRIPT)].map(([, script]) => script!.replaceAll("'\\''", "'")))
  return new Set(found)
}

/** The scripts, as text, that this shell does not take for shell text. */
export function unreadable(scripts: ReadonlySet<string>, shell: string, folder: string): string[] {
  const all = [...scripts]
  mkdirSync(folder, { recursive: true })
  for (const [at, text] of all.entries()) writeFileSync(join(folder, String(at)), text, 'latin1')
  const told = execFileSync('sh', ['-c', `for s in *; do ${shell} -n "$s" 2>/dev/null || echo "$s"; done`], {
    cwd: folder,
    encoding: 'utf8',
  })
  return told.split('\n').filter(Boolean).map((name) => all[Number(name)]!) // biome-ignore format: a chain
}
