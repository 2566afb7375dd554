/** assemble: puts the files of a folder together into one. */
import type { JsonObject } from '../base/index.ts'
import { bool, fallback, path, raw, required, str } from '../params/index.ts'
import { type Fields, type Probe, selfProbe, sh, statProbe } from '../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from './api.ts'
import { send } from './copy/send.ts'
import { ask, askAll } from './files/ask.ts'
import { type AttributeArgs, attributeParams, attributeSteps, newborn, wantedProbe } from './files/attributes.ts'
import { digestsOf } from './files/digest.ts'
import { pathInfo } from './files/info.ts'
import { attributeChange, checkValidate, installChange, readInstalled, validationFailure } from './files/install.ts'
import { findLocal, readLocal } from './files/local.ts'
import { textPattern } from './files/pattern.ts'

export default defineModule({
  name: 'ansible.builtin.assemble',
  takesAsync: false,
  missingWords: 'src and dest are required',
  summary: 'Puts the files of a folder together into one.',
  checkMode: false,
  checkWords: 'This action (%s) does not support check mode.',
  params: {
    ...attributeParams,
    src: required(str()),
    dest: required(path()),
    delimiter: str(),
    backup: fallback(bool(), false),
    remote_src: fallback(bool(), true),
    regexp: str(),
    ignore_hidden: fallback(bool(), false),
    validate: str(),
    decrypt: fallback(bool(), true),
    follow: fallback(bool(), false),
    directory_mode: raw(),
  },
  async *run(args, host) {
    if (args.remote_src) return yield* assembleRemote(args, host)
    const { controller } = host
    const folder = findLocal(controller, 'files', args.src)
    if ((await controller.stat(folder))?.kind !== 'directory') throw new ModuleFailure(`Source (${folder}) is not a directory`)
    const names = (await controller.walk(folder, { followLinks: true }))
      .filter((e) => e.kind === 'file' && !e.path.includes('/'))
      .map((e) => e.path)
    const parts = await Promise.all(chosen(names, args).map((name) => readLocal(controller, `${folder}/${name}`, args.decrypt)))
    const bytes = joined(parts, args.delimiter)
    const result = yield* send(
      {
        dest: args.dest,
        name: 'src',
        bytes,
        upload: bytes,
        source: folder,
        inline: false,
        attributes: args,
        directoryMode: args.directory_mode,
        force: true,
        follow: args.follow,
        backup: args.backup,
        validate: args.validate,
        unsafeWrites: args.unsafe_writes,
      },
      host,
    )
    return Array.isArray(result.diff) ? { ...result, diff: result.diff[0] ?? {} } : result
  },
})

interface AssembleArgs extends AttributeArgs {
  readonly src: string
  readonly dest: string
  readonly delimiter?: string | undefined
  readonly backup: boolean
  readonly regexp?: string | undefined
  readonly ignore_hidden: boolean
  readonly validate?: string | undefined
  readonly unsafe_writes?: boolean | undefined
}

async function* assembleRemote(args: AssembleArgs, host: Host): AsyncGenerator<Change, Result, Done> {
  const { source, dest, wanted, names } = await askAll(host, {
    source: statProbe(args.src, { follow: true }),
    dest: statProbe(args.dest, { follow: true, checksum: 'sha1' }),
    wanted: wantedProbe(args, { self: true }),
    self: selfProbe,
    names: namesProbe(args.src),
  })
  if (!source.exists) throw new ModuleFailure(`Source (${args.src}) does not exist`)
  if (source.kind !== 'directory') throw new ModuleFailure(`Source (${args.src}) is not a directory`)
  const picked = chosen(names, args)
  checkValidate(args.validate)
  const parts = picked.length === 0 ? [] : await ask(host, partsProbe(picked.map((n) => `${args.src}/${n}`)))
  const bytes = joined(parts, args.delimiter)
  const { sha1, md5 } = digestsOf(bytes)
  const base: JsonObject = { src: args.src, dest: args.dest, checksum: sha1, md5sum: md5, msg: 'OK' }
  const steps = attributeSteps(dest.exists ? dest : newborn('file', wanted.self!), wanted, args.dest, !dest.exists)
  if (dest.exists && dest.checksum === sha1) {
    if (steps.length === 0) return { ...base, changed: false, ...pathInfo(dest) }
    const done = yield attributeChange(args.dest, steps)
    return { ...base, changed: true, ...pathInfo(done ? readInstalled(done, args.dest).stat : dest) }
  }
  const done = yield installChange({
    path: args.dest,
    now: dest,
    content: bytes,
    steps,
    backup: args.backup,
    validate: args.validate,
    unsafeWrites: args.unsafe_writes,
  })
  if (!done) return { ...base, changed: true }
  const installed = readInstalled(done, args.dest, { validate: validationFailure })
  return { ...base, changed: true, ...(installed.backup === '' ? {} : { backup_file: installed.backup }), ...pathInfo(installed.stat) }
}

/** The names of the files in a folder, links to files among them. */
function namesProbe(folder: string): Probe<string[]> {
  return {
    script: sh`d=${folder}; for f in "$d"/* "$d"/.*; do [ -f "$f" ] && printf '%s\0' "\${f##*/}"; done; printf '\0'`,
    read: (fields: Fields) => {
      const names: string[] = []
      for (let name = fields.text(); name !== ''; name = fields.text()) names.push(name)
      return names
    },
  }
}

function partsProbe(paths: readonly string[]): Probe<Uint8Array[]> {
  const script = paths.reduce(
    (all, path) => sh`${all}n=$(wc -c <${path}); n=$((n)); printf '%s\0' "$n"; head -c "$n" -- ${path}
`,
    sh``,
  )
  return { script, read: (fields) => paths.map(() => fields.take(fields.number() ?? 0).slice()) }
}

/** The names that take part, in order of their bytes. */
function chosen(names: readonly string[], args: { readonly regexp?: string | undefined; readonly ignore_hidden: boolean }): string[] {
  const pattern = args.regexp === undefined ? undefined : textPattern(args.regexp)
  return [...names].sort().filter((n) => (!pattern || pattern.search(n) !== undefined) && !(args.ignore_hidden && n.startsWith('.')))
}

/** The parts one after the other; a part without a final newline gets one before the next, and the delimiter stands on a line of its own. */
function joined(parts: readonly Uint8Array[], delimiter: string | undefined): Uint8Array {
  const mark = delimiter ? Buffer.from(unescaped(delimiter), 'utf8') : undefined
  const out: Uint8Array[] = []
  let open = false
  for (const [i, part] of parts.entries()) {
    if (open) out.push(NEWLINE)
    if (i > 0 && mark) out.push(mark, ...(mark.at(-1) === 10 ? [] : [NEWLINE]))
    out.push(part)
    open = part.at(-1) !== 10
  }
  return new Uint8Array(Buffer.concat(out))
}

const NEWLINE = new Uint8Array([10])

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  "'": "'",
  '"': '"',
}

/** Backslash escapes as in Python's byte texts. */
function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)/gs, (whole, what: string) => {
    if (/^x/.test(what)) return String.fromCharCode(Number.parseInt(what.slice(1), 16))
    if (/^[0-7]/.test(what)) return String.fromCharCode(Number.parseInt(what, 8))
    return ESCAPES[what] ?? whole
  })
}
