/** Finds the items of a task's loop and what each of them is called. */
import { isFinished, OMIT, own, Problem, type Raw, type Span, Tuple, type Value } from '../base/index.ts'
import type { Loop, Task } from '../playbook/index.ts'
import { keyError, type Templar } from '../template/index.ts'
import type { LayeredScope } from '../vars/index.ts'
import { type FieldKind, fieldValue } from './field-values.ts'

export interface Items {
  readonly values: readonly Value[]
  readonly fromHost: boolean
  /** the items as they stand in the task, where it has a list of them */
  readonly written?: readonly Raw[] | undefined
}

/** The items; undefined where the task does not loop. */
export function loopItems(task: Task, scope: LayeredScope, templar: Templar): Items | undefined {
  const { loop } = task
  if (!loop) return undefined
  return loop.with === 'loop' ? plainItems(loop, scope, templar) : lookupItems(loop, scope, templar)
}

function plainItems(loop: Loop, scope: LayeredScope, templar: Templar): Items {
  const { value, fromHost } = templar.renderWithOrigin(loop.value, scope)
  if (!Array.isArray(value)) {
    throw new Problem(`Invalid data passed to 'loop', it requires a list, got this instead: ${templar.text(value)}.`, {
      kind: 'template',
      span: loop.span,
      hint: 'if you passed a list or dict of just one element, try adding wantlist=True to the lookup or use query instead',
    })
  }
  const written = Array.isArray(loop.value) && loop.value.length === value.length ? loop.value : undefined
  return { values: value.map(withoutTuples), fromHost, written }
}

function lookupItems(loop: Loop, scope: LayeredScope, templar: Templar): Items {
  const tolerant = loop.with === 'first_found' || loop.with === 'ansible.builtin.first_found'
  const terms = tolerant ? tolerantTerms(loop.value, scope, templar) : templar.render(loop.value, scope, { strict: true })
  const list = Array.isArray(terms) ? terms : terms instanceof Map ? ofDict(loop, terms) : [terms]
  return { values: templar.lookup(loop.with, list, scope).map(withoutTuples), fromHost: true }
}

/**
 * Lookups that give nothing but their terms in another order: what stands in the playbook is still its people's then. Ansible since 2.14.12 takes all that
 * a lookup gives for a stranger's, and refuses conditions made of it, such as Kubespray's before its release 2.24.
 */
const REARRANGING = new Set(
  'items list flattened dict indexed_items together nested sequence subelements random_choice'
    .split(' ')
    .flatMap((name) => [name, `ansible.builtin.${name}`]),
)

/** Are the items written out in the playbook, so that nobody else had a say in them? */
export const isWrittenOut = ({ value, with: how }: Loop): boolean => REARRANGING.has(how) && isFinished(value)

const WANT_LISTS = ['list', 'indexed_items', 'flattened']
const TAKE_KEYS = ['items', 'together', 'nested']

/** Lookups that take a term of a dict as if it were a list: they find what stands under the number. */
const OF_DICT: Readonly<Record<string, (terms: ReadonlyMap<Value, Value>, span: Span) => Value[]>> = {
  random_choice: (terms, span) => {
    const at = Math.floor(Math.random() * terms.size)
    const found = terms.get(at)
    if (found === undefined && terms.size > 0) throw new Problem(`Unable to choose random term: ${at}`, { kind: 'template', span })
    return found === undefined ? [] : [found]
  },
  subelements: (terms, span) => {
    if (terms.has(0)) return []
    throw new Problem('0', { kind: 'template', span, cause: keyError('0') })
  },
}

/** A dict where a list is expected: some lookups refuse it, some take its keys for their terms, to the others it is the one term. */
function ofDict({ with: written, span }: Loop, terms: Map<Value, Value>): Value[] {
  const name = written.replace(/^ansible\.builtin\./, '')
  const special = own(OF_DICT, name)
  if (special) return special(terms, span)
  if (WANT_LISTS.includes(name)) throw new Problem(`with_${name} expects a list`, { kind: 'template', span })
  return TAKE_KEYS.includes(name) ? [...terms.keys()] : [terms]
}

/** Tuples are lists once they are in a variable. */
function withoutTuples(value: Value): Value {
  if (value instanceof Tuple) return value.items.map(withoutTuples)
  if (Array.isArray(value)) return value.map(withoutTuples)
  return value instanceof Map ? new Map([...value].map(([k, v]) => [k, withoutTuples(v)])) : value
}

/** first_found's terms may name what is not defined: such a term is left as it was written. */
function tolerantTerms(raw: Raw, scope: LayeredScope, templar: Templar): Value {
  return templar.render(raw, scope, { strict: false })
}

/** loop_control, rendered once for a loop. */
export interface Control {
  readonly loopVar: string
  readonly indexVar: string | undefined
  readonly pause: number
  readonly extended: boolean
  readonly allitems: boolean
}

export function loopControl(loop: Loop, scope: LayeredScope, templar: Templar): Control {
  const { control } = loop
  const value = (raw: Raw | undefined): Value | undefined => {
    const v = raw === undefined ? undefined : templar.render(raw, scope)
    return v === OMIT || v === null ? undefined : v
  }
  const field = <K extends FieldKind>(kind: K, name: string, raw: Raw | undefined) => {
    const given = value(raw)
    return given === undefined ? undefined : fieldValue(kind, name, raw!, given, templar)
  }
  return {
    loopVar: templar.text(value(control.loopVar) ?? 'item'),
    indexVar: value(control.indexVar) === undefined ? undefined : templar.text(value(control.indexVar)!),
    pause: field('float', 'pause', control.pause) ?? 0,
    extended: field('bool', 'extended', control.extended) ?? false,
    allitems: field('bool', 'extended_allitems', control.extendedAllitems) ?? true,
  }
}

/** The variables that one item brings. */
export function itemVariables(control: Control, values: readonly Value[], index: number): Map<string, Value> {
  const out = new Map<string, Value>([
    ['ansible_loop_var', control.loopVar],
    [control.loopVar, values[index] ?? null],
  ])
  if (control.indexVar !== undefined) {
    out.set('ansible_index_var', control.indexVar)
    out.set(control.indexVar, index)
  }
  if (control.extended) out.set('ansible_loop', extendedLoop(control, values, index))
  return out
}

function extendedLoop(control: Control, values: readonly Value[], index: number): Value {
  const { length } = values
  const out = new Map<Value, Value>([
    ['index', index + 1],
    ['index0', index],
    ['first', index === 0],
    ['last', index + 1 === length],
    ['length', length],
    ['revindex', length - index],
    ['revindex0', length - index - 1],
  ])
  if (control.allitems) out.set('allitems', [...values])
  if (index + 1 < length) out.set('nextitem', values[index + 1]!)
  if (index > 0) out.set('previtem', values[index - 1]!)
  return out
}
