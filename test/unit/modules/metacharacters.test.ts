import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, type JsonObject, toJson } from '../../../src/base/index.ts'
import { allModules } from '../../../src/modules/index.ts'
import type { Param, Params, Rules } from '../../../src/params/index.ts'
import { runModule } from '../../harness/local-host.ts'
import { HARMLESS, NO_TEXTS, PROGRAMS, SEEDS, SHELL_TEXTS } from './metacharacters.ts'

/**
 * Names made of the shell's marks never run anything: every text of every module is given one that would leave a file behind, with each of its choices,
 * and all that the module runs is run, in a root of its own that holds a shell, a few tools and programs that do nothing. Every module must have given
 * the host such a text, or is in metacharacters.ts with the reason why it has none to give.
 */
const MARK = '/was-here'
/** Each module leaves a file of its own: what still runs of one is not laid at the door of the next. */
const markOf = (module: string): string => `${MARK}-${module}`
const textsWith = (mark: string): readonly string[] => [
  `a'$(touch ${mark})`,
  `b"\`touch ${mark}\``,
  `c';touch ${mark};'`,
  `d\ntouch ${mark}\n`,
  `-e|touch ${mark}&`,
]

const TOOLS =
  'awk base64 basename bzip2 cat chgrp chmod chown cksum cmp cp cut date dd df diff dirname du echo env expr find grep gunzip gzip head id ln ls md5sum mkdir mkfifo mktemp mv nc nl nproc od printf ps readlink realpath rm rmdir sed seq sha1sum sha256sum sha512sum sleep sort stat strings tail tar tee test timeout touch tr true uname uniq unzip wc xargs xz'.split(
    ' ',
  )

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'root-'))
  for (const folder of ['bin', 'tmp', 'etc/apt/sources.list.d', 'etc/yum.repos.d', 'etc/systemd/system', 'dev', 'proc', 'root', 'there'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'dev/null'), '')
  for (const file of ['passwd', 'group', 'fstab', 'hosts', 'shells']) writeFileSync(join(root, 'etc', file), '')
  writeFileSync(join(root, 'there/file'), 'one\ntwo\n')
  for (const program of ['dash', 'busybox', 'openssl', 'ssh-keygen']) install(program)
  symlinkSync('dash', join(root, 'bin/sh'))
  for (const tool of TOOLS) symlinkSync('busybox', join(root, 'bin', tool))
  for (const [program, says] of Object.entries(PROGRAMS))
    writeFileSync(join(root, 'bin', program), `#!/bin/sh\nprintf '%s\\n' '${says}'\n`, { mode: 0o755 })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Copies a program with the libraries that it needs. */
function install(program: string): void {
  const source = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
  const target = join(root, 'bin', program)
  copyFileSync(source, target)
  chmodSync(target, 0o755)
  const libraries = execFileSync('sh', ['-c', `ldd ${source} 2>/dev/null || :`], { encoding: 'utf8' }).match(/\/\S+(?= \()/g) ?? []
  for (const library of libraries) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
}

/** A value of a parameter's type with the text wherever a text may be; undefined where it takes none. */
function filled(param: Param, text: string): Json | undefined {
  if (param.choices) return undefined
  if (['str', 'path', 'raw', 'json', 'jsonarg'].includes(param.type)) return text
  if (param.type === 'list')
    return param.options
      ? [inside(param.options, text)]
      : param.elements === 'dict'
        ? [{ [text]: text }]
        : ['str', 'path', 'raw'].includes(param.elements ?? 'str')
          ? [text]
          : undefined
  if (param.type === 'dict') return param.options ? inside(param.options, text) : { [text]: text }
  return undefined
}

const inside = (params: Params, text: string): JsonObject =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, param]) => {
      const value = filled(param, text) ?? (param.required ? plain(param) : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** A harmless value. */
function plain(param: Param): Json {
  if (param.choices) return toJson(param.choices[0]!)
  const values: Readonly<Record<string, Json>> = { int: 1, float: 1, bool: true, list: ['x'], dict: {} }
  return values[param.type] ?? '/there/file'
}

/** The arguments made to keep the rules across parameters: what is missing is filled, of those that exclude each other the `turn`th stays. */
function obeying(rules: Rules | undefined, params: Params, given: JsonObject, text: string, turn: number): JsonObject {
  const args: Record<string, Json> = { ...given } as Record<string, Json>
  const kept = new Set<string>()
  const need = (names: readonly string[]): void => {
    for (const name of names) args[name] ??= filled(params[name]!, text) ?? plain(params[name]!)
  }
  const worth = (name: string): Json | undefined =>
    args[name] ?? (params[name]?.default === undefined ? undefined : toJson(params[name].default))
  const without = (): void => {
    for (const group of rules?.mutuallyExclusive ?? []) {
      const there = group.filter((name) => args[name] !== undefined)
      const stays = there.find((name) => kept.has(name)) ?? there[turn % Math.max(1, there.length)]
      if (stays !== undefined) kept.add(stays)
      for (const name of there) if (name !== stays) delete args[name]
    }
  }
  without()
  for (let round = 0; round < 3; round++) {
    for (const group of rules?.requiredOneOf ?? []) if (!group.some((name) => args[name] !== undefined)) need([group[turn % group.length]!])
    for (const group of rules?.requiredTogether ?? []) if (group.some((name) => args[name] !== undefined)) need(group)
    for (const [name, value, names, any] of rules?.requiredIf ?? [])
      if (worth(name) === toJson(value)) {
        if (!any) need(names)
        else if (!names.some((one) => args[one] !== undefined)) need([names[turn % names.length]!])
      }
    for (const [name, names] of Object.entries(rules?.requiredBy ?? {})) if (args[name] !== undefined) need(names)
    without()
  }
  return args
}

const required = (params: Params): JsonObject =>
  Object.fromEntries(
    Object.entries(params)
      .filter(([, param]) => param.required)
      .map(([name, param]) => [name, plain(param)]),
  )

/** Every run that a module is given: each text by itself, all of them, with each choice, and what its seeds say. */
function runsOf(module: (typeof modules)[number]): { what: string; args: JsonObject }[] {
  const { params, rules } = module
  const short = module.name.slice(module.name.lastIndexOf('.') + 1)
  const shellTexts = SHELL_TEXTS[short] ?? []
  const texts = Object.entries(params).filter(([name]) => !shellTexts.includes(name))
  const quiet = Object.fromEntries(texts) as Params
  let at = 0
  const MARKS = textsWith(markOf(module.name))
  const next = (): string => MARKS[at++ % MARKS.length]!
  const run = (what: string, args: JsonObject, text: string, turn: number) => ({
    what,
    args: obeying(rules, quiet, { ...args, ...HARMLESS[short] }, text, turn),
  })
  const one = texts.flatMap(([name, param]) => {
    const text = next()
    const value = filled(param, text)
    return value === undefined ? [] : [run(name, { ...required(params), [name]: value }, text, 0)]
  })
  const all = MARKS.map((text, turn) => run('all', inside(quiet, text), text, turn))
  const chosen = texts.flatMap(([name, param]) =>
    (param.choices ?? []).map((choice, turn) => {
      const text = next()
      const args = turn % 2 === 0 ? inside(quiet, text) : required(params)
      return run(`${name}=${String(choice)}`, { ...args, [name]: toJson(choice) }, text, turn)
    }),
  )
  const seeds = (SEEDS[short] ?? []).flatMap((seed) =>
    MARKS.map((text) => ({ what: JSON.stringify(seed), args: sown(seed, text) as JsonObject })),
  )
  return [...one, ...all, ...chosen, ...seeds]
}

/** A seed with the text in the place of each `@`. */
function sown(seed: Json, text: string): Json {
  if (typeof seed === 'string') return seed.replaceAll('@', () => text)
  if (Array.isArray(seed)) return seed.map((one) => sown(one, text))
  if (seed === null || typeof seed !== 'object') return seed
  return Object.fromEntries(Object.entries(seed).map(([key, value]) => [sown(key, text) as string, sown(value as Json, text)]))
}

/** What waits has little time; what a module fails with does not matter here. Tells whether a mark came to the host. */
async function ran(module: string, args: JsonObject): Promise<boolean> {
  let came = false
  const options = {
    shell: ['chroot', root, '/bin/sh'],
    path: '/bin:/usr/sbin:/usr/bin',
    env: { HOME: '/root', TMPDIR: '/tmp' },
    diff: true,
    facts: { pkg_mgr: 'apt', service_mgr: 'systemd', os_family: 'Debian', system: 'Linux', distribution: 'Debian' },
    heard: (text: string) => {
      came ||= text.includes(`touch ${MARK}`)
    },
  }
  const late = new Promise<void>((resolve) => setTimeout(resolve, 400).unref())
  const nothing = (): void => undefined
  await Promise.race([runModule(module, args, options).then(nothing, nothing), late])
  return came
}

const modules = allModules().filter((module) => !module.controllerOnly)

/** Another root needs to be root. */
describe.runIf(process.getuid?.() === 0)('names made of metacharacters', () => {
  test('the root notices what runs', async () => {
    expect(await ran('ansible.builtin.shell', { cmd: `touch ${MARK}` })).toBe(true)
    expect(existsSync(join(root, MARK))).toBe(true)
  })

  test.each(modules.map((module) => [module.name, module] as const))('%s', { timeout: 120_000 }, async (name, module) => {
    let came = 0
    for (const { what, args } of runsOf(module)) {
      if (await ran(name, args)) came++
      expect(existsSync(join(root, markOf(name))), `${name}: ${what}`).toBe(false)
    }
    expect(came > 0, 'a text came to the host').toBe(NO_TEXTS[name] === undefined)
  })
})
