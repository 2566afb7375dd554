/** Says when an object of a cluster has become what its kind is meant to become, and waits for it. */
import type { Dict, Json, Value } from '../../base/index.ts'
import { choice, dictOf, str } from '../../params/index.ts'
import type { Host } from '../api.ts'
import { type Connection, type KubeObject, objectOf } from './connection.ts'
import { listObjects, type Query, type Resource } from './resources.ts'

export const waitCondition = dictOf(
  {
    reason: str({ description: 'its reason' }),
    status: choice(['True', 'False', 'Unknown'], 'True', { description: 'its status' }),
    type: str({ description: 'its type' }),
  },
  { description: "a condition of the object's status to wait for" },
)

export interface Waiting {
  readonly wait_condition?: Dict | undefined
  readonly wait_sleep: number
  readonly wait_timeout: number
}

export interface Waited {
  readonly ok: boolean
  readonly found: readonly KubeObject[]
  /** seconds */
  readonly duration: number
}

export type Ready = (object: KubeObject) => boolean

/** Asks until all objects that are found are ready (`absent`: until none is found), or the time is over. */
export async function waitFor(
  host: Host,
  connection: Connection,
  resource: Resource,
  query: Query,
  waiting: Waiting,
  until: Ready | 'absent',
): Promise<Waited> {
  const start = host.now().getTime()
  const seconds = (): number => Math.floor((host.now().getTime() - start) / 1000)
  for (;;) {
    const found = await listObjects(host, connection, resource, query)
    const ok = until === 'absent' ? found.length === 0 : found.length > 0 && found.every(until)
    if (ok || seconds() >= waiting.wait_timeout) return { ok, found, duration: seconds() }
    await host.sleep(waiting.wait_sleep)
  }
}

/** What ready means: the condition that is asked for, or what the kind knows. */
export function readiness(kind: string, condition: Dict | undefined): Ready {
  const type = condition?.get('type')
  if (condition && typeof type === 'string')
    return (object) => meets(object, type, condition.get('status') ?? 'True', condition.get('reason'))
  return READY[kind] ?? (() => true)
}

function meets(object: KubeObject, type: string, status: Value, reason: Value | undefined): boolean {
  const conditions = objectOf(object['status'])['conditions']
  const match = (Array.isArray(conditions) ? conditions : []).map(objectOf).find((one) => one['type'] === type)
  if (!match || match['status'] !== status) return false
  return reason === undefined || reason === null || match['reason'] === reason
}

const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0)

const statusOf = (object: KubeObject): KubeObject => objectOf(object['status'])
const specOf = (object: KubeObject): KubeObject => objectOf(object['spec'])
const seen = (object: KubeObject): boolean =>
  number(statusOf(object)['observedGeneration']) === number(objectOf(object['metadata'])['generation'])

const READY: Readonly<Record<string, Ready>> = {
  Deployment: (object) => {
    const [status, wanted] = [statusOf(object), number(specOf(object)['replicas'])]
    return (
      seen(object) &&
      ['updatedReplicas', 'availableReplicas', 'replicas'].every((key) => number(status[key]) === wanted) &&
      !status['unavailableReplicas']
    )
  },
  DaemonSet: (object) => {
    const status = statusOf(object)
    const wanted = status['desiredNumberScheduled']
    return (
      typeof wanted === 'number' &&
      seen(object) &&
      number(status['updatedNumberScheduled']) === wanted &&
      number(status['numberReady']) === wanted &&
      !status['numberUnavailable']
    )
  },
  StatefulSet: (object) => {
    const [status, wanted] = [statusOf(object), number(specOf(object)['replicas'])]
    return (
      seen(object) &&
      status['updateRevision'] === status['currentRevision'] &&
      ['updatedReplicas', 'readyReplicas', 'replicas'].every((key) => number(status[key]) === wanted)
    )
  },
  Pod: (object) => {
    const containers = statusOf(object)['containerStatuses']
    return Array.isArray(containers) && containers.every((one) => objectOf(one)['ready'] === true)
  },
}
