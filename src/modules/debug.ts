/** debug: shows a message or a variable. */
import { Problem, type Value } from '../base/index.ts'
import { fallback, int, raw } from '../params/index.ts'
import { defineModule, type Host, ModuleFailure } from './api.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.debug',
  takesAsync: false,
  summary: 'Shows a message or a variable.',
  controllerOnly: true,
  params: { msg: raw(), var: raw(), verbosity: fallback(int(), 0) },
  async *run(args, host) {
    if (args.msg !== undefined && args.var !== undefined) throw new ModuleFailure("'msg' and 'var' are incompatible options")
    if (args.verbosity > host.verbosity) return { skipped: true, skipped_reason: 'Verbosity threshold not met.', changed: false }
    if (args.var !== undefined)
      return { [keyOf(args.var)]: inResult(shownValue(args.var, host)), changed: false, _ansible_verbose_always: true }
    return {
      msg: inResult(shownMessage(args.msg, host)) as never,
      changed: false,
      _ansible_verbose_always: true,
    }
  },
})

/** A message that is null shows as null; only where there is none does one of its own. */
function shownMessage(given: Value | undefined, { task }: Host): Value {
  return given ?? (task.rawArgs.has('msg') ? task.rawArgs.get('msg')! : 'Hello world!')
}

/** A list or a dict that was put in as `var` shows under its type. */
function keyOf(value: Value): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? "<class 'list'>" : value instanceof Map ? "<class 'dict'>" : String(value)
}

/** Text is an expression; anything else shows as it is, and a host's words show as the expression that they do not become. */
function shownValue(value: Value, host: Host): Value {
  if (typeof value !== 'string') return value
  if (host.task.fromHost?.('var')) return `{{${value}}}`
  try {
    return host.controller.expression(value)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'undefined') throw error
    return `VARIABLE IS NOT DEFINED!${host.verbosity > 0 ? `: ${error.message}` : ''}`
  }
}
