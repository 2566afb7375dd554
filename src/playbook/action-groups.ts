/** A group of modules (`group/NAME` in module_defaults) → its members, as the collections' meta/runtime.yml name them. */
import { join } from 'node:path'
import { Problem, type Raw } from '../base/index.ts'
import { nodeToRaw, readDocument } from '../documents/index.ts'
import type { LoadContext } from './api.ts'
import { collectionFolders } from './collections.ts'
import { kindOf } from './paths.ts'

export interface ActionGroup {
  /** with its collection in front */
  readonly name: string
  /** full names */
  readonly actions: ReadonlySet<string>
}

/** Groups that belong to Ansible itself: each is made of groups of collections. */
const BUILTIN: Readonly<Record<string, readonly string[]>> = {
  acme: ['community.crypto.acme'],
  aws: ['amazon.aws.aws', 'community.aws.aws'],
  azure: ['azure.azcollection.azure'],
  cpm: ['wti.remote.cpm'],
  docker: ['community.general.docker', 'community.docker.docker'],
  gcp: ['google.cloud.gcp'],
  k8s: ['community.kubernetes.k8s', 'community.general.k8s', 'community.kubevirt.k8s', 'community.okd.k8s', 'kubernetes.core.k8s'],
  os: ['openstack.cloud.os'],
  ovirt: ['ovirt.ovirt.ovirt', 'community.general.ovirt'],
  testgroup: ['testns.testcoll.testgroup', 'testns.testcoll.anothergroup', 'testns.boguscoll.testgroup'],
  testlegacy: [],
  vmware: ['community.vmware.vmware'],
}

/** Members that are modules of no collection. */
const BUILTIN_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  testgroup: ['ansible.builtin.ping'],
  testlegacy: ['ansible.legacy.legacy_ping'],
}

const FULL_NAME = /^(\w+\.\w+)\.([\w.]+)$/

/** `aws` → `ansible.builtin.aws`; full names stay. */
export const groupName = (name: string): string => (FULL_NAME.test(name) ? name : `ansible.builtin.${name}`)

/** The group with everything it extends; undefined where nobody has it. `near`: collections beside the playbook, looked in first. */
export function actionGroup(name: string, context: LoadContext, near: readonly string[] = []): ActionGroup | undefined {
  const full = groupName(name)
  const known = memoOf(context)
  const key = `${near.join('\0')}\0${full}`
  if (!known.has(key)) known.set(key, new Reader(context, near).group(full))
  return known.get(key)
}

const memos = new WeakMap<LoadContext['module'], Map<string, ActionGroup | undefined>>()

function memoOf({ module }: LoadContext): Map<string, ActionGroup | undefined> {
  const memo = memos.get(module) ?? new Map<string, ActionGroup | undefined>()
  memos.set(module, memo)
  return memo
}

class Reader {
  readonly #context: LoadContext
  readonly #near: readonly string[]
  /** groups met on the way: one may extend another that extends it */
  readonly #met = new Map<string, Set<string>>()

  constructor(context: LoadContext, near: readonly string[]) {
    this.#context = context
    this.#near = near
  }

  group(full: string): ActionGroup | undefined {
    const actions = this.#members(full)
    return actions && { name: full, actions }
  }

  #members(full: string): Set<string> | undefined {
    const met = this.#met.get(full)
    if (met) return met
    const [, collection = '', short = ''] = FULL_NAME.exec(full) ?? []
    const written = collection === 'ansible.builtin' ? builtin(short) : this.#written(collection, full, short)
    if (!written) return undefined
    const members = new Set<string>()
    this.#met.set(full, members)
    for (const member of written.actions) members.add(inCollection(member, collection))
    for (const other of written.extend) for (const action of this.#members(inCollection(other, collection)) ?? []) members.add(action)
    return members
  }

  #written(collection: string, full: string, short: string): Written | undefined {
    const groups = this.#groups(collection)
    const list = groups?.get(full) ?? groups?.get(short)
    return Array.isArray(list) ? writtenGroup(full, list, this.#context) : undefined
  }

  #groups(collection: string): Map<Raw, Raw> | undefined {
    const paths = [...this.#near, ...this.#context.collectionsPaths]
    const file = collectionFolders(collection, paths)
      .flatMap((folder) => ['yml', 'yaml'].map((ending) => join(folder, 'meta', `runtime.${ending}`)))
      .find((path) => kindOf(path) === 'file')
    const node = file === undefined ? undefined : readDocument(file, this.#context.documents)
    const runtime = node && nodeToRaw(node, this.#context.documents)
    const groups = runtime instanceof Map ? runtime.get('action_groups') : undefined
    return groups instanceof Map ? groups : undefined
  }
}

const inCollection = (name: string, collection: string): string => (FULL_NAME.test(name) ? name : `${collection}.${name}`)

interface Written {
  readonly actions: readonly string[]
  readonly extend: readonly string[]
}

function builtin(short: string): Written | undefined {
  const extend = Object.hasOwn(BUILTIN, short) ? BUILTIN[short] : undefined
  return extend && { actions: (Object.hasOwn(BUILTIN_ACTIONS, short) && BUILTIN_ACTIONS[short]) || [], extend }
}

function writtenGroup(name: string, list: readonly Raw[], context: LoadContext): Written {
  const actions = list.filter((one) => typeof one === 'string')
  let extend: readonly string[] = []
  let found = false
  for (const one of list) {
    if (!(one instanceof Map)) continue
    const wrong = wrongMetadata(one, found)
    if (wrong.length > 0 && context.validateGroups !== false)
      context.warn([`Invalid metadata was found for action_group ${name} while loading module_defaults.`, ...wrong].join(' '))
    const metadata = one.get('metadata')
    if (!(metadata instanceof Map)) continue
    found = true
    const said = metadata.get('extend_group') ?? []
    extend = (Array.isArray(said) ? said : [said]).filter((group) => typeof group === 'string')
  }
  return { actions, extend }
}

/** What is wrong with the entry of a group that is no module. */
function wrongMetadata(one: ReadonlyMap<Raw, Raw>, found: boolean): string[] {
  const keys = [...one.keys()].map(String).sort()
  if (keys.join() !== 'metadata') return [`The only expected key is metadata, but got keys: ${keys.join(', ')}`]
  const metadata = one.get('metadata')
  const wrong = found ? ['The group contains multiple metadata entries.'] : []
  if (!(metadata instanceof Map)) return [...wrong, `The metadata is not a dictionary. Got ${pythonText(metadata)}`]
  const unexpected = [...metadata.keys()].map(String).filter((key) => key !== 'extend_group')
  if (unexpected.length > 0) wrong.push(`The metadata contains unexpected keys: ${unexpected.join(', ')}`)
  const extend = metadata.get('extend_group')
  if (extend !== undefined && typeof extend !== 'string' && !Array.isArray(extend))
    wrong.push(`The metadata contains unexpected key types: extend_group is ${pythonText(extend)} (expected type list)`)
  return wrong
}

function pythonText(raw: Raw | undefined): string {
  if (Array.isArray(raw)) return `[${raw.map(pythonText).join(', ')}]`
  if (raw instanceof Map) return `{${[...raw].map(([key, value]) => `${pythonText(key)}: ${pythonText(value)}`).join(', ')}}`
  return typeof raw === 'string' ? `'${raw}'` : String(raw)
}

/** A group that nobody has is a mistake. */
export function requireGroup(name: string, context: LoadContext, near: readonly string[]): string | undefined {
  try {
    if (actionGroup(name, context, near)) return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message
  }
  return `Error loading module_defaults: could not resolve the module_defaults group ${groupName(name)}`
}

export const builtinGroups = (): string[] => Object.keys(BUILTIN)
