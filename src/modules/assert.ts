/** assert: fails unless all conditions hold. */
import { type Json, Problem, type Value } from '../base/index.ts'
import { bool, fallback, raw, required } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.assert',
  takesAsync: false,
  optionsOfAction: true,
  summary: 'Fails unless all conditions hold.',
  controllerOnly: true,
  params: { that: required(raw()), fail_msg: raw({ aliases: ['msg'] }), success_msg: raw(), quiet: fallback(bool(), false) },
  async *run(args, host) {
    checkMessage('fail_msg or msg', args.fail_msg)
    checkMessage('success_msg', args.success_msg)
    const loud = args.quiet ? {} : { _ansible_verbose_always: true }
    for (const that of Array.isArray(args.that) ? args.that : [args.that as Value]) {
      if (host.controller.condition(that)) continue
      const msg = inResult(args.fail_msg ?? 'Assertion failed')
      throw new AssertionFailure(msg, { ...loud, evaluated_to: false, assertion: inResult(that) })
    }
    return { ...loud, changed: false, msg: inResult(args.success_msg ?? 'All assertions passed') as never }
  },
})

/** Messages may be lists; a result's msg then is one. */
class AssertionFailure extends ModuleFailure {
  constructor(msg: unknown, result: ConstructorParameters<typeof ModuleFailure>[1]) {
    super(Array.isArray(msg) ? msg.join('\n') : String(msg), result, msg as Json)
  }
}

const CLASSES: Readonly<Record<string, string>> = { boolean: 'bool', number: 'int', bigint: 'int' }

function checkMessage(name: string, message: Value | undefined): void {
  if (message === undefined || typeof message === 'string' || Array.isArray(message)) return
  throw new Problem(`Incorrect type for ${name}, expected a string or list and got <class '${CLASSES[typeof message] ?? 'dict'}'>`, {
    kind: 'run',
  })
}
