/** unarchive: unpacks an archive into a folder of the host. */
import type { JsonObject } from '../base/index.ts'
import { bool, fallback, int, list, path, required, str } from '../params/index.ts'
import { each, Fields, type Missing, type Stat, sh, statProbe, textOf } from '../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from './api.ts'
import { ask, askAll } from './files/ask.ts'
import { type AttributeArgs, attributeParams, attributeSteps, type Step, type Wanted, wantedProbe } from './files/attributes.ts'
import { pathInfo } from './files/info.ts'
import { findLocal, uploadOf } from './files/local.ts'
import { download } from './http/download.ts'
import { requestOf } from './http/params.ts'
import {
  type Archive,
  type Format,
  formatProbe,
  HANDLERS,
  isUnpacked,
  type Listing,
  listProbe,
  unpackScript,
  unpackWords,
} from './unarchive/list.ts'

export default defineModule({
  name: 'ansible.builtin.unarchive',
  takesAsync: false,
  missingWords: 'src (or content) and dest are required',
  summary: 'Unpacks an archive into a folder of the host.',
  params: {
    ...attributeParams,
    src: required(str()),
    dest: required(path()),
    remote_src: bool(),
    copy: bool(),
    creates: path(),
    list_files: fallback(bool(), false),
    keep_newer: fallback(bool(), false),
    exclude: fallback(list('str'), []),
    include: fallback(list('str'), []),
    extra_opts: fallback(list('str'), []),
    validate_certs: fallback(bool(), true),
    io_buffer_size: fallback(int(), 65536),
    decrypt: fallback(bool(), true),
  },
  rules: { mutuallyExclusive: [['include', 'exclude']] },
  async *run(args, host) {
    if (args.copy !== undefined && args.remote_src !== undefined)
      throw new ModuleFailure("parameters are mutually exclusive: ('copy', 'remote_src')")
    const remote = args.remote_src ?? (args.copy === undefined ? false : !args.copy)
    const found = await askAll(host, {
      creates: statProbe(args.creates ?? '/', { follow: true }),
      dest: statProbe(args.dest, { follow: true }),
      wanted: wantedProbe(args, { self: true }),
    })
    if (args.creates !== undefined && found.creates.exists)
      return { skipped: true, changed: false, msg: `skipped, since ${args.creates} exists` }
    const local = remote ? undefined : findLocal(host.controller, 'files', args.src)
    if (!found.dest.exists || found.dest.kind !== 'directory') throw new ModuleFailure(`dest '${args.dest}' must be an existing dir`)
    // only what lies on the host can be looked at without sending it first, and only zip files are
    const isZip = host.check && remote && (await ask(host, formatProbe(args.src))) === 'zip'
    if (host.check && !isZip)
      return { skipped: true, changed: false, msg: 'remote module (ansible.legacy.unarchive) does not support check mode when using gtar' }
    const place = yield* obtain(args, local, host)
    try {
      return yield* unpack({ ...args, src: place.path }, { ...found, dest: found.dest }, host)
    } finally {
      if (place.temporary) yield { what: 'cleanup', script: sh`rm -f -- ${place.path}`, counts: false }
    }
  },
})

interface UnarchiveArgs extends AttributeArgs {
  readonly src: string
  readonly dest: string
  readonly list_files: boolean
  readonly keep_newer: boolean
  readonly exclude: readonly string[]
  readonly include: readonly string[]
  readonly extra_opts: readonly string[]
  readonly validate_certs: boolean
  readonly decrypt: boolean
}

interface Place {
  readonly path: string
  readonly temporary: boolean
}

/** Where the archive lies on the host: sent there, downloaded by it, or there already. */
async function* obtain(args: UnarchiveArgs, local: string | undefined, host: Host): AsyncGenerator<Change, Place, Done> {
  if (local !== undefined) {
    const done = yield {
      what: 'archive',
      script: sh`f=$(mktemp "\${TMPDIR:-/tmp}/ansible-tmp-XXXXXXXXXX") && mv -f -- "$1" "$f" && printf '%s\0' "$f"`,
      upload: [await uploadOf(host.controller, local, args.decrypt)],
      counts: false,
      failMessage: `Source '${args.src}' failed to transfer`,
    }
    return { path: done ? new Fields(done.stdout).text() : args.src, temporary: true }
  }
  if (!args.src.includes('://')) return { path: args.src, temporary: false }
  const plain = {
    url: args.src,
    force_basic_auth: false,
    http_agent: 'ansible-httpget',
    use_proxy: true,
    validate_certs: args.validate_certs,
  }
  const fetched = yield* download(requestOf(plain, 30), undefined, 'sha1')
  if (fetched && fetched.response.status !== 200)
    throw new ModuleFailure(`Failure downloading ${args.src}, HTTP Error ${fetched.response.status}`)
  return { path: fetched?.temporary ?? args.src, temporary: true }
}

interface Found {
  readonly dest: Stat
  readonly wanted: Wanted
}

async function* unpack(args: UnarchiveArgs, found: Found, host: Host): AsyncGenerator<Change, Result, Done> {
  const format = await ask(host, formatProbe(args.src))
  const archive = archiveOf(args, checkedFormat(format, args.src))
  const listing = await ask(host, listProbe(archive))
  if (listing.code !== 0 || listing.members.length === 0) throw new ModuleFailure(`${NO_HANDLER(args.src)}\n${reason(listing, archive)}`)
  const { self } = found.wanted
  const task = { mode: args.mode !== undefined, owner: args.owner !== undefined, group: args.group !== undefined, root: self?.uid === 0 }
  const names = listing.members.map((m) => m.name)
  const base: JsonObject = {
    dest: args.dest,
    src: args.src,
    handler: HANDLERS[archive.format],
    ...(args.list_files ? { files: names } : {}),
  }
  const unpacked = listing.members.every((m) => isUnpacked(m, task))
  const extracted = unpacked ? {} : yield* extract(archive, base)
  const mended = host.check && !unpacked ? false : yield* mend(args, names, found.wanted, host)
  const dest = await ask(host, statProbe(args.dest, { follow: true }))
  return { ...base, ...extracted, changed: !unpacked || mended, ...pathInfo(dest) }
}

const NO_HANDLER = (src: string): string =>
  `Failed to find handler for "${src}". Make sure the required command to extract the file is installed.`

/** Why an archive could not even be listed. */
function reason({ missing, error }: Listing, { format }: Archive): string {
  if (missing.length > 0) return `Unable to find required '${missing.join("' or '")}' binary in the path.`
  return `Command "${format === 'zip' ? 'unzip -Z' : 'tar'}" could not handle archive: ${error}`
}

function checkedFormat(format: Format | 'empty' | 'unreadable' | undefined, src: string): Format {
  if (format === undefined) throw new ModuleFailure(`Source '${src}' does not exist`)
  if (format === 'unreadable') throw new ModuleFailure(`Source '${src}' not readable`)
  if (format === 'empty') throw new ModuleFailure(`Invalid archive '${src}', the file is 0 bytes`)
  return format
}

const archiveOf = (args: UnarchiveArgs, format: Format): Archive => ({
  path: args.src,
  dest: args.dest,
  format,
  exclude: args.exclude,
  include: args.include,
  extraOptions: args.extra_opts,
  keepNewer: args.keep_newer,
})

async function* extract(archive: Archive, base: JsonObject): AsyncGenerator<Change, JsonObject, Done> {
  const script = unpackScript(archive)
  const done = yield { what: 'files', script, onFailure: 'tell' }
  if (!done) return {}
  const results = {
    cmd: unpackWords(archive),
    rc: done.code,
    out: textOf(done.stdout),
    err: textOf(done.stderr),
  }
  // unzip says 1 where it only warns
  const failed = done.code !== 0 && !(archive.format === 'zip' && done.code === 1)
  if (failed) throw new ModuleFailure(`failed to unpack ${archive.path} to ${archive.dest}`, { ...base, extract_results: results })
  return { extract_results: results }
}

/** Gives everything that came out of the archive, and the folders at its top, the wanted owner, group and mode. */
async function* mend(args: UnarchiveArgs, names: readonly string[], wanted: Wanted, host: Host): AsyncGenerator<Change, boolean, Done> {
  if (args.mode === undefined && args.owner === undefined && args.group === undefined && args.attributes === undefined) return false
  const tops = names.filter((n) => n.includes('/')).map((n) => n.slice(0, n.indexOf('/')))
  const paths = [
    ...new Set([...names, ...tops].map((n) => `${args.dest.replace(/\/+$/, '')}/${n.replace(/^\/+/, '').replace(/\/+$/, '')}`)),
  ]
  const stats = await ask(host, each(paths.map((p) => statProbe(p))))
  const groups = groupSteps(paths, stats, wanted)
  for (const [step, targets] of groups) {
    yield {
      what: 'attributes',
      script: sh`xargs -0 sh -c ${`for f; do ${step.script(sh`"$f"`).text}
done`} sh`,
      stdin: new TextEncoder().encode(targets.map((p) => `${p}\0`).join('')),
      failMessage: 'Unexpected error when accessing exploded file',
    }
  }
  return groups.length > 0
}

function groupSteps(paths: readonly string[], stats: readonly (Stat | Missing)[], wanted: Wanted): [Step, string[]][] {
  const groups = new Map<string, [Step, string[]]>()
  for (const [i, path] of paths.entries()) {
    const now = stats[i]!
    if (!now.exists) continue
    for (const step of attributeSteps(now, wanted, path)) {
      if (step.idle) continue
      const key = JSON.stringify([step.what, step.after])
      const group = groups.get(key) ?? [step, []]
      group[1].push(path)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}
