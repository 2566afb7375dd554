/** patch: makes a patch be applied to a file or a tree, or be taken back. */
import { bool, choice, fallback, int, path, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { findLocal, readLocal } from '../files/local.ts'

export default defineModule({
  name: 'ansible.posix.patch',
  summary: 'Applies patches.',
  params: {
    backup: fallback(bool({ description: 'keep copies of what is patched' }), false),
    basedir: path({ description: 'folder where the patch applies' }),
    binary: fallback(bool({ description: 'leave the ends of lines as they are' }), false),
    dest: path({ aliases: ['originalfile'], description: 'the file to patch' }),
    ignore_whitespace: fallback(bool({ description: 'blanks need not be the same' }), false),
    remote_src: fallback(bool({ description: 'src is on the host' }), false),
    src: required(str({ aliases: ['patchfile'], description: 'the patch' })),
    state: choice(['absent', 'present'], 'present', { description: 'absent: take it back' }),
    strip: fallback(int({ description: 'folders to leave out of names' }), 0),
  },
  rules: { requiredOneOf: [['dest', 'basedir']] },
  async *run(args, host) {
    const { controller } = host
    const text = args.remote_src ? await host.read(args.src) : await readLocal(controller, findLocal(controller, 'files', args.src))
    const base = args.basedir ?? args.dest!.replace(/[^/]*$/, '').replace(/(.)\/$/, '$1') ?? '.'
    const reverse = args.state === 'absent'
    const call = (reversed: boolean, dry: boolean): Script => {
      const words = [
        '--quiet',
        '--forward',
        '--reject-file=-',
        `--strip=${args.strip}`,
        `--directory=${base}`,
        ...(dry ? ['--dry-run'] : []),
        ...(reversed ? ['--reverse'] : []),
        ...(args.binary ? ['--binary'] : []),
        ...(args.ignore_whitespace ? ['--ignore-whitespace'] : []),
        ...(args.backup && !dry ? ['--backup', '--version-control=numbered'] : []),
        ...(args.dest === undefined ? [] : ['--', args.dest]),
      ]
      return sh`command -v patch >/dev/null || exit 93; patch ${words}`
    }
    const told = await host.look(call(!reverse, true), { stdin: text, onFailure: 'tell' })
    if (told.code === 93) throw new ModuleFailure('Failed to find required executable "patch" in paths')
    // what can be taken back is applied, and the other way round
    if (told.code === 0) return { changed: false }
    const dry = await host.look(call(reverse, true), { stdin: text, onFailure: 'tell' })
    if (dry.code !== 0) throw new ModuleFailure((textOf(dry.stderr) || textOf(dry.stdout)).trim(), { rc: dry.code })
    const done = yield { what: 'patch', script: call(reverse, false), stdin: text, onFailure: 'tell' }
    if (done && done.code !== 0) throw new ModuleFailure((textOf(done.stderr) || textOf(done.stdout)).trim(), { rc: done.code })
    return { changed: true }
  },
})
