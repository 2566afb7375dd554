/** The plugins of helm on a host: how they are listed, and a call whose end is told whole. */
import type { JsonObject } from '../../base/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import type { Change, Done, Host } from '../api.ts'
import { binary, type HelmConnection, helmFailure, withHelm } from './helm-words.ts'

export interface Plugin {
  readonly name: string
  readonly version: string
  readonly description: string
}

/** The plugins, and what belongs in a result about the look. */
export async function pluginsOf(host: Host, args: HelmConnection): Promise<{ plugins: Plugin[]; told: JsonObject }> {
  const command = `${binary(args)} plugin list`
  const answer = await host.look(withHelm(args, sh`hm plugin list`), { onFailure: 'tell' })
  if (answer.code !== 0) throw helmFailure(answer, command)
  const stdout = textOf(answer.stdout)
  const lines = stdout.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('NAME') && !line.startsWith('WARNING'))
  const plugins = lines.map((line) => {
    const [name = '', version = '', description = ''] = line.split('\t').map((part) => part.trim())
    return { name, version, description }
  })
  return { plugins, told: { command, stdout, stderr: textOf(answer.stderr), rc: 0 } }
}

export interface Told extends JsonObject {
  readonly command: string
  readonly stdout: string
  readonly stderr: string
  readonly rc: number
}

/** A call of helm that changes something. */
export async function* callHelm(
  what: string,
  args: HelmConnection,
  words: readonly string[],
  options: { readonly stdin?: string; readonly shown?: readonly string[] } = {},
): AsyncGenerator<Change, Told, Done> {
  const command = [binary(args), ...(options.shown ?? words)].join(' ')
  const done = yield {
    what,
    script: withHelm(args, sh`hm ${words}`),
    onFailure: 'tell',
    ...(options.stdin === undefined ? {} : { stdin: new TextEncoder().encode(options.stdin) }),
  }
  // 93: there is no helm
  if (done?.code === 93) throw helmFailure(done, command)
  return { command, stdout: done ? textOf(done.stdout) : '', stderr: done ? textOf(done.stderr) : '', rc: done?.code ?? 0 }
}
