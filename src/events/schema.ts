/** The JSON schema of events, as `--output jsonl` and journals write them: a line each. */
import type { Event } from './events.ts'

type Schema = { readonly [key: string]: unknown }

const text: Schema = { type: 'string' }
const yes: Schema = { type: 'boolean' }
const number: Schema = { type: 'number' }
const integer: Schema = { type: 'integer' }
const texts: Schema = { type: 'array', items: text }
const status: Schema = { enum: ['ok', 'changed', 'failed', 'skipped', 'unreachable'] }
const task: Schema = { $ref: '#/$defs/task' }
const result: Schema = { type: 'object', description: 'what the module returned, as Ansible spells it; under no_log only flags' }

/** An object with these members; those whose names end with `?` may be missing. Further members may come with later releases. */
function object(members: { readonly [name: string]: Schema }): Schema {
  const entries = Object.entries(members)
  return {
    type: 'object',
    required: entries.filter(([name]) => !name.endsWith('?')).map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  }
}

const message = { text, 'level?': integer }
const outcome = { task, host: text, status, result }

/** The members of each kind beside `kind` and `at`; a kind that is missing here does not compile. */
const KINDS: { readonly [K in Event['kind']]: { readonly [name: string]: Schema } } = {
  'run-start': { playbooks: texts, check: yes, diff: yes, version: text },
  'playbook-start': { path: text },
  'play-start': { id: text, name: text, hosts: texts, check: yes, strategy: text, 'place?': text },
  'no-hosts': { reason: { enum: ['matched', 'remaining'] } },
  'task-start': { task },
  'host-start': { task: text, host: text },
  item: { ...outcome, label: text, ignored: yes, 'delegatedTo?': text },
  retry: { task, host: text, left: integer, result, 'label?': text },
  'async-poll': { task, host: text, jobId: text, started: yes, finished: yes },
  'async-end': { task, host: text, jobId: text, failed: yes },
  result: { ...outcome, ignored: yes, looped: yes, 'delegatedTo?': text, seconds: number },
  included: { task, file: text, hosts: texts, 'label?': text, 'quiet?': yes },
  'include-result': { ...outcome, looped: yes },
  notified: { handler: text, host: text },
  'host-output': { task: text, host: text, stream: { enum: ['stdout', 'stderr'] }, text },
  warning: message,
  deprecation: message,
  verbose: message,
  error: message,
  say: { text },
  banner: { text },
  stats: { hosts: { type: 'object', additionalProperties: { $ref: '#/$defs/stats' } }, custom: { type: 'object' } },
  'run-end': { code: integer, interrupted: yes },
}

const at: Schema = { type: 'integer', description: 'milliseconds since the epoch' }

export const EVENT_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'An event of a run of tsspray',
  oneOf: Object.entries(KINDS).map(([kind, members]) => object({ kind: { const: kind }, at, ...members })),
  $defs: {
    task: object({
      id: { type: 'string', description: 'unique in the run' },
      name: text,
      action: text,
      'role?': text,
      'place?': { type: 'string', description: 'file:line:column' },
      isHandler: yes,
      'check?': yes,
      'tags?': texts,
      'args?': text,
    }),
    stats: object(
      Object.fromEntries(['ok', 'changed', 'unreachable', 'failures', 'skipped', 'rescued', 'ignored'].map((name) => [name, integer])),
    ),
  },
}
