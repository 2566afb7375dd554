/** sudoers: makes a file of rules for sudo be there, checked by visudo, or be gone. */
import { type Args, bool, choice, fallback, list, required, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'
import { writeText } from '../system/write-text.ts'

const params = {
  commands: list('str', { description: 'commands that may be run' }),
  defaults: list('str', { description: 'settings for the user or group' }),
  group: str({ description: 'group that may run them' }),
  host: fallback(str({ description: 'hosts where they may be run' }), 'ALL'),
  name: required(str({ description: 'name of the file' })),
  noexec: fallback(bool({ description: 'the commands may not run others' }), false),
  nopassword: fallback(bool({ description: 'no password is asked for' }), true),
  runas: str({ description: 'whom they run as' }),
  setenv: fallback(bool({ description: 'the environment is kept' }), false),
  state: choice(['present', 'absent'], 'present', { description: 'whether the file is to be there' }),
  sudoers_path: fallback(str({ description: 'folder of the files' }), '/etc/sudoers.d'),
  user: str({ description: 'user who may run them' }),
  validation: choice(['absent', 'detect', 'required'], 'detect', { description: 'whether visudo checks the rules' }),
} as const

type SudoersArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.sudoers',
  summary: 'Manages files of rules for sudo.',
  params,
  rules: { mutuallyExclusive: [['user', 'group']] },
  async *run(args, host) {
    const file = `${args.sudoers_path}/${args.name}`
    const look = await lookAt(host, sh`f ${file}; e ${file}`)
    const before = look.section(`f:${file}`) ?? ''
    if (args.state === 'absent') {
      if (!look.exists(file)) return { changed: false }
      yield { what: 'state', diff: { before, after: '', beforeHeader: file, afterHeader: file }, script: sh`rm -f -- ${file}` }
      return { changed: true }
    }
    if (args.user === undefined && args.group === undefined) throw new ModuleFailure('one of the following is required: user, group')
    if (!args.commands?.length) throw new ModuleFailure('commands must be set')
    const text = rulesText(args)
    await validate(host, args, text)
    if (before === text) return { changed: false }
    yield {
      what: 'rules',
      diff: { before, after: text, beforeHeader: file, afterHeader: file },
      script: sh`${writeText(file, text, { mode: '0440' })} && chmod 0440 -- ${file}`,
    }
    return { changed: true }
  },
})

function rulesText(args: SudoersArgs): string {
  const owner = args.user ?? `%${args.group}`
  const marks = [args.nopassword ? 'NOPASSWD:' : '', args.setenv ? 'SETENV:' : '', args.noexec ? 'NOEXEC:' : ''].join('')
  const runas = args.runas === undefined ? '' : `(${args.runas})`
  const settings = (args.defaults ?? []).map((one) => `Defaults:${owner} ${one}\n`).join('')
  return `${settings}${owner} ${args.host}=${runas}${marks} ${args.commands!.join(', ')}\n`
}

const NO_VISUDO = 93

async function validate(host: Host, args: SudoersArgs, text: string): Promise<void> {
  if (args.validation === 'absent') return
  const told = await host.look(sh`PATH=$PATH:/usr/sbin:/sbin; command -v visudo >/dev/null || exit ${NO_VISUDO}; visudo -c -f - >&2`, {
    stdin: new TextEncoder().encode(text),
    onFailure: 'tell',
  })
  if (told.code === NO_VISUDO && args.validation === 'required')
    throw new ModuleFailure('Failed to find required executable "visudo" in paths')
  if (told.code !== 0 && told.code !== NO_VISUDO)
    throw new ModuleFailure(`Failed to validate sudoers rule:\n${new TextDecoder().decode(told.stderr)}`)
}
