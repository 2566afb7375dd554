/** gather_facts: what a play does before its tasks: the modules that are named for it, each of which gathers what it knows. */
import type { Json, JsonObject, Value } from '../../base/index.ts'
import { asText, bool, int, list, path } from '../../params/index.ts'
import { defineModule, type Host, ModuleFailure, ModuleMissing, type Result } from '../api.ts'

/** What stands for the modules that fit the connection; here that is one. */
const SMART = 'smart'
const SETUP = 'ansible.legacy.setup'
const IS_SETUP: ReadonlySet<string> = new Set(['setup', SETUP, 'ansible.builtin.setup'])

export default defineModule({
  name: 'ansible.builtin.gather_facts',
  takesAsync: false,
  summary: 'Gathers facts about a host as plays do by themselves.',
  told: {
    gather_subset: list('str', { description: 'which facts; `!name` leaves some out' }),
    gather_timeout: int({ description: 'seconds that each kind of fact may take' }),
    filter: list('str', { description: 'names of facts to keep, with wildcards' }),
    fact_path: path({ description: "folder of a host's own facts" }),
  },
  params: { parallel: bool() },
  openArgs: true,
  async *run(_args, host) {
    const given = new Map([...host.task.rawArgs].filter(([name, value]) => name !== 'parallel' && value !== null))
    const failed: Record<string, JsonObject> = {}
    const skipped: Record<string, JsonObject> = {}
    let result: JsonObject = { ansible_facts: {} }
    const names = modulesOf(host)
    for (const name of names) {
      const told: Result = yield* asked(name, given, host)
      if (told.failed) failed[name] = told
      else if (told.skipped) skipped[name] = told
      else
        result = merged(result, {
          ansible_facts: told.ansible_facts ?? {},
          warnings: told['warnings'] ?? [],
          deprecations: told['deprecations'] ?? [],
        }) as JsonObject
    }
    return { ...result, changed: false, ...losses(skipped, failed, names.length) }
  },
})

/** Those that the variable or the setting names, in their order; `smart` comes last. */
function modulesOf({ controller }: Host): string[] {
  const said = controller.variable('ansible_facts_modules') ?? controller.setting?.('FACTS_MODULES') ?? [SMART]
  const names = (Array.isArray(said) ? said : String(said).split(',')).map((name) => String(name).trim())
  const others = names.filter((name) => name !== SMART)
  return others.length < names.length ? [...others, SETUP] : others
}

async function* asked(name: string, given: ReadonlyMap<string, Value>, host: Host): ReturnType<Host['call']> {
  const args = IS_SETUP.has(name) ? given : withoutOptionsOfSetup(name, given, host)
  try {
    return yield* host.call(name, args, { withDefaults: true })
  } catch (error) {
    if (error instanceof ModuleMissing) throw new ModuleFailure(`The module ${name} was not found in configured module paths`)
    if (!(error instanceof ModuleFailure)) throw error
    return { failed: true, msg: error.message, ...error.result }
  }
}

/** Options that only setup has, and how a person is told that others are not given them. */
const OF_SETUP: Readonly<Record<string, string>> = { gather_subset: 'subset', gather_timeout: 'timeout', filter: 'filter' }

function withoutOptionsOfSetup(module: string, given: ReadonlyMap<string, Value>, host: Host): ReadonlyMap<string, Value> {
  const left = new Map(given)
  for (const [name, word] of Object.entries(OF_SETUP)) {
    const value = given.get(name)
    if (!left.delete(name) || isAll(name, value)) continue
    host.controller.say(`Not passing ${word}(${asText(value!)}) to ${module}`, 'warning')
  }
  return left
}

const isAll = (name: string, value: Value | undefined): boolean =>
  name === 'gather_subset' && (value === 'all' || (Array.isArray(value) && value.length === 1 && value[0] === 'all'))

/** Dicts are merged, of lists the later elements are added, of all else the later wins. */
function merged(before: Json | undefined, after: Json): Json {
  if (Array.isArray(before) && Array.isArray(after)) return [...before.filter((one) => !after.includes(one)), ...after]
  if (!isObject(before) || !isObject(after)) return after
  return { ...before, ...Object.fromEntries(Object.entries(after).map(([key, value]) => [key, merged(before[key], value!)])) }
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

function losses(skipped: Record<string, JsonObject>, failed: Record<string, JsonObject>, all: number): JsonObject {
  const left = Object.keys(skipped)
  const broken = Object.keys(failed)
  return {
    ...(left.length === 0 ? {} : { msg: `The following modules were skipped: ${left.join(', ')}\n`, skipped_modules: skipped }),
    ...(left.length > 0 && left.length === all ? { skipped: true } : {}),
    ...(broken.length === 0
      ? {}
      : { failed: true, msg: `The following modules failed to execute: ${broken.join(', ')}\n`, failed_modules: failed }),
  }
}
