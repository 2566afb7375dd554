/** The parameters of user. */
import { type Args, bool, choice, fallback, float, int, list, path, required, str } from '../../params/index.ts'

export const params = {
  state: choice(['absent', 'present'], 'present'),
  name: required(str({ aliases: ['user'] })),
  uid: int(),
  non_unique: fallback(bool(), false),
  group: str(),
  groups: list(),
  comment: str(),
  home: path(),
  shell: path(),
  password: str({ noLog: true }),
  login_class: str(),
  password_expire_max: int(),
  password_expire_min: int(),
  password_expire_warn: int(),
  hidden: bool(),
  seuser: str(),
  force: fallback(bool(), false),
  remove: fallback(bool(), false),
  create_home: fallback(bool({ aliases: ['createhome'] }), true),
  skeleton: str(),
  system: fallback(bool(), false),
  move_home: fallback(bool(), false),
  append: fallback(bool(), false),
  generate_ssh_key: bool(),
  ssh_key_bits: fallback(int(), 0),
  ssh_key_type: fallback(str(), 'rsa'),
  ssh_key_file: path(),
  ssh_key_comment: str(),
  ssh_key_passphrase: str({ noLog: true }),
  update_password: choice(['always', 'on_create'], 'always'),
  expires: float(),
  password_lock: bool(),
  local: bool(),
  profile: str(),
  authorization: str(),
  role: str(),
  umask: str(),
  password_expire_account_disable: int(),
  uid_min: int(),
  uid_max: int(),
} as const

/** checked arguments of user */
export type UserArgs = Args<typeof params>

/** the length of a sealed password by the id of its method */
const lengths: Readonly<Record<string, number>> = { '1': 22, '5': 43, '6': 86, y: 43 }
/** words that shut an account */
const shut = new Set(['*', '!', '*************'])

/** Does a password look as if it were not sealed? */
export function looksUnhashed(password: string | undefined): boolean {
  if (!password || shut.has(password)) return false
  if (/[:*!]/.test(password) || !password.includes('$')) return true
  const fields = password.split('$')
  const seal = fields.at(-1)!
  if (fields.length < 3 || /[^a-zA-Z0-9./=]/.test(seal)) return true
  const length = lengths[fields[1]!]
  return length !== undefined && seal.length !== length
}
