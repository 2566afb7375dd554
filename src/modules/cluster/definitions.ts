/** Reads the objects that a task of the Kubernetes modules speaks of: written in the task, in a file, in templates, or by kind and name. */
import { createHash } from 'node:crypto'
import { isDict, type Json, Problem, type Value } from '../../base/index.ts'
import { nodeToValue, parseYaml } from '../../documents/index.ts'
import { textOf } from '../../remote/index.ts'
import { type Host, ModuleFailure } from '../api.ts'
import { findLocal } from '../files/local.ts'
import { type KubeObject, objectOf, plainObject } from './connection.ts'

export interface Described {
  readonly resource_definition?: Value | undefined
  readonly src?: string | undefined
  readonly template?: Value | undefined
  readonly kind?: string | undefined
  readonly api_version: string
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly generate_name?: string | undefined
}

/** The objects, each with kind, apiVersion, name and namespace as far as they are told. */
export async function definitionsOf(host: Host, args: Described): Promise<KubeObject[]> {
  const written = await writtenDefinitions(host, args)
  const all = written.length > 0 ? written : [{}]
  return all.flatMap(unlisted).map((object) => completed(object, args))
}

async function writtenDefinitions(host: Host, args: Described): Promise<KubeObject[]> {
  if (args.template !== undefined && args.template !== null)
    return (await rendered(host, args.template)).flatMap((text) => documentsOf(text, 'the template'))
  if (args.src !== undefined) {
    if (/^(https?|ftp):\/\//.test(args.src)) throw new ModuleFailure(`src ${args.src}: fetch it with get_url first`)
    return documentsOf(textOf(await host.read(args.src)), args.src)
  }
  const given = args.resource_definition
  if (given === undefined || given === null) return []
  if (typeof given === 'string') return documentsOf(given, 'resource_definition')
  return (Array.isArray(given) ? given : [given]).flatMap((one) =>
    typeof one === 'string' ? documentsOf(one, 'resource_definition') : [plainObject(one)],
  )
}

/** The documents of a YAML text that are not empty. */
function documentsOf(text: string, name: string): KubeObject[] {
  try {
    const node = parseYaml({ name, text }, { multi: true })
    const value = node === undefined ? [] : nodeToValue(node)
    return (Array.isArray(value) ? value : [value])
      .flatMap((one) => (Array.isArray(one) ? one : [one]))
      .filter(isDict)
      .map(plainObject)
  } catch (error) {
    if (error instanceof Problem) throw new ModuleFailure(`Error loading resource_definition: ${error.message}`)
    throw error
  }
}

async function rendered(host: Host, template: Value): Promise<string[]> {
  const { controller } = host
  return (Array.isArray(template) ? template : [template]).map((one) => {
    const name = isDict(one) ? one.get('path') : one
    if (typeof name !== 'string') throw new ModuleFailure('Please specify path for template.')
    return controller.renderFile(controller.source(findLocal(controller, 'templates', name)), { keepTrailingNewline: true }, new Map())
  })
}

/** A List stands for its items. */
function unlisted(object: KubeObject): KubeObject[] {
  const items = object['items']
  return String(object['kind'] ?? '').endsWith('List') && Array.isArray(items) ? items.map(objectOf) : [object]
}

function completed(object: KubeObject, args: Described): KubeObject {
  const metadata = objectOf(object['metadata'])
  const name = metadata['name'] ?? args.name
  const generated = metadata['generateName'] ?? args.generate_name
  const namespace = metadata['namespace'] ?? args.namespace
  return {
    ...object,
    kind: object['kind'] ?? args.kind ?? null,
    apiVersion: object['apiVersion'] ?? args.api_version,
    metadata: {
      ...metadata,
      ...(name === undefined ? {} : { name }),
      ...(name === undefined && generated !== undefined ? { generateName: generated } : {}),
      ...(namespace === undefined ? {} : { namespace }),
    },
  }
}

/** A config map or secret with a name that tells its content, as kustomize makes them. */
export function withHash(object: KubeObject): KubeObject {
  const kind = String(object['kind'])
  const keys = kind === 'ConfigMap' ? ['data', 'kind', 'name'] : kind === 'Secret' ? ['data', 'kind', 'name', 'type'] : undefined
  if (!keys) return object
  const metadata = objectOf(object['metadata'])
  const key = metadata['name'] === undefined ? 'generateName' : 'name'
  const all: Record<string, Json> = { data: object['data'] ?? '', kind, name: metadata[key] ?? '', type: object['type'] ?? '' }
  const text = JSON.stringify(sorted(Object.fromEntries(keys.map((one) => [one === 'name' ? key : one, all[one]!]))))
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10)
  const letters = hash.replace(/[013ae]/g, (c) => 'ghkmt'['013ae'.indexOf(c)]!)
  return { ...object, metadata: { ...metadata, [key]: `${String(metadata[key])}-${letters}` } }
}

function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v as Json)]),
  )
}
