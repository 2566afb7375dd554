export type { Become } from './api.ts'
export { recognise, type Said } from './recognise.ts'
export { asksOnTerminal, becomeCommand, becomeMethods, promptOf, successOf } from './rewrite.ts'
