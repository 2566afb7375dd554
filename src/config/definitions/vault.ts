/** Settings: vaulted texts. One row each: type(default, ini keys, environment, what it is). */
import { bool, list, maybePath, maybeStr, str } from '../kinds.ts'

export const vault = {
  DEFAULT_ASK_VAULT_PASS: bool(false, ['defaults.ask_vault_pass'], ['ANSIBLE_ASK_VAULT_PASS'], 'whether the vault password is asked for'),
  DEFAULT_VAULT_PASSWORD_FILE: maybePath(
    ['defaults.vault_password_file'],
    ['ANSIBLE_VAULT_PASSWORD_FILE'],
    'a file or script that gives the vault password',
  ),
  DEFAULT_VAULT_IDENTITY: str(
    'default',
    ['defaults.vault_identity'],
    ['ANSIBLE_VAULT_IDENTITY'],
    'the vault id of secrets without a label',
  ),
  DEFAULT_VAULT_IDENTITY_LIST: list(
    [],
    ['defaults.vault_identity_list'],
    ['ANSIBLE_VAULT_IDENTITY_LIST'],
    'vault ids that are always tried',
  ),
  DEFAULT_VAULT_ENCRYPT_IDENTITY: maybeStr(
    ['defaults.vault_encrypt_identity'],
    ['ANSIBLE_VAULT_ENCRYPT_IDENTITY'],
    'the vault id that seals',
  ),
  DEFAULT_VAULT_ID_MATCH: bool(
    false,
    ['defaults.vault_id_match'],
    ['ANSIBLE_VAULT_ID_MATCH'],
    'whether only secrets with the text’s label are tried',
  ),
  VAULT_ENCRYPT_SALT: maybeStr(['defaults.vault_encrypt_salt'], ['ANSIBLE_VAULT_ENCRYPT_SALT'], 'a fixed salt for sealing'),
} as const
