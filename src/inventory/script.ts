/** Turns what an executable inventory prints (`--list`, and `--host NAME` where there is no `_meta`) into statements. */
import { spawnSync } from 'node:child_process'
import { asWritten, fromJson, type Json, type JsonObject, Problem } from '../base/index.ts'
import type { GroupNames } from './ini.ts'
import type { Reading, Statement } from './statements.ts'

export type RunScript = (path: string, args: readonly string[]) => string

export function readScript(path: string, groupName: GroupNames, run: RunScript = runScript): Reading {
  const listed = parse(path, run(path, ['--list']))
  const statements: Statement[] = []
  const hosts = new Set<string>()
  for (const [name, data] of Object.entries(listed)) {
    if (name !== '_meta') readGroup(groupName(name), data ?? null, groupName, statements, hosts)
  }
  const meta = listed['_meta']
  const hostVars = isObject(meta) ? meta['hostvars'] : undefined
  for (const host of hosts) {
    const vars = hostVars === undefined ? parse(path, run(path, ['--host', host]) || '{}') : isObject(hostVars) ? hostVars[host] : undefined
    if (isObject(vars))
      for (const [key, value] of Object.entries(vars)) statements.push({ do: 'hostVar', host, key, value: asWritten(fromJson(value)) })
  }
  return { statements }
}

/** A group is a list of hosts, a dict of `hosts`, `vars` and `children`, or the variables of a host of that name. */
function readGroup(group: string, data: Json, groupName: GroupNames, statements: Statement[], hosts: Set<string>): void {
  statements.push({ do: 'group', name: group })
  const parts: JsonObject = !isObject(data)
    ? { hosts: data }
    : 'hosts' in data || 'vars' in data || 'children' in data
      ? data
      : { hosts: [group], vars: data }
  if (parts['hosts'] !== undefined) {
    if (!Array.isArray(parts['hosts'])) throw wrong(`You defined a group '${group}' with bad data for the host list`)
    for (const host of parts['hosts'].map(String)) {
      hosts.add(host)
      statements.push({ do: 'host', name: host, group })
    }
  }
  if (parts['vars'] !== undefined) {
    if (!isObject(parts['vars'])) throw wrong(`You defined a group '${group}' with bad data for variables`)
    for (const [key, value] of Object.entries(parts['vars']))
      statements.push({ do: 'groupVar', group, key, value: asWritten(fromJson(value)) })
  }
  if (Array.isArray(parts['children'])) {
    for (const child of parts['children'].map((name) => groupName(String(name)))) {
      statements.push({ do: 'group', name: child }, { do: 'child', group, child })
    }
  }
}

function runScript(path: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(path, args, { encoding: 'utf8', maxBuffer: 1 << 30 })
  if (error) throw wrong(`problem running ${[path, ...args].join(' ')} (${error.message})`)
  if (status !== 0) throw wrong(`Inventory script (${path}) had an execution error: ${stderr.trim()}`)
  return stdout
}

function parse(path: string, text: string): JsonObject {
  let json: Json
  try {
    json = JSON.parse(text) as Json
  } catch (error) {
    throw wrong(`failed to parse executable inventory script results from ${path}: ${(error as Error).message}`)
  }
  if (isObject(json)) return json
  throw wrong(`failed to parse executable inventory script results from ${path}: needs to be a json dict`)
}

const isObject = (json: Json | undefined): json is JsonObject => typeof json === 'object' && json !== null && !Array.isArray(json)

const wrong = (message: string): Problem => new Problem(message, { kind: 'inventory' })
