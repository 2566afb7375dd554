/** What a person types in the debugger → what it does: an expression, an assignment or a deletion, as far as templates and Python speak alike. */
import { own, Problem, Tuple, type Value } from '../base/index.ts'
import { PyObject, pythonCause, type Scope, type Templar, Undefined } from '../template/index.ts'
import { TaskObject } from './debug-objects.ts'

/** An error in Python's words: its class and its text. */
class PythonError extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message)
  }
}

/** Functions of Python that are of use here, by the filter that does the same. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  bool: 'bool',
  dict: 'items2dict',
  int: 'int',
  len: 'length',
  list: 'list',
  sorted: 'sort',
  str: 'string',
  type: 'type_debug',
}

export class DebugLanguage {
  readonly #templar: Templar
  readonly #names: (name: string) => Value | undefined
  readonly #locals = new Map<string, Value>()

  constructor(templar: Templar, names: (name: string) => Value | undefined) {
    this.#templar = templar
    this.#names = names
  }

  /** What the work gives to be shown; an error becomes a line such as `***NameError:NameError("name 'x' is not defined")`. */
  guarded(work: () => string | undefined): string | undefined {
    try {
      return work()
    } catch (error) {
      if (error instanceof PythonError) return `***${error.type}:${error.type}(${this.#repr(error.message)})`
      if (error instanceof Problem) return `***AnsibleError:AnsibleError(${this.#repr(error.message)})`
      throw error
    }
  }

  /** An expression's value, laid out over as many lines as it needs. */
  pretty(expression: string): string {
    return this.#templar.text(this.#apply('pprint', this.#evaluate(expression)))
  }

  /** A statement; an expression's value is shown unless it is None. */
  execute(text: string): string | undefined {
    const deleted = /^del\s+(.+)$/.exec(text)
    if (deleted) for (const target of splitTop(deleted[1]!, ',')) this.#delete(target.trim())
    if (deleted) return undefined
    const assigned = assignment(text)
    if (!assigned) {
      const value = this.#evaluate(text)
      return value === null ? undefined : this.#repr(value)
    }
    const { target, operator, expression } = assigned
    this.#assign(target, this.#evaluate(operator === '' ? expression : `(${target}) ${operator} (${expression})`))
    return undefined
  }

  #repr(value: Value): string {
    return this.#templar.text([value]).slice(1, -1)
  }

  #apply(filter: string, value: Value): Value {
    return this.#value(`value | ${filter}`, (name) => (name === 'value' ? value : undefined))
  }

  #evaluate(text: string): Value {
    const parts = splitTop(text, ',')
    if (parts.length > 1 && text.trim() !== '')
      return new Tuple(parts.filter((part) => part.trim() !== '').map((part) => this.#single(part)))
    return this.#single(text)
  }

  #single(text: string): Value {
    try {
      return this.#value(text.trim(), (name) => this.#locals.get(name) ?? this.#names(name) ?? this.#function(name))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      throw pythonError(error, text)
    }
  }

  /** The value itself, not what a template would make of it: a function takes it on the way. */
  #value(expression: string, names: (name: string) => Value | undefined): Value {
    let taken: Value | undefined
    const take = new Filter('take', (value) => {
      taken = value
      return null
    })
    this.#templar.expression(
      `take(${expression}\n)`,
      scopeOf((name) => (name === 'take' ? take : names(name))),
    )
    if (taken === undefined || !(taken instanceof Undefined)) return taken ?? null
    return this.#templar.expression(expression, scopeOf(names))
  }

  #function(name: string): Value | undefined {
    const filter = own(FUNCTIONS, name)
    return filter === undefined ? undefined : new Filter(name, (value) => this.#apply(filter, value))
  }

  #assign(target: string, value: Value): void {
    const { container, key } = this.#place(target)
    if (container === undefined) this.#locals.set(String(key), value)
    else if (container instanceof Map) container.set(key, value)
    else if (container instanceof TaskObject) container.fields.set(key, value)
    else if (Array.isArray(container) && typeof key === 'number') container[key < 0 ? container.length + key : key] = value
    else throw new PythonError('TypeError', 'this object does not support assignment')
  }

  #delete(target: string): void {
    const { container, key } = this.#place(target)
    if (container === undefined ? this.#locals.delete(String(key)) : container instanceof Map && container.delete(key)) return
    if (container === undefined) throw new PythonError('NameError', `name '${String(key)}' is not defined`)
    throw new PythonError('KeyError', String(key))
  }

  /** `a.b['c']` → what `a.b` is, and 'c'; a bare name stands in nothing. */
  #place(target: string): { readonly container: Value | undefined; readonly key: Value } {
    if (/^[A-Za-z_]\w*$/.test(target)) return { container: undefined, key: target }
    const attribute = /^(.+)\.([A-Za-z_]\w*)$/s.exec(target)
    if (attribute) return { container: this.#single(attribute[1]!), key: attribute[2]! }
    const open = target.endsWith(']') ? matchingBracket(target) : -1
    if (open <= 0) throw new PythonError('SyntaxError', 'cannot assign to expression here')
    return { container: this.#single(target.slice(0, open)), key: this.#single(target.slice(open + 1, -1)) }
  }
}

class Filter extends PyObject {
  readonly typeName = 'builtin_function_or_method'
  readonly #name: string
  readonly #body: (value: Value) => Value

  constructor(name: string, body: (value: Value) => Value) {
    super()
    this.#name = name
    this.#body = body
  }

  override call(args: Value[]): Value {
    return this.#body(args[0] ?? null)
  }

  override repr(): string {
    return `<built-in function ${this.#name}>`
  }
}

const scopeOf = (get: (name: string) => Value | undefined): Scope => ({
  get,
  has: (name) => get(name) !== undefined,
  names: () => [],
  fromHost: () => true,
})

/** The errors of templates in Python's words. */
function pythonError(problem: Problem, text: string): PythonError {
  const { message, kind } = problem
  if (kind === 'syntax') return new PythonError('SyntaxError', 'invalid syntax')
  const name = /^'(\w+)' is undefined/.exec(message)?.[1]
  if (name !== undefined) return new PythonError('NameError', `name '${name}' is not defined`)
  if (/^'?(?:list|tuple|str) object'? has no element/.test(message)) return new PythonError('IndexError', 'list index out of range')
  const missing = /^'?([\w ]+?)'? ?(?:object)?'? has no attribute '([^']*)'/.exec(message)
  const cause = pythonCause(problem)
  if (!missing) return new PythonError(cause?.type ?? 'TypeError', cause?.message ?? message)
  const [, type = '', key = ''] = missing
  if (/\[\s*['"]/.test(text) && !text.includes(`.${key}`)) return new PythonError('KeyError', key)
  return new PythonError('AttributeError', `'${type}' object has no attribute '${key}'`)
}

interface Assignment {
  readonly target: string
  readonly operator: string
  readonly expression: string
}

/** `target = expression`, `target += expression`; undefined where there is no `=` outside of brackets and texts. */
function assignment(text: string): Assignment | undefined {
  for (const at of topLevel(text)) {
    if (text[at] !== '=' || text[at + 1] === '=' || '=!<>'.includes(text[at - 1] ?? '')) continue
    const operator = /[-+*/%|]$/.exec(text.slice(0, at))?.[0] ?? ''
    return { target: text.slice(0, at - operator.length).trim(), operator, expression: text.slice(at + 1).trim() }
  }
  return undefined
}

function splitTop(text: string, separator: string): string[] {
  const out: string[] = []
  let from = 0
  for (const at of topLevel(text)) {
    if (text[at] !== separator) continue
    out.push(text.slice(from, at))
    from = at + 1
  }
  return [...out, text.slice(from)]
}

/** Offsets of characters that are in no bracket and no text. */
function* topLevel(text: string): Generator<number> {
  let depth = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    if (quote !== '') {
      if (c === '\\') at++
      else if (c === quote) quote = ''
    } else if (c === '"' || c === "'") quote = c
    else if ('([{'.includes(c)) depth++
    else if (')]}'.includes(c)) depth--
    else if (depth === 0) yield at
  }
}

/** Where the bracket opens that ends the text. */
function matchingBracket(text: string): number {
  let depth = 0
  let quote = ''
  let open = -1
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    if (quote !== '') {
      if (c === '\\') at++
      else if (c === quote) quote = ''
    } else if (c === '"' || c === "'") quote = c
    else if ('([{'.includes(c)) {
      if (depth++ === 0) open = at
    } else if (')]}'.includes(c)) depth--
  }
  return open
}
