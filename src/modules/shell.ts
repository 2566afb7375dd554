/** shell: runs a text in a shell. */
import { sh } from '../remote/index.ts'
import { defineModule } from './api.ts'
import { expandingWord } from './files/program.ts'
import { commandParams, runCommand } from './files/run-command.ts'

export default defineModule({
  name: 'ansible.builtin.shell',
  summary: 'Runs a text in a shell.',
  freeForm: true,
  params: commandParams,
  async *run(args, host) {
    const text = args._raw_params ?? args.cmd ?? ''
    return yield* runCommand(host, args, {
      cmd: text,
      given: text.trim() !== '',
      twice: text.trim() !== '' && (args.argv ?? []).length > 0,
      words: [expandingWord(args.executable ?? '/bin/sh'), sh`-c`, sh`${text}`],
    })
  },
})
