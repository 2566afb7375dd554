/** The local names of a running template: one frame for each scope, its places numbered when the template is compiled. */
import type { Value } from '../../base/index.ts'

export interface Frame {
  readonly names: readonly string[]
  readonly slots: (Value | undefined)[]
  readonly parent: Frame | undefined
}

export const newFrame = (names: readonly string[], parent: Frame | undefined): Frame => ({ names, slots: new Array(names.length), parent })

/** The value of a local name, innermost first. */
export function findLocal(frame: Frame | undefined, name: string): Value | undefined {
  for (let f = frame; f; f = f.parent) {
    const at = f.names.indexOf(name)
    if (at !== -1 && f.slots[at] !== undefined) return f.slots[at]
  }
  return undefined
}

/** Every local name with its value, as an included template sees them. */
export function collectLocals(frame: Frame | undefined): Map<string, Value> {
  const locals = new Map<string, Value>()
  for (let f = frame; f; f = f.parent) {
    f.names.forEach((name, at) => {
      const value = f.slots[at]
      if (value !== undefined && !locals.has(name)) locals.set(name, value)
    })
  }
  return locals
}
