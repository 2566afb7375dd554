/** validate_argument_spec: fails unless arguments, and variables of the same names, are as a specification says. */
import { Problem, type Value } from '../base/index.ts'
import { checkArgs, className, paramsFromSpec, required, str } from '../params/index.ts'
import { defineModule, type Host, ModuleFailure } from './api.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.validate_argument_spec',
  takesAsync: false,
  summary: 'Checks arguments by a specification.',
  controllerOnly: true,
  // the specification is a dict, and comes with words about where it is from
  openArgs: true,
  params: {
    argument_spec: required(str({ description: 'options by name, each with its type and further rules' })),
    provided_arguments: str({ description: 'the arguments; variables of the same names count too' }),
  },
  async *run(_args, host) {
    const given = host.task.rawArgs
    const spec = given.get('argument_spec') as Value
    const provided = given.get('provided_arguments') ?? new Map()
    if (!(spec instanceof Map)) throw new ModuleFailure(`Incorrect type for argument_spec, expected dict and got ${className(spec)}`)
    if (!(provided instanceof Map))
      throw new ModuleFailure(`Incorrect type for provided_arguments, expected dict and got ${className(provided as Value)}`)
    const context = { validate_args_context: inResult(given.get('validate_args_context') ?? new Map()) }
    const values = new Map<string, Value>([...fromVariables(host, spec), ...(provided as Map<string, Value>)])
    const errors = checkArgs(paramsFromSpec(spec), undefined, values, '').problems.map((one) => one.message)
    if (errors.length === 0) return { ...context, changed: false, msg: 'The arg spec validation passed' }
    throw new ModuleFailure(`Validation of arguments failed:\n${errors.join('\n')}`, {
      ...context,
      argument_spec_data: inResult(spec),
      argument_errors: errors,
    })
  },
})

function fromVariables(host: Host, spec: ReadonlyMap<Value, Value>): [string, Value][] {
  return [...spec.keys()].flatMap((key): [string, Value][] => {
    const name = String(key)
    const value = known(() => host.controller.variable(name))
    return value === undefined ? [] : [[name, value]]
  })
}

/** A variable that cannot be rendered is told; one that is not there is none. */
function known<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) throw new ModuleFailure(error.message)
    throw error
  }
}
