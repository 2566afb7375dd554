/** Turns a sealed text into its label and bytes, and bytes into a sealed text: a header line, then hex digits in lines of eighty. */
import { Problem } from '../base/index.ts'

const MARK = '$ANSIBLE_VAULT'
const WIDTH = 80

export interface Envelope {
  /** the vault id in the header; undefined in format 1.1 */
  readonly label: string | undefined
  readonly body: Uint8Array
}

export const isSealed = (text: string): boolean => text.startsWith(MARK)

/** Reads a sealed text, whatever blanks stand around its lines. */
export function readEnvelope(text: string): Envelope {
  const [header = '', ...lines] = text.trim().split(/\r?\n/)
  const [mark, version, cipher, label] = header.split(';').map((part) => part.trim())
  if (mark !== MARK || !version) throw malformed('it does not begin with $ANSIBLE_VAULT')
  if (cipher !== 'AES256') throw malformed(`its cipher ${cipher || '(none)'} is not known`)
  return { label: label || undefined, body: readHex(lines.map((line) => line.trim()).join('')) }
}

/** Writes a sealed text; a label other than `default` makes it format 1.2. */
export function writeEnvelope({ label, body }: Envelope): string {
  const header = label && label !== 'default' ? `${MARK};1.2;AES256;${label}` : `${MARK};1.1;AES256`
  const hex = Buffer.from(body).toString('hex')
  const lines = hex.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? []
  return `${[header, ...lines].join('\n')}\n`
}

/** Bytes from hex digits. */
export function readHex(text: string): Uint8Array {
  if (!/^[0-9a-fA-F]*$/.test(text)) throw new Problem('Vault format unhexlify error: Non-hexadecimal digit found', { kind: 'vault' })
  if (text.length % 2 !== 0) throw new Problem('Vault format unhexlify error: Odd-length string', { kind: 'vault' })
  return Buffer.from(text, 'hex')
}

const malformed = (why: string): Problem => new Problem(`this is no vaulted text: ${why}`, { kind: 'vault' })
