/** openssl_dhparam: makes parameters for Diffie-Hellman of a size be in a file; they are made on the host. */
import { bool, choice, fallback, int, path, required } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { integerOf, pemToDer, readDer } from './der.ts'
import { backupLine, takeAway, tend } from './tend.ts'

export default defineModule({
  name: 'community.crypto.openssl_dhparam',
  summary: 'Makes parameters for Diffie-Hellman.',
  params: {
    ...attributeParams,
    backup: fallback(bool(), false),
    force: fallback(bool(), false),
    path: required(path({ description: 'the file' })),
    return_content: fallback(bool({ description: 'tell the parameters in the result' }), false),
    select_crypto_backend: choice(['auto', 'cryptography', 'openssl'], 'auto', { description: 'has no effect: openssl makes them' }),
    size: fallback(int({ description: 'bits of the prime' }), 4096),
    state: choice(['absent', 'present'], 'present'),
  },
  async *run(args, host) {
    const told = { size: args.size, filename: args.path }
    if (args.state === 'absent') {
      const { changed, backup } = yield* takeAway(host, [args.path], args.backup)
      return { changed, ...told, ...(backup === undefined ? {} : { backup_file: backup }) }
    }
    const fresh = args.force || (await bitsOf(host, args.path)) !== args.size
    let backup = ''
    if (fresh) {
      const done = yield {
        what: 'parameters',
        script: sh`command -v openssl >/dev/null || exit 93
${args.backup ? backupLine(args.path) : sh``}t=${args.path}.new.$$; openssl dhparam -out "$t" ${args.size} 2>/dev/null && { [ ! -e ${args.path} ] || { chown "$(stat -c %u:%g ${args.path})" "$t" && chmod "$(stat -c %a ${args.path})" "$t"; }; } && mv -f "$t" ${args.path} || { rm -f "$t"; exit 1; }`,
        onFailure: 'tell',
      }
      if (done?.code === 93) throw new ModuleFailure('Failed to find required executable "openssl" in paths')
      if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr).trim(), { rc: done.code })
      backup = done ? textOf(done.stdout) : ''
    }
    const mended = fresh && host.check ? false : yield* tend(host, args, args.path)
    const content = args.return_content && !(fresh && host.check) ? { dhparams: textOf(await host.read(args.path)) } : {}
    return { changed: fresh || mended, ...told, ...(backup === '' ? {} : { backup_file: backup }), ...content }
  },
})

async function bitsOf(host: Host, file: string): Promise<number | undefined> {
  const told = await host.look(sh`if [ -f ${file} ]; then cat -- ${file}; fi`)
  const der = pemToDer(textOf(told.stdout))
  try {
    return der && integerOf(readDer(der).parts[0]!.content).toString(2).length
  } catch {
    return undefined
  }
}
