/** The socket of an ssh-agent → its keys and certificates as ssh2 takes them, as far as they are wanted; one that does not answer has none. */
import { connect } from 'node:net'
import ssh2, { type BaseAgent, type IdentityCallback, type ParsedKey, type SignCallback, type SigningRequestOptions } from 'ssh2'
import { Fields, pack, Splitter } from '../wire.ts'
import { type Certificate, certificateOf, isCertificateType, publicKeyOf, signatureBy } from './certificate.ts'

const LIST = 11
const KEYS = 12
const SIGN = 13
const SIGNED = 14
const SHA512 = 4
/** In ms; signing may wait for a touch or a PIN. */
const PATIENCE_FOR_LIST = 10_000
const PATIENCE_FOR_SIGNATURE = 60_000

export interface Wanted {
  /** the keys to be shown, in wire form; undefined: all */
  readonly only: readonly Buffer[] | undefined
  /** certificates from files, for keys that the agent may hold */
  readonly certificates: readonly Certificate[]
  readonly tellProblem: (problem: string) => void
}

export class AgentKeys extends ssh2.BaseAgent<ParsedKey> {
  private readonly path: string
  private readonly wanted: Wanted
  private readonly whole: BaseAgent

  constructor(path: string, wanted: Wanted) {
    super()
    this.path = path
    this.wanted = wanted
    this.whole = ssh2.createAgent(path)
  }

  getIdentities(done: IdentityCallback<ParsedKey>): void {
    listOf(this.path).then(
      (blobs) => done(null, this.shown(blobs)),
      (error: Error) => {
        this.wanted.tellProblem(`the agent at ${this.path}: ${error.message}`)
        done(null, [])
      },
    )
  }

  sign(key: ParsedKey, data: Buffer, options: SigningRequestOptions | SignCallback, done?: SignCallback): void {
    if (!isCertificateType(key.type)) {
      this.whole.sign(key, data, options as SigningRequestOptions, done)
      return
    }
    const tell = typeof options === 'function' ? options : done!
    this.signWithCertificate(key, data).then(
      (signature) => tell(null, signature),
      (error: Error) => tell(error),
    )
  }

  /** Certificates go before the keys they are for. */
  private shown(blobs: readonly Buffer[]): ParsedKey[] {
    const { only, certificates } = this.wanted
    const allowed = (key: Buffer): boolean => only === undefined || only.some((named) => named.equals(key))
    const held = blobs.flatMap((blob) => certificateOf(blob) ?? [])
    const beside = certificates.filter((certificate) => blobs.some((blob) => blob.equals(certificate.key)))
    const all = [...beside, ...held.filter((certificate) => allowed(certificate.key))]
    const plain = blobs.filter(allowed).flatMap((blob) => {
      const key = ssh2.utils.parseKey(blob) as ParsedKey | ParsedKey[] | Error
      return key instanceof Error ? [] : key
    })
    return [...all.flatMap((certificate) => publicKeyOf(certificate) ?? []), ...plain]
  }

  private async signWithCertificate(key: ParsedKey, data: Buffer): Promise<Buffer> {
    const blob = key.getPublicSSH()
    const held = (await listOf(this.path)).some((each) => each.equals(blob))
    const flags = key.type.startsWith('ssh-rsa') ? SHA512 : 0
    return signature(this.path, held ? blob : certificateOf(blob)!.key, data, flags)
  }
}

/** A private key and its certificate, in the form of an agent: the only way ssh2 has for them. */
export class CertifiedKey extends ssh2.BaseAgent<ParsedKey> {
  private readonly key: ParsedKey
  private readonly certificate: Certificate

  constructor(key: ParsedKey, certificate: Certificate) {
    super()
    this.key = key
    this.certificate = certificate
  }

  getIdentities(done: IdentityCallback<ParsedKey>): void {
    const key = publicKeyOf(this.certificate)
    done(null, key === undefined ? [] : [key])
  }

  sign(_: ParsedKey, data: Buffer, options: SigningRequestOptions | SignCallback, done?: SignCallback): void {
    const tell = typeof options === 'function' ? options : done!
    tell(null, signatureBy(this.key, data))
  }
}

async function listOf(path: string): Promise<Buffer[]> {
  const fields = await ask(path, pack({ byte: LIST }), KEYS, PATIENCE_FOR_LIST)
  return Array.from({ length: fields.number() }, () => {
    const blob = fields.string()
    fields.string()
    return blob
  })
}

async function signature(path: string, key: Buffer, data: Buffer, flags: number): Promise<Buffer> {
  return (await ask(path, pack({ byte: SIGN }, key, data, flags), SIGNED, PATIENCE_FOR_SIGNATURE)).string()
}

function ask(path: string, question: Buffer, answer: number, patience: number): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path })
    const splitter = new Splitter()
    const end = (act: () => void): void => {
      socket.destroy()
      act()
    }
    const fail = (why: string): void => end(() => reject(new Error(why)))
    socket.setTimeout(patience, () => fail('it does not answer'))
    socket.on('error', (error) => fail(error.message))
    socket.on('close', () => fail('it closed the connection'))
    socket.on('data', (chunk: Buffer) => {
      for (const message of splitter.push(chunk)) {
        const fields = new Fields(message)
        if (fields.byte() === answer) end(() => resolve(fields))
        else fail('it refuses')
      }
    })
    socket.write(pack(question))
  })
}
