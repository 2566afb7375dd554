/** command: runs a program without a shell. */
import { bool, fallback } from '../params/index.ts'
import { sh } from '../remote/index.ts'
import { defineModule } from './api.ts'
import { expandingWord } from './files/program.ts'
import { commandParams, runCommand } from './files/run-command.ts'
import { splitWords } from './files/words.ts'

export default defineModule({
  name: 'ansible.builtin.command',
  summary: 'Runs a program without a shell.',
  freeForm: true,
  params: { ...commandParams, expand_argument_vars: fallback(bool(), true) },
  async *run(args, host) {
    const text = args._raw_params ?? args.cmd
    const words = text !== undefined && text.trim() !== '' ? splitWords(text) : []
    const argv = words.length > 0 ? words : (args.argv ?? [])
    const result = yield* runCommand(host, args, {
      cmd: argv,
      given: argv.length > 0,
      twice: words.length > 0 && (args.argv ?? []).length > 0,
      words: argv.map((word) => (args.expand_argument_vars ? expandingWord(word) : sh`${word}`)),
    })
    if (args.executable === undefined) return result
    return {
      ...result,
      warnings: [
        `As of Ansible 2.4, the parameter 'executable' is no longer supported with the 'command' module. Not using '${args.executable}'.`,
      ],
    }
  },
})
