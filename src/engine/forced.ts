/** force_handlers: the flush at the end of a section becomes the `always` of a block around it, so that hosts that failed run their handlers, too. */
import type { Block, Step } from '../playbook/index.ts'
import { isMeta } from './walk.ts'

const isFlush = (step: Step | undefined): boolean => step?.kind === 'task' && step.implicit && isMeta(step, 'flush_handlers')

/** Sections with a flush after each → blocks that flush always. */
export function flushingAlways(steps: readonly Block[]): Block[] {
  const out: Block[] = []
  let section: Block[] = []
  for (const step of steps) {
    if (!isFlush(step.block[0])) section.push(step)
    else {
      out.push({ ...step, block: section, rescue: [], always: step.block })
      section = []
    }
  }
  return [...out, ...section]
}
