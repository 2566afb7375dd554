/** Bytes or a local file → a file on the host that is whole or not there; and a file on the host → its bytes. */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { type Output, type Script, sh, textOf } from '../remote/index.ts'
import { TransferFailed } from './lost.ts'

/** What fits into a frame: beyond it a channel of its own costs less than the shell's reading it byte by byte. */
export const SMALL = 8 * 1024

export type Content = Uint8Array | { readonly localPath: string }

/** Small content goes with the script; a stream needs a channel of its own. */
export interface Sender {
  small(script: Script, bytes: Uint8Array): Promise<Output>
  large(script: Script, bytes: Uint8Array | ReturnType<typeof createReadStream>): Promise<Output>
}

export async function putFile(host: string, path: string, content: Content, send: Sender): Promise<void> {
  const { size, bytes } = await measure(host, content)
  const small = bytes !== undefined && bytes.length <= SMALL
  const script = receive(path, size, small)
  const output = small
    ? await send.small(script, bytes)
    : await send.large(script, bytes ?? createReadStream((content as { localPath: string }).localPath, { highWaterMark: 256 * 1024 }))
  if (output.code !== 0) throw new TransferFailed(`${host}: ${path} could not be written`, { notes: linesOf(output.stderr) })
}

/** The bytes of what is small enough to travel in a frame. */
export async function smallContent(host: string, content: Content): Promise<Uint8Array | undefined> {
  const { bytes } = await measure(host, content)
  return bytes !== undefined && bytes.length <= SMALL ? bytes : undefined
}

/** A script's own upload, in the same frame: stdin becomes a new file at the path, then the script runs without input. */
export const afterReceiving = (
  path: string,
  script: Script,
): Script => sh`( umask 077; set -C; cat >${path} ) || { rm -f -- ${path}; printf '\0${NOT_RECEIVED}'; exit 125; }
exec </dev/null
${script}`

/** @throws TransferFailed where the upload of `afterReceiving` could not be written */
export function requireReceived(host: string, path: string, { code, stdout, stderr }: Output): void {
  if (code === 125 && textOf(stdout) === `\0${NOT_RECEIVED.text}`)
    throw new TransferFailed(`${host}: ${path} could not be written`, { notes: linesOf(stderr) })
}

const NOT_RECEIVED = sh`tsspray:not-received`

export async function getFile(host: string, path: string, run: (script: Script) => Promise<Output>): Promise<Uint8Array> {
  const output = await run(sh`cat <${path}`)
  if (output.code !== 0) throw new TransferFailed(`${host}: ${path} could not be read`, { notes: linesOf(output.stderr) })
  return output.stdout
}

/**
 * Writes stdin to a new file, or beside an old one, which then gives it its name. What came through a stream is counted first; what came in a frame has
 * come whole. On failure nothing is left.
 */
function receive(path: string, size: number, small: boolean): Script {
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  const whole = (file: string): Script => (small ? sh`cat >${file}` : sh`cat >${file} && [ "$(wc -c <${file})" -eq ${size} ]`)
  return sh`umask 077; set -C
if [ -d ${path} ]; then echo 'it is a directory' >&2; exit 1; fi
if [ -e ${path} ] || [ -L ${path} ]; then
${whole(beside)} && mv -f ${beside} ${path} || { rm -f ${beside}; exit 1; }
else
${whole(path)} || { rm -f ${path}; exit 1; }
fi`
}

async function measure(host: string, content: Content): Promise<{ size: number; bytes: Uint8Array | undefined }> {
  if (content instanceof Uint8Array) return { size: content.length, bytes: content }
  try {
    const { size } = await stat(content.localPath)
    if (size > SMALL) return { size, bytes: undefined }
    const bytes = await readFile(content.localPath)
    return { size: bytes.length, bytes }
  } catch (error) {
    throw new TransferFailed(`${host}: ${content.localPath} cannot be read here: ${(error as Error).message}`, { cause: error })
  }
}

const linesOf = (bytes: Uint8Array): string[] => textOf(bytes).split('\n').filter((line) => line.trim() !== '') // biome-ignore format: short
