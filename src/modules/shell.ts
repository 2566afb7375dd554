/** shell: runs a text in a shell. */
import { bool } from '../params/index.ts'
import { sh } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { expandingWord } from './files/program.ts'
import { commandParams, runCommand } from './files/run-command.ts'

export default defineModule({
  name: 'ansible.builtin.shell',
  summary: 'Runs a text in a shell.',
  freeForm: true,
  params: { ...commandParams, expand_argument_vars: bool() },
  async *run(args, host) {
    if (args.expand_argument_vars !== undefined)
      throw new ModuleFailure(`Unsupported parameters for (${host.task.action}) module: expand_argument_vars`)
    const text = args._raw_params ?? args.cmd ?? ''
    return yield* runCommand(host, args, {
      cmd: text,
      given: text.trim() !== '',
      twice: text.trim() !== '' && (args.argv ?? []).length > 0,
      words: [expandingWord(args.executable ?? '/bin/sh'), sh`-c`, sh`${text}`],
    })
  },
})
