/** interfaces_file: makes an option of an interface in /etc/network/interfaces be there, be another, or be gone; or tells the interfaces. */
import { bool, choice, fallback, path, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { openFile, saveFile } from '../files/edit.ts'
import { pathInfo } from '../files/info.ts'
import { readInterfaces, withOption } from './interfaces.ts'

export default defineModule({
  name: 'community.general.interfaces_file',
  summary: 'Manages options of network interfaces in an interfaces file.',
  params: {
    ...attributeParams,
    address_family: str({ description: 'inet or inet6, where an interface has both' }),
    backup: fallback(bool(), false),
    dest: fallback(path(), '/etc/network/interfaces'),
    iface: str({ description: 'the interface' }),
    option: str({ description: 'the option' }),
    state: choice(['present', 'absent'], 'present'),
    value: str(),
  },
  rules: { requiredBy: { option: ['iface'] } },
  async *run(args, host) {
    const { option, iface, state, value } = args
    if (option !== undefined && state === 'present' && value === undefined)
      throw new ModuleFailure("Value must be set if option is defined and state is 'present'")
    const edit = { path: args.dest, backup: args.backup, unsafe_writes: args.unsafe_writes }
    const file = await openFile(edit, host)
    if (!file.real.exists) throw new ModuleFailure(`[Errno 2] No such file or directory: '${args.dest}'`)
    const before = readInterfaces(textOf(file.content ?? new Uint8Array()))
    const next =
      option === undefined ? undefined : withOption(before.lines, { iface: iface ?? '', option, value, family: args.address_family, state })
    if (!next) return { dest: args.dest, changed: false, ifaces: before.ifaces, ...pathInfo(file.real) }
    const text = next.map((one) => one.line).join('')
    const saved = yield* saveFile(edit, file, { bytes: new TextEncoder().encode(text), changed: true, msg: '' }, host)
    return { dest: args.dest, changed: true, ifaces: readInterfaces(text).ifaces, ...pathInfo(saved.stat) }
  },
})
