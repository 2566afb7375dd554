/** stat: tells what a path is. */
import type { JsonObject } from '../base/index.ts'
import { bool, choice, fallback, path, required } from '../params/index.ts'
import { type Stat, statProbe } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { ask } from './files/ask.ts'
import { REASONS } from './files/reasons.ts'
import { statFields } from './files/stat-fields.ts'

export default defineModule({
  name: 'ansible.builtin.stat',
  summary: 'Tells what a path is.',
  params: {
    path: required(path({ aliases: ['dest', 'name'] })),
    follow: fallback(bool(), false),
    get_checksum: fallback(bool(), true),
    get_mime: fallback(bool({ aliases: ['mime', 'mime_type', 'mime-type'] }), true),
    get_attributes: fallback(bool({ aliases: ['attr', 'attributes'] }), true),
    get_selinux_context: fallback(bool(), false),
    checksum_algorithm: choice(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'], 'sha1', { aliases: ['checksum', 'checksum_algo'] }),
  },
  async *run(args, host) {
    const { follow } = args
    const stat = await ask(
      host,
      statProbe(args.path, {
        follow,
        checksum: args.get_checksum ? args.checksum_algorithm : undefined,
        mime: args.get_mime,
        attributes: args.get_attributes,
      }),
    )
    if (!stat.exists) {
      if (stat.why !== 'absent') throw new ModuleFailure(REASONS[stat.why])
      return { changed: false, stat: { exists: false } }
    }
    return {
      changed: false,
      stat: {
        exists: true,
        path: args.path,
        ...statFields(stat),
        ...(stat.kind === 'link' ? { lnk_source: stat.realPath ?? missingTarget(args.path, stat), lnk_target: stat.linkTarget ?? '' } : {}),
        readable: stat.readable,
        writeable: stat.writable,
        executable: stat.executable,
        ...(stat.checksum === undefined ? {} : { checksum: stat.checksum }),
        ...(args.get_mime ? mimeFields(stat.mime) : {}),
        ...(stat.attributes?.version !== undefined
          ? { version: stat.attributes.version, attributes: flagNames(stat.attributes.flags), attr_flags: stat.attributes.flags }
          : {}),
        ...(args.get_selinux_context ? { selinux_context: stat.context?.split(':') ?? [null, null, null, null] } : {}),
      },
    }
  },
})

function missingTarget(path: string, stat: Stat): string {
  const target = stat.linkTarget ?? ''
  return target.startsWith('/') ? target : `${path.slice(0, path.lastIndexOf('/') + 1)}${target}`
}

/** `text/plain; charset=us-ascii`, where the host has the program file. */
function mimeFields(mime: string | undefined): JsonObject {
  const match = mime === undefined ? null : /^\s*([^;]+);\s*charset=(\S+)/.exec(mime)
  return { mimetype: match?.[1] ?? 'unknown', charset: match?.[2] ?? 'unknown' }
}

const FLAG_NAMES: Readonly<Record<string, string>> = {
  A: 'noatime',
  a: 'append',
  c: 'compressed',
  C: 'nocow',
  d: 'nodump',
  D: 'dirsync',
  e: 'extents',
  E: 'encrypted',
  h: 'blocksize',
  i: 'immutable',
  I: 'indexed',
  j: 'journalled',
  N: 'inline',
  s: 'zero',
  S: 'synchronous',
  t: 'notail',
  T: 'blockroot',
  u: 'undelete',
  X: 'compressedraw',
  Z: 'compresseddirty',
}

const flagNames = (flags: string): string[] => [...flags].flatMap((flag) => FLAG_NAMES[flag] ?? [])
