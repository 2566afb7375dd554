/** The facts of each host: in memory, and in a folder of JSON files when fact_caching=jsonfile asks for it. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Value } from '../base/index.ts'
import { dumpJson, readJson } from '../template/index.ts'

export interface FactCacheOptions {
  readonly plugin: 'memory' | 'jsonfile'
  /** the folder of jsonfile */
  readonly folder?: string | undefined
  readonly prefix: string
  /** seconds; 0: for ever */
  readonly timeout: number
  readonly now: () => number
  readonly warn: (message: string) => void
}

export class FactStore {
  readonly #facts = new Map<string, Map<string, Value>>()
  readonly #options: FactCacheOptions

  constructor(options: FactCacheOptions) {
    this.#options = options
    if (options.plugin === 'jsonfile' && options.folder) mkdirSync(options.folder, { recursive: true })
  }

  /** The facts as modules named them (`ansible_distribution`, …); an empty map where there are none. */
  of(host: string): ReadonlyMap<string, Value> {
    let facts = this.#facts.get(host)
    if (!facts) {
      facts = this.#load(host)
      this.#facts.set(host, facts)
    }
    return facts
  }

  add(host: string, facts: ReadonlyMap<string, Value>): void {
    const all = new Map(this.of(host))
    for (const [name, value] of facts) all.set(name, value)
    this.#facts.set(host, all)
    this.#save(host, all)
  }

  forget(host: string): void {
    this.#facts.set(host, new Map())
    const file = this.#file(host)
    if (file) rmSync(file, { force: true })
  }

  #file(host: string): string | undefined {
    const { plugin, folder, prefix } = this.#options
    return plugin === 'jsonfile' && folder ? join(folder, prefix + host.replaceAll('/', '_')) : undefined
  }

  #load(host: string): Map<string, Value> {
    const file = this.#file(host)
    if (!file) return new Map()
    try {
      const age = this.#options.now() - statSync(file).mtimeMs
      if (this.#options.timeout > 0 && age > this.#options.timeout * 1000) return new Map()
      const value = plain(readJson(readFileSync(file, 'utf8')))
      return value instanceof Map ? new Map([...value].map(([k, v]) => [String(k), v])) : new Map()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#options.warn(`the fact cache ${file} cannot be read: ${(error as Error).message}`)
      return new Map()
    }
  }

  #save(host: string, facts: ReadonlyMap<string, Value>): void {
    const file = this.#file(host)
    if (!file) return
    const beside = `${file}.${process.pid}.tmp`
    writeFileSync(beside, dumpJson(new Map<Value, Value>(facts), { indent: 4, sortKeys: true }), { mode: 0o644 })
    renameSync(beside, file)
  }
}

/** Ansible writes texts that must never be rendered as dicts of this one key. */
const UNSAFE = '__ansible_unsafe'

function plain(value: Value): Value {
  if (Array.isArray(value)) return value.map(plain)
  if (!(value instanceof Map)) return value
  if (value.size === 1 && value.has(UNSAFE)) return value.get(UNSAFE) ?? null
  return new Map([...value].map(([key, one]) => [key, plain(one)]))
}

/** `ansible_facts`: the facts without their `ansible_` (but for ansible_local). */
export function namespaced(facts: ReadonlyMap<string, Value>): Map<Value, Value> {
  const out = new Map<Value, Value>()
  for (const [name, value] of facts) out.set(name.startsWith('ansible_') && name !== 'ansible_local' ? name.slice(8) : name, value)
  return out
}

/** Variables that decide how a host is reached: a host must not set them through its facts. */
const CONNECTION_FACTS = new Set([
  'add_group',
  'add_host',
  'ansible_become_exe',
  'ansible_become_flags',
  'ansible_become_method',
  'ansible_become_pass',
  'ansible_become_password',
  'ansible_become_user',
  'ansible_connection',
  'ansible_facts',
  'ansible_host',
  'ansible_password',
  'ansible_playbook_python',
  'ansible_port',
  'ansible_private_key_file',
  'ansible_python_interpreter',
  'ansible_rsync_path',
  'ansible_shell_executable',
  'ansible_shell_type',
  'ansible_ssh_pass',
  'ansible_ssh_host',
  'ansible_ssh_port',
  'ansible_ssh_user',
  'ansible_user',
])

/** Facts as top-level variables: without those that a host could use to redirect its own connection. */
export function injectable(facts: ReadonlyMap<string, Value>): Map<string, Value> {
  const out = new Map<string, Value>()
  for (const [name, value] of facts) {
    if (CONNECTION_FACTS.has(name) || /^ansible_(ssh|become|local_tmp|remote_tmp)_/.test(name) || /_interpreter$/.test(name)) {
      if (!name.startsWith('ansible_ssh_host_key_') && name !== 'discovered_interpreter_python') continue
    }
    out.set(name, value)
  }
  return out
}
