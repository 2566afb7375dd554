/** What the modules over semanage share: whether SELinux is there, and the lists of the policy. */
import { sh, textOf } from '../../remote/index.ts'
import { type Host, ModuleFailure } from '../api.ts'
import type { Ran } from './looking.ts'
import { askTool } from './tools.ts'

export async function mustBeEnabled(host: Host, ignore: boolean): Promise<void> {
  if (ignore) return
  const told = await host.look(sh`if [ -e /sys/fs/selinux/enforce ]; then printf 1; fi`)
  if (textOf(told.stdout) !== '1') throw new ModuleFailure('SELinux is disabled on this host.')
}

/** The lines that semanage prints of one of its kinds. */
export async function semanage(host: Host, words: readonly string[]): Promise<string[]> {
  const told = await askTool(host, ['semanage', ...words])
  failSemanage(told)
  return told.stdout.split('\n')
}

export function failSemanage(told: Ran | undefined): void {
  if (told && told.rc !== 0) throw new ModuleFailure(told.stderr.trim().replace(/^(\w+Error: )?/, '$1'), { rc: told.rc })
}
