/** Turns files into sealed ones and back, in place or elsewhere; a file keeps its mode, and never lies half written. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../base/index.ts'
import { isSealed } from './envelope.ts'
import type { Secret, Vault } from './vault.ts'

/** Seals a file under a secret. */
export function encryptFile(path: string, vault: Vault, id: string | undefined, output: string = path): void {
  const plain = readBytes(path)
  if (isSealed(plain.toString('latin1', 0, 20))) throw new Problem('input is already encrypted', { kind: 'vault', notes: [path] })
  writeSafely(output, vault.seal(plain, id), path)
}

/** Opens a file. */
export function decryptFile(path: string, vault: Vault, output: string = path): void {
  writeSafely(output, openFile(path, vault).plain, path)
}

/** Seals a file anew, under another secret. */
export function rekeyFile(path: string, vault: Vault, next: Secret): void {
  writeSafely(path, vault.sealAs(next, openFile(path, vault).plain), path)
}

/** What a sealed file says. */
export function viewFile(path: string, vault: Vault): Uint8Array {
  return openFile(path, vault).plain
}

/** Makes a new sealed file of what the editor leaves. */
export function createFile(path: string, vault: Vault, id: string | undefined, edit: (file: string) => void): void {
  if (existsSync(path)) throw new Problem(`${path} exists, please use 'edit' instead`, { kind: 'usage' })
  const plain = editText(path, Buffer.alloc(0), edit)
  writeSafely(path, vault.seal(plain, id), path)
}

/** Lets an editor change a sealed file; it is sealed anew under the secret that opened it, with the label it had, unless nothing changed. */
export function editFile(path: string, vault: Vault, id: string | undefined, edit: (file: string) => void): void {
  const opened = openFile(path, vault)
  const plain = editText(path, opened.plain, edit)
  if (Buffer.compare(plain, opened.plain) === 0) return
  const secret = vault.secrets.find((one) => one.id === opened.id)
  writeSafely(
    path,
    id !== undefined || !secret ? vault.seal(plain, id) : vault.sealAs({ ...secret, id: opened.label ?? 'default' }, plain),
    path,
  )
}

function openFile(path: string, vault: Vault): { readonly plain: Uint8Array; readonly id: string; readonly label: string | undefined } {
  const text = readBytes(path).toString('latin1')
  if (!isSealed(text))
    throw new Problem('input is not vault encrypted data', { kind: 'vault', notes: [`${path} is not a vault encrypted file`] })
  try {
    return vault.openBytes(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(`${error.message} for ${path}`, { kind: error.kind, hint: error.hint, notes: error.notes, cause: error })
  }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    throw new Problem(`${path} cannot be read: ${(error as Error).message}`, { kind: 'file', cause: error })
  }
}

/** The plain text lies in a folder only the user can look into, and is wiped afterwards. */
function editText(path: string, plain: Uint8Array, edit: (file: string) => void): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'tsspray-vault-'))
  const file = join(folder, basename(path))
  try {
    writeFileSync(file, plain, { mode: 0o600 })
    edit(file)
    return readFileSync(file)
  } finally {
    if (existsSync(file)) writeFileSync(file, Buffer.alloc(statSync(file).size))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes beside the target and renames; `-` is standard output. */
function writeSafely(path: string, content: string | Uint8Array, like: string): void {
  if (path === '-') {
    process.stdout.write(content)
    return
  }
  const target = existsSync(path) ? realpathSync(path) : path
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}.new`)
  const mode = existsSync(target) ? statSync(target).mode & 0o7777 : like !== '-' && existsSync(like) ? statSync(like).mode & 0o7777 : 0o600
  writeFileSync(beside, content, { mode: 0o600 })
  chmodSync(beside, mode)
  renameSync(beside, target)
}
