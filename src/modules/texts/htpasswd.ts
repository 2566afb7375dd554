/** htpasswd: makes a user of a password file have a password, or be gone. */

import { randomBytes } from 'node:crypto'
import { compareSync, hashSync } from 'bcryptjs'
import { type Args, bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { openFile, saveFile } from '../files/edit.ts'

const params = {
  ...attributeParams,
  create: fallback(bool({ description: 'make the file where it is missing' }), true),
  hash_scheme: fallback(
    str({ aliases: ['crypt_scheme'], description: 'apr_md5_crypt, md5_crypt, sha256_crypt, sha512_crypt, bcrypt or plaintext' }),
    'apr_md5_crypt',
  ),
  name: required(str({ aliases: ['username'], description: 'the user' })),
  password: str({ noLog: true, description: 'the password' }),
  path: required(path({ aliases: ['dest', 'destfile'], description: 'the file' })),
  state: choice(['present', 'absent'], 'present', { description: 'whether the user is to be there' }),
} as const

type HtpasswdArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.htpasswd',
  summary: 'Manages users of a password file.',
  params,
  rules: { requiredIf: [['state', 'present', ['password']]] },
  async *run(args, host) {
    const file = await openFile({ ...args, backup: false }, host)
    if (!file.real.exists && args.state === 'absent')
      return { changed: false, msg: `${args.path} not present`, warnings: [`${args.path} does not exist`] }
    if (!file.real.exists && !args.create) throw new ModuleFailure(`Destination ${args.path} does not exist`)
    const text = textOf(file.content ?? new Uint8Array())
    const lines = (text.match(/[^\n]+/g) ?? []).filter((line) => line.trim() !== '')
    const at = lines.findIndex((line) => line.startsWith(`${args.name}:`))
    const { next, msg } = args.state === 'absent' ? without(args, lines, at) : await withUser(host, args, lines, at)
    const bytes = next === undefined ? (file.content ?? new Uint8Array()) : new TextEncoder().encode(next)
    const saved = yield* saveFile({ ...args, backup: false }, file, { bytes, changed: next !== undefined, msg, makeFolders: true }, host)
    return { changed: saved.changed, msg: saved.msg }
  },
})

interface Edit {
  /** the whole text; undefined where nothing is to be changed */
  readonly next?: string
  readonly msg: string
}

function without(args: HtpasswdArgs, lines: readonly string[], at: number): Edit {
  if (at < 0) return { msg: `${args.name} not present` }
  return {
    next: lines
      .filter((_, i) => i !== at)
      .map((line) => `${line}\n`)
      .join(''),
    msg: `Remove ${args.name}`,
  }
}

async function withUser(host: Host, args: HtpasswdArgs, lines: readonly string[], at: number): Promise<Edit> {
  const password = args.password!
  const hash = at < 0 ? undefined : lines[at]!.slice(args.name.length + 1)
  if (hash !== undefined && (await isHashOf(host, hash, password))) return { msg: `${args.name} already present` }
  const line = `${args.name}:${await hashOf(host, args.hash_scheme, password)}`
  const next = at < 0 ? [...lines, line] : lines.map((one, i) => (i === at ? line : one))
  return { next: next.map((one) => `${one}\n`).join(''), msg: `${at < 0 ? 'Add' : 'Update'} ${args.name}` }
}

/** schemes that openssl knows, by its option and by what begins their hashes */
const SCHEMES: Readonly<Record<string, readonly [string, string]>> = {
  apr_md5_crypt: ['-apr1', '$apr1$'],
  md5_crypt: ['-1', '$1$'],
  sha256_crypt: ['-5', '$5$'],
  sha512_crypt: ['-6', '$6$'],
}

async function hashOf(host: Host, scheme: string, password: string): Promise<string> {
  if (scheme === 'plaintext') return password
  if (scheme === 'bcrypt') return hashSync(password, 12).replace(/^\$2a\$/, '$2y$')
  const option = SCHEMES[scheme]?.[0]
  if (option === undefined)
    throw new ModuleFailure(
      `the scheme ${scheme} is not supported: only ${[...Object.keys(SCHEMES), 'bcrypt', 'plaintext'].join(', ')} are`,
    )
  return opensslHash(host, option, randomBytes(6).toString('base64').replace(/[+/=]/g, '.'), password)
}

async function isHashOf(host: Host, hash: string, password: string): Promise<boolean> {
  if (/^\$2[aby]\$/.test(hash)) return compareSync(password, hash.replace(/^\$2y\$/, '$2b$'))
  const option = Object.values(SCHEMES).find(([, start]) => hash.startsWith(start))?.[0]
  if (option === undefined) return hash === password
  return (await opensslHash(host, option, hash.split('$')[2] ?? '', password)) === hash
}

async function opensslHash(host: Host, option: string, salt: string, password: string): Promise<string> {
  const told = await host.look(sh`command -v openssl >/dev/null || exit 93; openssl passwd ${option} -salt ${salt} -stdin`, {
    stdin: new TextEncoder().encode(`${password}\n`),
    onFailure: 'tell',
  })
  if (told.code === 93) throw new ModuleFailure('Failed to find required executable "openssl" in paths')
  if (told.code !== 0) throw new ModuleFailure(textOf(told.stderr).trim())
  return textOf(told.stdout).trim()
}
