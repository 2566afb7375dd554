/** A client of ssh2 → one that can log in with certificates: the library knows their names, but names the signature by them, which sshd refuses. */
import type { Client, ParsedKey } from 'ssh2'
import { pack } from '../wire.ts'
import { isCertificateType } from './certificate.ts'

const USERAUTH_REQUEST = 50

/** What of the library's protocol is used; it has no public way to send a message of one's own. */
interface Protocol {
  authPK: (user: string, key: ParsedKey, algorithm?: string, sign?: Sign) => void
  readonly _authsQueue: string[]
  readonly _kex: { readonly sessionID: Buffer }
  readonly _kexinit: unknown
  _queue?: Uint8Array[] | undefined
  readonly _cipher: { encrypt(packet: Uint8Array): void }
  readonly _packetRW: {
    readonly write: { readonly allocStart: number; alloc(length: number): Uint8Array; finalize(packet: Uint8Array): Uint8Array }
  }
}
type Sign = (data: Buffer, signed: (signature: Buffer) => void) => void

/** To be called once the client has a protocol, that is after connect(). */
export function takesCertificates(client: Client): void {
  const protocol = (client as unknown as { readonly _protocol: Protocol })._protocol
  const usual = protocol.authPK
  protocol.authPK = (user, key, algorithm, sign) => {
    if (!isCertificateType(key.type)) return usual.call(protocol, user, key, algorithm, sign)
    const name = key.type.replace(/^ssh-rsa/, 'rsa-sha2-512')
    if (sign === undefined) return usual.call(protocol, user, key, name)
    const request = pack({ byte: USERAUTH_REQUEST }, user, 'ssh-connection', 'publickey', true, name, key.getPublicSSH())
    sign(Buffer.concat([pack(protocol._kex.sessionID), request]), (signature) => {
      protocol._authsQueue.push('publickey')
      send(protocol, Buffer.concat([request, pack(signature)]))
    })
  }
}

function send(protocol: Protocol, message: Buffer): void {
  const { write } = protocol._packetRW
  const packet = write.alloc(message.length)
  packet.set(message, write.allocStart)
  const whole = write.finalize(packet)
  // while keys are exchanged anew, nothing else may be sent
  if (protocol._kexinit === undefined) protocol._cipher.encrypt(whole)
  else protocol._queue = [...(protocol._queue ?? []), whole]
}
