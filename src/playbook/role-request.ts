/** The arguments of import_role and include_role → what is asked of the role. */
import { type Raw, Template } from '../base/index.ts'
import { mistake } from './findings.ts'
import type { Action } from './model.ts'

/** The same as RoleRequest, its texts not rendered yet. */
export interface RawRoleRequest {
  readonly name: Raw
  readonly tasksFrom: Raw | undefined
  readonly varsFrom: Raw | undefined
  readonly defaultsFrom: Raw | undefined
  readonly handlersFrom: Raw | undefined
  readonly public: Raw | undefined
  readonly allowDuplicates: Raw | undefined
  readonly rolespecValidate: Raw | undefined
}

const FROM = ['tasks_from', 'vars_from', 'defaults_from', 'handlers_from']
const KNOWN = new Set(['name', 'role', ...FROM, 'apply', 'public', 'allow_duplicates', 'rolespec_validate'])

/** Checks the arguments; throws the first mistake. */
export function roleRequest({ args, name: action, span }: Action): RawRoleRequest {
  if (args instanceof Template) throw mistake(`${action} must name its role here`, span)
  const name = args.get('name') ?? args.get('role')
  if (name === undefined || name === null) throw mistake(`${action} names no role`, span, { hint: "it needs the parameter 'name'" })
  for (const key of args.keys())
    if (!KNOWN.has(key)) throw mistake(`Invalid options for ${action}: ${key}`, span, { hint: `it has ${[...KNOWN].join(', ')}` })
  for (const key of FROM) {
    const value = args.get(key)
    if (value !== undefined && typeof value !== 'string' && !(value instanceof Template))
      throw mistake(
        `Expected a string for ${key} but got ${Array.isArray(value) ? 'a list' : value instanceof Map ? 'a dict' : `the value ${String(value)}`} instead`,
        span,
      )
  }
  return {
    name,
    tasksFrom: args.get('tasks_from'),
    varsFrom: args.get('vars_from'),
    defaultsFrom: args.get('defaults_from'),
    handlersFrom: args.get('handlers_from'),
    public: args.get('public'),
    allowDuplicates: args.get('allow_duplicates'),
    rolespecValidate: args.get('rolespec_validate'),
  }
}
