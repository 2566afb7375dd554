/** An account's own SSH key: made when it is wanted and missing, then told. */
import type { Json } from '../../base/index.ts'
import { Look } from '../../facts/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure } from '../api.ts'
import type { Account } from './accounts.ts'
import { lookAt, sections } from './looking.ts'
import type { UserArgs } from './user-params.ts'

type Facts = { [key: string]: Json | undefined }

export async function* sshKey(args: UserArgs, account: Account, host: Host, result: Facts): AsyncGenerator<Change, Facts, Done> {
  const file = args.ssh_key_file?.startsWith('/')
    ? args.ssh_key_file
    : `${account.home}/${args.ssh_key_file ?? `.ssh/id_${args.ssh_key_type}`}`
  const keyLook = sh`e ${file} ${`${file}.pub`}; f ${`${file}.pub`}; c print ssh-keygen -l -f ${file}`
  const look = await lookAt(host, keyLook)
  const there = [file, `${file}.pub`].find((path) => look.exists(path))
  if (there !== undefined && !args.force) {
    const kind = there === file ? 'private' : 'public'
    const warning = `Found existing ssh key ${kind} file "${there}", no force, so skipping ssh-keygen generation`
    return { ...told(look, file), warnings: [warning] }
  }
  const script = joinScripts([generate(args, account, file), sections(keyLook)])
  const done = yield { what: 'ssh key', onFailure: 'tell', script }
  if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr), { name: args.name, rc: done.code })
  result.changed = true
  return done ? told(new Look(textOf(done.stdout)), file) : {}
}

function generate(args: UserArgs, account: Account, file: string): Script {
  const bits = args.ssh_key_bits > 0 ? ['-b', String(args.ssh_key_bits)] : []
  const owner = `${account.uid}:${account.gid}`
  const comment = args.ssh_key_comment === undefined ? sh`"ansible-generated on $(uname -n)"` : sh`${args.ssh_key_comment}`
  return sh`(
d=$(dirname ${file})
if [ ! -d "$d" ]; then mkdir "$d" && chmod 0700 "$d" && chown ${owner} "$d" || exit 1; fi
rm -f ${file} ${`${file}.pub`}
ssh-keygen -q -t ${args.ssh_key_type} ${bits} -C ${comment} -f ${file} -N ${args.ssh_key_passphrase ?? ''} </dev/null >/dev/null && chown ${owner} ${file} ${`${file}.pub`}
) || exit $?`
}

const told = (look: Look, file: string): Facts => ({
  ssh_fingerprint: look.command('print')?.trim() ?? '',
  ssh_key_file: file,
  ssh_public_key: look.file(`${file}.pub`) ?? null,
})
