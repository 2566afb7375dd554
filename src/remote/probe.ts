/** A question to a host: a script that prints fields, and the reader of those fields. Several become one script, one round trip. */
import { Fields } from './fields.ts'
import { joinScripts, type Script } from './script.ts'

export interface Probe<T> {
  readonly script: Script
  read(fields: Fields): T
}

export type Answers<P extends Readonly<Record<string, Probe<unknown>>>> = {
  readonly [K in keyof P]: P[K] extends Probe<infer T> ? T : never
}

/** Several questions as one. They are asked, and answered, in the order of the keys. */
export function together<const P extends Readonly<Record<string, Probe<unknown>>>>(probes: P): Probe<Answers<P>> {
  return {
    script: joinScripts(Object.values(probes).map((p) => p.script)),
    read: (fields) => Object.fromEntries(Object.entries(probes).map(([key, probe]) => [key, probe.read(fields)])) as Answers<P>,
  }
}

/** The same question of many things. */
export function each<T>(probes: readonly Probe<T>[]): Probe<T[]> {
  return { script: joinScripts(probes.map((p) => p.script)), read: (fields) => probes.map((p) => p.read(fields)) }
}

export const answerOf = <T>(probe: Probe<T>, stdout: Uint8Array): T => probe.read(new Fields(stdout))
