/** shell: runs a text in a shell. */
import { bool } from '../params/index.ts'
import { quote, sh } from '../remote/index.ts'
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
    const argv = args.argv ?? []
    const isText = text.trim() !== ''
    return yield* runCommand(host, args, {
      cmd: isText || argv.length === 0 ? text : argv,
      given: isText || argv.length > 0,
      twice: isText && argv.length > 0,
      words: [expandingWord(args.executable ?? '/bin/sh'), sh`-c`, sh`${isText ? text : argv.map(quote).join(' ')}`],
      shell: args.executable,
    })
  },
})
