/** Asks a host one question, or several at once, in one look. */
import { type Answers, answerOf, type Probe, together } from '../../remote/index.ts'
import type { Host } from '../api.ts'

export async function ask<T>(host: Host, probe: Probe<T>): Promise<T> {
  return answerOf(probe, (await host.look(probe.script)).stdout)
}

/** Several questions in one round trip. */
export async function askAll<const P extends Readonly<Record<string, Probe<unknown>>>>(host: Host, probes: P): Promise<Answers<P>> {
  return ask(host, together(probes))
}
