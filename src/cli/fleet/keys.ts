/** Makes the keys of a fleet: one for its hosts, one to enter them with. */
import ssh2 from 'ssh2'

export interface KeyPair {
  readonly private: string
  /** one line, as in authorized_keys */
  readonly public: string
}

/** The library now and then writes a key that it cannot read back; such a one is thrown away. */
export function newKey(): KeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'fleet' })
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return { private: pair.private, public: pair.public }
  }
}
