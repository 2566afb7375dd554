/** The variables that a template sees about itself: template_path, template_uid, ansible_managed and their kin. */
import { readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Value } from '../../base/index.ts'
import type { Host } from '../api.ts'
import { timeText } from './run-command.ts'

export async function templateVars(name: string, fullPath: string, dest: string, host: Host): Promise<ReadonlyMap<string, Value>> {
  const file = await stat(fullPath).catch(() => undefined)
  const uid = file ? ((await userName(file.uid)) ?? String(file.uid)) : ''
  return new Map<string, Value>([
    ['template_host', hostname()],
    ['template_path', name],
    ['template_mtime', timeText(file?.mtime ?? host.now())],
    ['template_uid', uid],
    ['template_run_date', timeText(host.now())],
    ['template_destpath', dest],
    ['template_fullpath', resolve(fullPath)],
    ['ansible_managed', 'Ansible managed'],
  ])
}

/** The controller's name of a uid, from its passwd file. */
async function userName(uid: number): Promise<string | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[2] === String(uid))?.[0]
}
