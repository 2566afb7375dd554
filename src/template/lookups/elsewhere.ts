/** Lookups of services that are reached with a library of Python's or a client of their own: their use is an error that says so. */
import { lookupError } from '../python/index.ts'
import type { LookupTable } from './define.ts'

const NAMES: Readonly<Record<string, string>> = {
  'ansible.utils': 'validate',
  'community.crypto': 'gpg_fingerprint',
  'community.general':
    'bitwarden bitwarden_secrets_manager chef_databag collection_version consul_kv credstash cyberarkpassword dsv etcd etcd3 ' +
    'github_app_access_token keyring lastpass lmdb_kv onepassword onepassword_doc onepassword_raw onepassword_ssh_key passwordstore ' +
    'proton_pass random_pet random_words redis revbitspss shelvefile tss',
}

export const ELSEWHERE_LOOKUPS: LookupTable = Object.fromEntries(
  Object.entries(NAMES).flatMap(([collection, names]) =>
    names.split(' ').map((name) => [
      `${collection}.${name}`,
      () => {
        throw lookupError(`the lookup ${collection}.${name} needs a library of Python's and does not exist here`)
      },
    ]),
  ),
)
