/** raw: sends a text to the host's shell as it is; nothing else is asked of the host. */

import { str } from '../params/index.ts'
import { sh, textOf, userScript } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { outputs } from './files/lines.ts'

export default defineModule({
  name: 'ansible.builtin.raw',
  takesAsync: false,
  summary: "Sends a text to the host's shell as it is.",
  freeForm: true,
  checkMode: false,
  takesEnvironment: false,
  params: { _raw_params: str(), cmd: str(), executable: str() },
  async *run(args) {
    const text = args._raw_params ?? args.cmd
    if (text === undefined || text.trim() === '') throw new ModuleFailure('no command given', { rc: 256 })
    const script = args.executable === undefined ? userScript(text) : sh`${args.executable} -c ${text}`
    const done = yield { what: 'command', script, onFailure: 'tell', tty: true, ownChannel: true }
    if (!done) return { skipped: true }
    const told = { rc: done.code, ...outputs(textOf(done.stdout), textOf(done.stderr)), changed: true }
    if (done.code !== 0) throw new ModuleFailure('non-zero return code', told)
    return told
  },
})
