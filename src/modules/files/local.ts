/** Finds and reads files of the controller for the modules that send them. */
import type { Controller, Upload } from '../api.ts'
import { ModuleFailure } from '../api.ts'

/** The path of a file that the task names, or the failure that says where it was looked for. */
export function findLocal(controller: Controller, kind: string, name: string): string {
  const found = controller.find(kind, name)
  if (found !== undefined) return found
  // an absolute name has one place to be
  const searched = /^[/~]/.test(name) ? [] : controller.folders(kind).map((folder) => `\n\t${folder}/${name}`)
  throw new ModuleFailure(
    `Could not find or access '${name}'${searched.length === 0 ? '' : `\nSearched in:${searched.join('')}`} on the Ansible Controller.\nIf you are using a module and expect the file to exist on the remote, see the remote_src option`,
  )
}

const SEAL = '$ANSIBLE_VAULT;'

/** A local file's bytes, opened where it is sealed (unless `decrypt` is false). */
export async function readLocal(controller: Controller, path: string, decrypt = true): Promise<Uint8Array> {
  const bytes = await controller.read(path)
  if (!decrypt || !startsWith(bytes, SEAL)) return bytes
  return new TextEncoder().encode(controller.source(path).text)
}

/** The upload of a local file: by path, so that one read serves many hosts, or by content where it was sealed. */
export async function uploadOf(controller: Controller, path: string, decrypt = true): Promise<Upload> {
  const bytes = await controller.read(path)
  return decrypt && startsWith(bytes, SEAL) ? new TextEncoder().encode(controller.source(path).text) : { localPath: path }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text
}
