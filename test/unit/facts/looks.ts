/** Looks put together from files and commands, as a probe would have printed them. */
import { Look } from '../../../src/facts/index.ts'

export interface Parts {
  readonly files?: Readonly<Record<string, string>>
  readonly commands?: Readonly<Record<string, string>>
  readonly exists?: readonly string[]
  readonly sections?: Readonly<Record<string, string>>
}

export function lookOf({ files = {}, commands = {}, exists = [], sections = {} }: Parts): Look {
  const all = [
    ...Object.entries(files).map(([path, text]) => [`f:${path}`, text]),
    ...Object.entries(commands).map(([name, text]) => [`c:${name}`, text]),
    ...[...exists, ...Object.keys(files)].map((path) => [`e:${path}`, '']),
    ...Object.entries(sections),
  ]
  return new Look(all.map(([name, text]) => `\u001e${name}\n${text}\n`).join(''))
}
