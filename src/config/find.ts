/** Turns the environment and the working directory into the path of the settings file. */
import { accessSync, constants, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

export interface Found {
  readonly path: string | undefined
  readonly warnings: readonly string[]
}

/** ANSIBLE_CONFIG, then ./ansible.cfg, ~/.ansible.cfg, /etc/ansible/ansible.cfg; a folder that everybody may write to is passed over. */
export function findConfig({ cwd, env, home }: Surroundings, system = '/etc/ansible/ansible.cfg'): Found {
  const named = env['ANSIBLE_CONFIG']
  const here = join(cwd, 'ansible.cfg')
  const isOpen = ((statSync(cwd, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0
  const candidates = [
    named === undefined ? undefined : fromVariable(named, cwd, home),
    isOpen ? undefined : here,
    join(home, '.ansible.cfg'),
    system,
  ]
  const path = candidates.find((candidate): candidate is string => candidate !== undefined && isReadable(candidate))
  const passedOver = isOpen && isReadable(here) && (named === undefined || path !== candidates[0])
  return {
    path,
    warnings: passedOver ? [`Everybody may write to the working directory (${cwd}), so its ansible.cfg is not read.`] : [],
  }
}

function fromVariable(named: string, cwd: string, home: string): string {
  const path = resolve(cwd, named.replace(/^~(?=\/|$)/, home))
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'ansible.cfg') : path
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
