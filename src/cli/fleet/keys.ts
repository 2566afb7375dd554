/** Makes the keys of a fleet: one for its hosts, one to enter them with. */
import ssh2 from 'ssh2'

export interface KeyPair {
  readonly private: string
  /** one line, as in authorized_keys */
  readonly public: string
}

export function newKey(): KeyPair {
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'fleet' })
  return { private: pair.private, public: pair.public }
}
