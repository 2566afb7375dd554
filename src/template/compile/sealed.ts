/** A variable's opened value and the variable as written → the value with its sealed texts sealed again, as YAML is to show them. */
import { type Raw, type Value, Vaulted } from '../../base/index.ts'
import { SealedText } from '../python/index.ts'
import type { Evaluate, Run } from '../run/model.ts'
import { writtenAt } from '../run/text-origin.ts'
import type { Expression } from '../syntax/ast.ts'
import type { CompileScope } from './scope.ts'
import { type ExpressionSource, placeOf } from './text-class.ts'

/** Filters that write sealed texts as they are. */
export const SHOWS_SEALED: ReadonlySet<string> = new Set('to_yaml to_nice_yaml'.split(' ').flatMap((n) => [n, `ansible.builtin.${n}`]))

/** Filters that open sealed texts themselves, with a secret of their own. */
export const OPENS_SEALED: ReadonlySet<string> = new Set(['unvault', 'ansible.builtin.unvault'])

/** A variable's sealed text where it is one, else its value: nothing is opened for it. */
export const stillSealed =
  (written: ((run: Run) => Raw | undefined) | undefined, value: Evaluate): Evaluate =>
  (run) => {
    const raw = written?.(run)
    return raw instanceof Vaulted ? raw.ciphertext : value(run)
  }

/** What was written where the expression leads to; undefined where it is no variable, nor a member of one. */
export function writtenIn(source: ExpressionSource, node: Expression, scope: CompileScope): ((run: Run) => Raw | undefined) | undefined {
  const place = placeOf(source, node, scope)
  if (!place) return undefined
  return (run) => {
    const keys = place.keys.map((key) => key(run))
    return writtenAt(run, place.name, keys)
  }
}

/** The same object where nothing in it was sealed. */
export function sealedAgain(value: Value, raw: Raw | undefined): Value {
  if (raw instanceof Vaulted) return typeof value === 'string' ? new SealedText(raw.ciphertext) : value
  if (Array.isArray(raw) && Array.isArray(value)) return listAgain(value, raw)
  return raw instanceof Map && value instanceof Map ? dictAgain(value, raw) : value
}

function listAgain(value: Value[], raw: readonly Raw[]): Value[] {
  const made = value.map((item, i) => sealedAgain(item, raw[i]))
  return made.some((item, i) => item !== value[i]) ? made : value
}

function dictAgain(value: Map<Value, Value>, raw: ReadonlyMap<Raw, Raw>): Map<Value, Value> {
  let same = true
  const made = new Map<Value, Value>()
  for (const [key, item] of value) {
    const now = sealedAgain(item, raw.get(key))
    if (now !== item) same = false
    made.set(key, now)
  }
  return same ? value : made
}
