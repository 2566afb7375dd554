/** dpkg_selections: makes a package be held, installed, removed or purged by later runs of dpkg. */
import { choice, required, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'

export default defineModule({
  name: 'ansible.builtin.dpkg_selections',
  summary: 'Marks packages for dpkg.',
  params: { name: required(str()), selection: required(choice(['install', 'hold', 'deinstall', 'purge'])) },
  async *run({ name, selection }, host) {
    const look = await lookAt(host, sh`printf '\036now\n'; dpkg --get-selections ${name} 2>/dev/null`)
    const before = look.section('now')?.trim().split(/\s+/).at(1)
    if (before === undefined) throw new ModuleFailure(`Failed to find package '${name}' to perform selection '${selection}'.`)
    if (before === selection) return { changed: false, before, after: selection }
    yield { what: 'selection', script: sh`printf '%s %s\n' ${name} ${selection} | dpkg --set-selections` }
    return { changed: true, before, after: selection }
  },
})
