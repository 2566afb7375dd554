/** A Host over a local shell: looks and changes really happen, in a folder of the test's own. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromJson, type JsonObject, Problem, type Value } from '../../src/base/index.ts'
import { type Change, type Controller, type Done, findModule, type Host, ModuleFailure, type Result } from '../../src/modules/index.ts'
import { checkArgs } from '../../src/params/index.ts'
import { type Output, type Script, sh } from '../../src/remote/index.ts'

export interface LocalHostOptions {
  /** the machine the task is delegated to */
  readonly delegate?: string | undefined
  /** argv of the shell that runs scripts: ['dash'], ['bash'], ['busybox', 'sh'] */
  readonly shell?: readonly string[]
  readonly check?: boolean
  readonly diff?: boolean
  readonly facts?: Readonly<Record<string, Value>>
  readonly controller?: Partial<Controller>
  readonly env?: Readonly<Record<string, string>>
  readonly path?: string
  /** is told whatever the host is given: scripts, their words and input, files */
  readonly heard?: (text: string) => void
}

/** How a module ended, with what it asked for and wrote on the way. */
export interface Ran {
  readonly result: Result
  /** what the changes were called */
  readonly changes: readonly string[]
  readonly looks: number
}

/** Runs a module by name as the engine would: checks arguments, applies changes (unless in check mode), fills in changed and failed. */
export async function runModule(name: string, given: JsonObject, options: LocalHostOptions = {}): Promise<Ran> {
  const module = findModule(name)
  if (!module) throw new Error(`no module ${name}`)
  const rawArgs = fromJson(given) as Map<string, Value>
  const checked = checkArgs(module.params, module.rules, rawArgs, name, { openArgs: module.openArgs })
  if (checked.problems.length > 0)
    return { result: { changed: false, failed: true, msg: checked.problems[0]!.message }, changes: [], looks: 0 }
  const local = new Local(options, rawArgs)
  try {
    return await drive(module.run(checked.args as never, local.host()), local, options)
  } finally {
    local.close()
  }
}

async function drive(running: AsyncGenerator<Change, Result, Done>, local: Local, options: LocalHostOptions): Promise<Ran> {
  const changes: string[] = []
  let changed = false
  const ran = (result: Result): Ran => ({
    result: { ...result, changed: result.changed ?? changed, failed: result.failed ?? false },
    changes,
    looks: local.looks,
  })
  try {
    let step = await running.next()
    while (!step.done) {
      const change = step.value
      changes.push(change.what)
      if (change.counts !== false) changed = true
      step = await running.next(options.check && !change.inCheck ? undefined : await local.apply(change))
    }
    return ran(step.value)
  } catch (error) {
    if (error instanceof ModuleFailure) return ran({ changed: false, ...error.result, failed: true, msg: error.message })
    throw error
  }
}

class Local {
  looks = 0
  private readonly scratch = mkdtempSync(join(tmpdir(), 'ansible-tmp-'))
  private uploads = 0
  constructor(
    private readonly options: LocalHostOptions,
    private readonly rawArgs: ReadonlyMap<string, Value>,
  ) {}

  close(): void {
    rmSync(this.scratch, { recursive: true, force: true })
  }

  async apply(change: Change): Promise<Output> {
    const paths = (change.upload ?? []).map((upload) => {
      const path = join(this.scratch, `upload-${this.uploads++}`)
      const bytes = upload instanceof Uint8Array ? upload : readFileSync(upload.localPath)
      this.options.heard?.(Buffer.from(bytes).toString('latin1'))
      writeFileSync(path, bytes, { mode: 0o600 })
      return path
    })
    const received = paths.reduce((all, path, i) => sh`${all}${i + 1}) cat <${path} ;; `, sh``)
    const script = change.receives
      ? sh`received() { case \${1-1} in ${received}esac; }
${change.script}`
      : change.script
    const output = await this.shell(script, paths, change.stdin, change.env)
    if (output.code !== 0 && change.onFailure !== 'tell') throw failureOf(output, change.failMessage)
    return output
  }

  host(): Host {
    const { options } = this
    const unsupported = (what: string) => (): never => {
      throw new Error(`the test host has no ${what}`)
    }
    return {
      name: 'local',
      check: options.check ?? false,
      diff: options.diff ?? false,
      verbosity: 0,
      leave: async () => undefined,
      look: async (script, lookOptions) => {
        this.looks++
        const output = await this.shell(script, [], lookOptions?.stdin, lookOptions?.env)
        if (output.code !== 0 && lookOptions?.onFailure !== 'tell') throw failureOf(output, undefined)
        return output
      },
      read: async (path) => (options.shell?.[0] === 'chroot' ? await this.cat(path) : readFileSync(path)),
      job: () => undefined,
      fact: async (name) => options.facts?.[name],
      sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
      now: () => new Date(),
      reconnect: async () => {},
      controller: { ...bareController(unsupported), ...options.controller },
      task: {
        name: 'test',
        action: 'test',
        environment: new Map(),
        becomeUser: undefined,
        ...(this.options.delegate === undefined ? {} : { delegate: this.options.delegate }),
        remoteUser: undefined,
        rawArgs: this.rawArgs,
        async: 0,
        poll: 0,
      },
      call: (name, args) => {
        const module = findModule(name)
        if (!module) throw new Error(`no module ${name}`)
        const checked = checkArgs(module.params, module.rules, args, name)
        if (checked.problems.length > 0) throw new ModuleFailure(checked.problems[0]!.message)
        return module.run(checked.args as never, this.host())
      },
    }
  }

  /** Another root's files are read in it. */
  private async cat(path: string): Promise<Uint8Array> {
    const output = await this.shell(sh`cat <${path}`, [])
    if (output.code !== 0) throw failureOf(output, undefined)
    return output.stdout
  }

  private shell(script: Script, args: readonly string[], stdin?: Uint8Array, env?: ReadonlyMap<string, string>): Promise<Output> {
    const [program, ...words] = this.options.shell ?? ['sh']
    this.options.heard?.([script.text, ...args, ...(env ? [...env].flat() : [])].join('\0'))
    if (stdin) this.options.heard?.(Buffer.from(stdin).toString('latin1'))
    return new Promise((resolve, reject) => {
      const child = spawn(program!, [...words, '-c', script.text, 'sh', ...args], {
        env: {
          ...process.env,
          LC_ALL: 'C',
          ...this.options.env,
          ...Object.fromEntries(env ?? []),
          ...(this.options.path ? { PATH: this.options.path } : {}),
        },
        cwd: this.scratch,
      })
      const out: Buffer[] = []
      const err: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
      child.on('error', reject)
      child.on('close', (code) => resolve({ stdout: Buffer.concat(out), stderr: Buffer.concat(err), code: code ?? -1 }))
      child.stdin.on('error', () => {})
      child.stdin.end(stdin ?? new Uint8Array())
    })
  }
}

function failureOf(output: Output, message: string | undefined): ModuleFailure {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
  return new ModuleFailure(message ?? `the script ended with code ${output.code}: ${text(output.stderr)}`, {
    rc: output.code,
    stdout: text(output.stdout),
    stderr: text(output.stderr),
  })
}

/** A controller that knows files by absolute path and nothing else. */
function bareController(unsupported: (what: string) => () => never): Controller {
  return {
    find: (_kind, name) => (name.startsWith('/') && statSync(name, { throwIfNoEntry: false }) ? name : undefined),
    folders: () => [],
    read: async (path) => readFileSync(path),
    source: (path) => {
      try {
        return { name: path, text: readFileSync(path, 'utf8') }
      } catch (cause) {
        throw new Problem(`cannot read ${path}`, { kind: 'file', cause })
      }
    },
    stat: async (path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return (
        stat && { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other', mode: stat.mode & 0o7777, size: stat.size }
      )
    },
    walk: unsupported('walk'),
    write: unsupported('write'),
    exec: unsupported('exec'),
    renderFile: (source) => source.text,
    render: (raw) => raw as Value,
    condition: unsupported('condition'),
    expression: unsupported('expression'),
    variable: () => undefined,
    readVars: unsupported('readVars'),
    say: () => undefined,
    keys: async () => ({ how: 'nobody', typed: '' }),
    playbookDir: '/',
    where: undefined,
  }
}

/** The shells that scripts must run in, as far as they are installed here. */
export const SHELLS: readonly (readonly string[])[] = [['dash'], ['bash'], ['busybox', 'sh']]
