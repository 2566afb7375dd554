/** A machine → the same machine with BusyBox for all its programs, seen by one command. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The names of BusyBox; none where it is not installed. */
export const APPLETS: readonly string[] = (spawnSync('busybox', ['--list'], { encoding: 'utf8' }).stdout ?? '').split('\n').filter(Boolean)

/** Whether root may hide programs from a command. */
export const CAN_HIDE = APPLETS.length > 0 && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

/** A folder with BusyBox under all its names, which is the only PATH of such a machine. */
export const toolsOf = (root: string): string => join(root, 'busybox')

/** Where the program that runs the engine is on such a machine. */
export const asideOf = (root: string): string => join(root, 'engine')

export function layTools(root: string): void {
  const folder = toolsOf(root)
  for (const path of [folder, nothingOf(root)]) mkdirSync(path, { recursive: true })
  writeFileSync(asideOf(root), '')
  copyFileSync(execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim(), join(folder, 'busybox'))
  chmodSync(join(folder, 'busybox'), 0o755)
  for (const name of APPLETS) symlinkSync('busybox', join(folder, name))
}

const nothingOf = (root: string): string => join(root, 'nothing')

/** Shell commands that, in a mount namespace, leave nothing else where programs are; `program` is kept aside. */
export function hideProgramsFor(root: string, program: string): string[] {
  const places = ['/usr/local/bin', '/usr/local/sbin', '/usr/bin', '/usr/sbin', '/bin', '/sbin']
  const over = places
    .filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink())
    .map((path) => [['/usr/bin', '/bin'].includes(path) ? toolsOf(root) : nothingOf(root), path])
  return [[program, asideOf(root)], ...over].map(([from, to]) => `'${toolsOf(root)}/mount' -o bind '${from}' '${to}'`)
}
