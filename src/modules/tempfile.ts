/** tempfile: makes a file or folder with a name that nobody has. */
import { randomInt } from 'node:crypto'
import { choice, fallback, path, str } from '../params/index.ts'
import { Fields, sh, statProbe, textOf } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { pathInfo } from './files/info.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789_'

export default defineModule({
  name: 'ansible.builtin.tempfile',
  summary: 'Makes a file or folder with a name that nobody has.',
  checkMode: false,
  params: { state: choice(['file', 'directory'], 'file'), path: path(), prefix: fallback(str(), 'ansible.'), suffix: fallback(str(), '') },
  async *run(args) {
    const name = args.prefix + Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('') + args.suffix
    // a name that is taken is a failure of both: noclobber forbids to write over a file
    const make = args.state === 'file' ? sh`(umask 077; set -C; : >"$p") || exit 91` : sh`(umask 077; mkdir -- "$p") || exit 91`
    const folder = args.path === undefined ? sh`"\${TMPDIR:-/tmp}"` : sh`${args.path}`
    const done = yield {
      what: 'state',
      script: sh`d=${folder}; p=\${d%/}/${name}
${make}
printf '%s\0' "$p"
q=$p
${statProbe(sh`"$q"`).script}`,
      onFailure: 'tell',
    }
    if (!done) return { changed: true }
    if (done.code !== 0) throw new ModuleFailure(textOf(done.stderr).trim() || 'could not make a temporary file')
    const fields = new Fields(done.stdout)
    const made = fields.text()
    return { changed: true, path: made, ...pathInfo(statProbe(made).read(fields)) }
  },
})
