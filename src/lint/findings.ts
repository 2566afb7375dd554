/** What a check finds: a problem with its place, and which check it was. */
import { Problem, type Span } from '../base/index.ts'

export type Check = 'undefined' | 'unreachable' | 'unused-handler' | 'deprecated'

export interface Finding {
  readonly check: Check
  readonly problem: Problem
}

export const finding = (check: Check, message: string, span: Span | undefined, hint?: string): Finding => ({
  check,
  problem: new Problem(`${message} [${check}]`, { kind: 'playbook', span, hint }),
})
