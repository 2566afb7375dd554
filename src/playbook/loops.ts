/** `loop`, `with_NAME` and `loop_control` as written → a loop. */
import type { Entry, MappingNode } from '../documents/index.ts'
import { entry, nodeToRaw } from '../documents/index.ts'
import type { Loop, LoopControl } from './model.ts'
import { checkKeywords, conditions, firstTwo, nodeOf, type Reading, rawOf } from './written.ts'

export const isLookupLoop = (key: string, { context }: Reading): boolean =>
  key.startsWith('with_') && context.templar.hasLookup(key.slice(5))

/** The loop of a task; more than one is a mistake. */
export function readLoop(task: MappingNode, reading: Reading): Loop | undefined {
  const { findings, context } = reading
  const [first, second] = firstTwo(task, ({ key, value }) => {
    const name = String(key.value)
    return isLookupLoop(name, reading) || (name === 'loop' && !isNothing(value))
  })
  if (!first) return undefined
  const name = String(first.key.value)
  if (second) findings.report(`a task loops once: ${name} and ${String(second.key.value)} cannot stand together`, second.key.span)
  if (isNothing(first.value)) findings.report(`${name} needs something to loop over`, first.key.span)
  return {
    with: name === 'loop' ? 'loop' : name.slice(5),
    value: nodeToRaw(first.value, context.documents),
    span: first.value.span,
    control: readControl(task, reading),
  }
}

const isNothing = (value: Entry['value']): boolean => value.kind === 'scalar' && value.value === null

function readControl(task: MappingNode, reading: Reading): LoopControl {
  const control = entry(task, 'loop_control')?.value
  if (control?.kind !== 'mapping') {
    if (control) reading.findings.report('loop_control must be a dict written out here; only its values can be templates', control.span)
    return NO_CONTROL
  }
  checkKeywords(control, 'loop_control', reading)
  const breakWhen = nodeOf(control, 'break_when')
  return {
    loopVar: rawOf(control, 'loop_var', reading),
    indexVar: rawOf(control, 'index_var', reading),
    label: rawOf(control, 'label', reading),
    pause: rawOf(control, 'pause', reading),
    extended: rawOf(control, 'extended', reading),
    extendedAllitems: rawOf(control, 'extended_allitems', reading),
    ...(breakWhen && { breakWhen: conditions(breakWhen, reading) }),
  }
}

const NO_CONTROL: LoopControl = {
  ...{ loopVar: undefined, indexVar: undefined, label: undefined, pause: undefined },
  ...{ extended: undefined, extendedAllitems: undefined },
}
