/** tempfile: makes a file or folder with a name that nobody has. */
import { randomInt } from 'node:crypto'
import { choice, fallback, path, str } from '../params/index.ts'
import { Fields, sh, statProbe, textOf } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { pathInfo } from './files/info.ts'
import { REASONS } from './files/reasons.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789_'

const ERRORS: Readonly<Record<number, string>> = { 2: REASONS.absent, 13: REASONS['no-permission'], 20: REASONS['not-a-directory'] }

export default defineModule({
  name: 'ansible.builtin.tempfile',
  summary: 'Makes a file or folder with a name that nobody has.',
  checkMode: false,
  params: { state: choice(['file', 'directory'], 'file'), path: path(), prefix: fallback(str(), 'ansible.'), suffix: fallback(str(), '') },
  async *run(args) {
    const name = args.prefix + Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('') + args.suffix
    // a name that is taken is a failure of both: noclobber forbids to write over a file
    const make =
      args.state === 'file' ? sh`(umask 077; set -C; : >"$p") 2>/dev/null || failed` : sh`(umask 077; mkdir -- "$p") 2>/dev/null || failed`
    const folder = args.path === undefined ? sh`"\${TMPDIR:-/tmp}"` : sh`${args.path}`
    const done = yield {
      what: 'state',
      script: sh`failed() { if [ ! -e "$d" ]; then e=2; elif [ ! -d "$d" ]; then e=20; else e=13; fi; printf '%s\0%s\0' $e "$p"; exit 91; }
d=${folder}; p=\${d%/}/${name}
${make}
printf '%s\0' "$p"
q=$p
${statProbe(sh`"$q"`).script}`,
      onFailure: 'tell',
    }
    if (!done) return { changed: true }
    const fields = new Fields(done.stdout)
    if (done.code === 91) {
      const errno = fields.number() ?? 0
      throw new ModuleFailure(`[Errno ${errno}] ${ERRORS[errno]}: '${fields.text()}'`)
    }
    if (done.code !== 0) throw new ModuleFailure(textOf(done.stderr).trim() || 'could not make a temporary file')
    const made = fields.text()
    return { changed: true, path: made, ...pathInfo(statProbe(made).read(fields)) }
  },
})
