/** script: sends a local script to the host and runs it there on a terminal. */
import { bool, fallback, str } from '../params/index.ts'
import { sh, statProbe, textOf, userScript } from '../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from './api.ts'
import { ask } from './files/ask.ts'
import { outputs } from './files/lines.ts'
import { findLocal, uploadOf } from './files/local.ts'
import { splitWords } from './files/words.ts'

export default defineModule({
  name: 'ansible.builtin.script',
  takesAsync: false,
  summary: 'Sends a local script to the host and runs it.',
  freeForm: true,
  params: {
    _raw_params: str(),
    cmd: str(),
    chdir: str(),
    creates: str(),
    removes: str(),
    executable: str(),
    decrypt: fallback(bool(), true),
  },
  async *run(args, host) {
    const text = (args._raw_params ?? args.cmd ?? '').trim()
    const name = splitWords(text)[0]
    if (name === undefined) throw new ModuleFailure('one of the following is required: _raw_params, cmd')
    if (args.creates !== undefined && (await exists(host, args.creates))) return skipped(`${args.creates} exists, matching creates option`)
    if (args.removes !== undefined && !(await exists(host, args.removes)))
      return skipped(`${args.removes} does not exist, matching removes option`)
    if (args.chdir !== undefined && !args.chdir.startsWith('/'))
      throw new ModuleFailure(`chdir ${args.chdir} must be an absolute path for a Unix-aware remote node`)
    const source = findLocal(host.controller, 'files', name)
    if (host.check)
      return args.creates !== undefined || args.removes !== undefined
        ? { changed: true }
        : skipped('Check mode is not supported for this task.')
    const go = args.chdir === undefined ? sh`` : sh`cd -- ${args.chdir} && `
    const by = args.executable === undefined ? sh`` : userScript(`${args.executable} `)
    const done = yield {
      what: 'command',
      script: sh`chmod u+x -- "$1"
${go}${by}"$1"${userScript(text.slice(firstWordEnd(text, name)))}`,
      upload: [await uploadOf(host.controller, source, args.decrypt)],
      onFailure: 'tell',
      tty: true,
      ownChannel: true,
    }
    if (!done) return { changed: true }
    const told = { rc: done.code, ...outputs(textOf(done.stdout), textOf(done.stderr)), changed: true }
    if (done.code !== 0) throw new ModuleFailure('non-zero return code', told)
    return told
  },
})

const skipped = (msg: string): { skipped: true; changed: false; msg: string } => ({ skipped: true, changed: false, msg })

async function exists(host: Host, path: string): Promise<boolean> {
  return (await ask(host, statProbe(path, { follow: true }))).exists
}

/** Where the arguments begin: after the first word as it is written, quotes and all. */
function firstWordEnd(text: string, name: string): number {
  for (let end = name.length; end <= text.length; end++) {
    if (end < text.length && !/\s/.test(text[end]!)) continue
    try {
      if (splitWords(text.slice(0, end)).length === 1 && splitWords(text.slice(0, end))[0] === name) return end
    } catch (error) {
      if (!(error instanceof ModuleFailure)) throw error
    }
  }
  return text.length
}
