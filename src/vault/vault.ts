/** Turns sealed texts into plain ones with whichever secret fits, and seals texts under a chosen one. */
import { didYouMean, Problem } from '../base/index.ts'
import { decrypt, encrypt } from './cipher.ts'
import { readEnvelope, writeEnvelope } from './envelope.ts'

/** A password with its vault id. */
export interface Secret {
  readonly id: string
  readonly password: Uint8Array
}

export interface VaultOptions {
  /** only secrets whose id is the text's label are tried */
  readonly idMatch?: boolean | undefined
  /** told every text that was opened, so that it can be masked in output */
  readonly onOpened?: ((plain: string) => void) | undefined
  /** VAULT_ENCRYPT_SALT: what seals is random otherwise */
  readonly salt?: string | undefined
}

export interface Vault {
  readonly secrets: readonly Secret[]
  /** Opens a text; throws a Problem of kind 'vault' when no secret fits. */
  open(sealed: string): string
  openBytes(sealed: string): { readonly plain: Uint8Array; readonly id: string; readonly label: string | undefined }
  /** Seals under the secret with this id, or under the only one there is. */
  seal(plain: Uint8Array | string, id?: string): string
  /** Seals under a secret, whether it is one of these or not. */
  sealAs(secret: Secret, plain: Uint8Array): string
}

export function createVault(secrets: readonly Secret[], options: VaultOptions = {}): Vault {
  const opened = new Map<string, string>()
  const salt = options.salt ? new TextEncoder().encode(options.salt) : undefined
  const sealAs = (secret: Secret, plain: Uint8Array): string => sealWith(secret, plain, salt)
  const openBytes = (sealed: string) => openWith(secrets, sealed, options.idMatch ?? false)
  return {
    secrets,
    openBytes,
    open(sealed) {
      const before = opened.get(sealed)
      if (before !== undefined) return before
      const plain = new TextDecoder('utf-8', { ignoreBOM: true }).decode(openBytes(sealed).plain)
      opened.set(sealed, plain)
      options.onOpened?.(plain)
      return plain
    },
    seal(plain, id) {
      const secret = secretToSeal(secrets, id)
      const bytes = typeof plain === 'string' ? new TextEncoder().encode(plain) : plain
      return sealAs(secret, bytes)
    },
    sealAs,
  }
}

/** Seals bytes under one secret. */
export function sealWith(secret: Secret, plain: Uint8Array, salt?: Uint8Array): string {
  return writeEnvelope({ label: secret.id, body: encrypt(plain, secret.password, salt) })
}

function openWith(secrets: readonly Secret[], sealed: string, idMatch: boolean) {
  const { label, body } = readEnvelope(sealed)
  if (secrets.length === 0) {
    throw new Problem('Attempting to decrypt but no vault secrets found', {
      kind: 'vault',
      hint: 'give one with --vault-id, --vault-password-file or --ask-vault-pass',
    })
  }
  const matching = secrets.filter((secret) => secret.id === label)
  const others = idMatch ? [] : secrets.filter((secret) => secret.id !== label)
  for (const secret of [...matching, ...others]) {
    const plain = decrypt(body, secret.password)
    if (plain) return { plain, id: secret.id, label }
  }
  throw new Problem('Decryption failed (no vault secrets were found that could decrypt)', {
    kind: 'vault',
    notes:
      label === undefined ? [] : [`the text is labelled '${label}'; the secrets given are ${secrets.map((s) => `'${s.id}'`).join(', ')}`],
  })
}

function secretToSeal(secrets: readonly Secret[], id: string | undefined): Secret {
  const [first] = secrets
  if (!first)
    throw new Problem('A vault password is required to use tsspray vault', {
      kind: 'usage',
      hint: 'give one with --vault-id or --vault-password-file',
    })
  const names = secrets.map((secret) => secret.id)
  if (id !== undefined) {
    const secret = secrets.find((one) => one.id === id)
    if (secret) return secret
    throw new Problem(
      `Did not find a match for --encrypt-vault-id=${id} in the known vault-ids [${names.map((name) => `'${name}'`).join(', ')}]`,
      {
        kind: 'vault',
        hint: didYouMean(id, names),
      },
    )
  }
  if (new Set(names).size === 1) return first
  throw new Problem(`The vault-ids ${names.join(',')} are available to encrypt. Specify the vault-id to encrypt with --encrypt-vault-id`, {
    kind: 'usage',
  })
}
