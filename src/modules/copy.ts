/** copy: puts files of the controller, given content, or other files of the host in their place. */
import type { Value } from '../base/index.ts'
import { asText, bool, fallback, path, pythonJson, raw, required, str } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { copyRemote } from './copy/remote.ts'
import { send } from './copy/send.ts'
import { sendTree } from './copy/tree.ts'
import { attributeParams } from './files/attributes.ts'
import { nameOf } from './files/install.ts'
import { findLocal, readLocal } from './files/local.ts'
import { modeText } from './files/mode.ts'

export default defineModule({
  name: 'ansible.builtin.copy',
  takesAsync: false,
  missingWords: 'dest is required',
  censored: ['content'],
  summary: 'Puts files in their place on the host.',
  params: {
    ...attributeParams,
    src: str(),
    content: raw(),
    dest: required(path()),
    backup: fallback(bool(), false),
    force: fallback(bool({ aliases: ['thirsty'] }), true),
    validate: str(),
    directory_mode: raw(),
    remote_src: fallback(bool(), false),
    local_follow: bool(),
    follow: fallback(bool(), false),
    checksum: str(),
    decrypt: fallback(bool(), true),
    _original_basename: str(),
  },
  async *run(args, host) {
    const { src, content, dest } = args
    if ((src === undefined || src === '') && content === undefined) throw new ModuleFailure('src (or content) is required')
    if (dest === '') throw new ModuleFailure('dest is required')
    if (src !== undefined && src !== '' && content !== undefined) throw new ModuleFailure('src and content are mutually exclusive')
    if (content !== undefined && dest.endsWith('/')) throw new ModuleFailure('can not use content with a dir as dest')
    const shared = {
      dest,
      directoryMode: args.directory_mode,
      force: args.force,
      follow: args.follow,
      backup: args.backup,
      validate: args.validate,
      unsafeWrites: args.unsafe_writes,
    }
    if (content !== undefined) {
      const bytes = new TextEncoder().encode(contentText(content))
      // the content never had a file whose mode could be kept but the private one on its way
      const attributes = args.mode === 'preserve' ? { ...args, mode: '0600' } : args
      return yield* send({ ...shared, name: nameOf(dest), bytes, upload: bytes, source: LOCAL_CONTENT, inline: true, attributes }, host)
    }
    if (args.remote_src) return yield* copyRemote({ ...args, src: src! }, host)
    const source = findLocal(host.controller, 'files', src!).replace(/(?<=.)\/+$/, '')
    const stat = await host.controller.stat(source)
    if (stat?.kind === 'directory') return yield* sendTree({ ...shared, args, source, slash: src!.endsWith('/') }, host)
    const attributes = args.mode === 'preserve' ? { ...args, mode: modeText(stat?.mode ?? 0o644) } : args
    const bytes = await readLocal(host.controller, source, args.decrypt)
    return yield* send({ ...shared, name: nameOf(source), bytes, upload: bytes, source, inline: false, attributes }, host)
  },
})

/** Where content stands that is given in the task, as results call it. */
const LOCAL_CONTENT = '/tmp/ansible-content'

/** Mappings and lists become JSON, everything else its text. */
function contentText(content: Value): string {
  return content instanceof Map || Array.isArray(content) ? pythonJson(content) : asText(content)
}
