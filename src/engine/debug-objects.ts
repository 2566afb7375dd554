/** What stands for Ansible's objects in the debugger: the task, the host, the result. */
import type { Value } from '../base/index.ts'
import { PyObject } from '../template/index.ts'
import { isTrue, type Outcome } from './outcome.ts'

class Method extends PyObject {
  readonly typeName = 'method'
  readonly #body: () => Value

  constructor(body: () => Value) {
    super()
    this.#body = body
  }

  override call(): Value {
    return this.#body()
  }
}

/** The task: its keywords are attributes, which may be set. */
export class TaskObject extends PyObject {
  readonly typeName = 'Task'
  readonly fields: Map<Value, Value>
  readonly #printed: string
  readonly #title: string

  constructor(printed: string, title: string, fields: Map<Value, Value>) {
    super()
    this.fields = fields
    this.#printed = printed
    this.#title = title
  }

  get args(): Map<Value, Value> {
    return this.fields.get('args') as Map<Value, Value>
  }

  set args(args: Map<Value, Value>) {
    this.fields.set('args', args)
  }

  override repr(): string {
    return this.#printed
  }

  override attribute(name: string): Value | undefined {
    return name === 'get_name' ? new Method(() => this.#title) : this.fields.get(name)
  }
}

export class HostObject extends PyObject {
  readonly typeName = 'Host'
  readonly #name: string

  constructor(name: string) {
    super()
    this.#name = name
  }

  override repr(): string {
    return this.#name
  }

  override attribute(name: string): Value | undefined {
    if (name === 'get_name') return new Method(() => this.#name)
    return name === 'name' || name === 'address' ? this.#name : undefined
  }
}

/** The result, under `_result`; and what it comes to. */
export class ResultObject extends PyObject {
  readonly typeName = 'TaskResult'
  readonly #outcome: Outcome

  constructor(outcome: Outcome) {
    super()
    this.#outcome = outcome
  }

  override attribute(name: string): Value | undefined {
    const { status, result } = this.#outcome
    if (name === '_result') return result as Value
    const answers: Readonly<Record<string, boolean>> = {
      is_changed: isTrue(result, 'changed'),
      is_failed: status === 'failed',
      is_skipped: status === 'skipped',
      is_unreachable: status === 'unreachable',
    }
    const answer = answers[name]
    return answer === undefined ? undefined : new Method(() => answer)
  }
}
