/** Wraps a module so that its path arguments arrive with `~` and `$VAR` expanded on the host; costs a look only where a path has them. */
import type { Args, Params } from '../params/index.ts'
import { expansionProbe, needsExpansion } from '../remote/index.ts'
import type { Host, Module } from './api.ts'
import { ask } from './files/ask.ts'

export function expandingPaths(module: Module): Module {
  const names = pathNames(module.params)
  if (names.length === 0 || module.controllerOnly) return module
  return {
    ...module,
    async *run(args, host) {
      const all = args['remote_src'] === true ? [...names, 'src'] : names
      return yield* module.run(await expanded(args, all, host), host)
    },
  }
}

function pathNames(params: Params): string[] {
  return Object.keys(params).filter((name) => params[name]!.type === 'path' || params[name]!.elements === 'path')
}

type AnyArgs = Args<Params>

async function expanded(args: AnyArgs, names: readonly string[], host: Host): Promise<AnyArgs> {
  const values: Readonly<Record<string, unknown>> = args
  const paths = names.flatMap((name) => values[name] ?? []).filter((p) => typeof p === 'string' && needsExpansion(p)) as string[]
  if (paths.length === 0) return args
  const expand = await ask(host, expansionProbe(paths))
  const each = (value: unknown): unknown => (typeof value === 'string' ? expand(value) : Array.isArray(value) ? value.map(each) : value)
  return { ...values, ...Object.fromEntries(names.filter((n) => values[n] !== undefined).map((n) => [n, each(values[n])])) } as AnyArgs
}
