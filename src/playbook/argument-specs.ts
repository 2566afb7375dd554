/** The specification of a role's arguments → the task that checks them before the role's own tasks. */
import type { Raw, Span } from '../base/index.ts'
import { nodeToRaw } from '../documents/index.ts'
import { implicitTask } from './built.ts'
import { over } from './inherit.ts'
import type { Level, RoleUse } from './loading.ts'
import type { Task } from './model.ts'
import { argumentSpec } from './role-meta.ts'
import { nodeOf, textOf } from './written.ts'

export function argumentSpecTask({ role }: RoleUse, entryPoint: string, level: Level, at: Span): Task | undefined {
  const { session } = level.play
  const spec = argumentSpec(role.path, entryPoint, session)
  if (!spec) return undefined
  const about = textOf(nodeOf(spec, 'short_description'))
  const options = nodeOf(spec, 'options')
  const args = new Map<string, Raw>([
    ['argument_spec', options ? nodeToRaw(options, session.context.documents) : new Map()],
    ['provided_arguments', new Map<Raw, Raw>(role.params)],
    [
      'validate_args_context',
      new Map<Raw, Raw>([
        ['type', 'role'],
        ['name', role.collection ? role.name.slice(role.collection.length + 1) : role.name],
        ['argument_spec_name', entryPoint],
        ['path', role.path],
      ]),
    ],
  ])
  const name = `Validating arguments against arg spec '${entryPoint}'${about === undefined ? '' : ` - ${about}`}`
  return implicitTask(name, 'ansible.builtin.validate_argument_spec', args, level, at, over({ tags: ['always'] }, level.keywords))
}
