/** Checks the rules that span several parameters: exclusive, together, one of, if, by. */
import type { Value } from '../base/index.ts'
import type { Params, Rules } from './api.ts'
import { asText } from './text.ts'

type Given = ReadonlyMap<string, unknown>

/** Rules that are broken, each as AnsibleModule words it; `within` names the options around. */
export function brokenExclusions(rules: Rules, given: Given, within: readonly string[] = []): string[] {
  const broken = (rules.mutuallyExclusive ?? []).filter((names) => count(names, given) > 1)
  return broken.length === 0 ? [] : [found(`parameters are mutually exclusive: ${broken.map((n) => n.join('|')).join(', ')}`, within)]
}

export function missingRequired(params: Params, given: Given, within: readonly string[] = []): string[] {
  const missing = Object.keys(params).filter((name) => params[name]!.required && !given.has(name))
  return missing.length === 0 ? [] : [found(`missing required arguments: ${missing.sort().join(', ')}`, within)]
}

export function brokenRules(rules: Rules, given: Given, within: readonly string[] = []): string[] {
  return [...together(rules, given), ...oneOf(rules, given), ...conditional(rules, given), ...by(rules, given)].map((m) => found(m, within))
}

function together(rules: Rules, given: Given): string[] {
  const broken = (rules.requiredTogether ?? []).find((names) => {
    const n = count(names, given)
    return n > 0 && n < names.length
  })
  return broken ? [`parameters are required together: ${broken.join(', ')}`] : []
}

function oneOf(rules: Rules, given: Given): string[] {
  const broken = (rules.requiredOneOf ?? []).find((names) => count(names, given) === 0)
  return broken ? [`one of the following is required: ${broken.join(', ')}`] : []
}

function conditional(rules: Rules, given: Given): string[] {
  for (const [name, value, names, any] of rules.requiredIf ?? []) {
    if (!same(given.get(name), value)) continue
    const missing = names.filter((n) => !given.has(n))
    if (missing.length === 0 || (any && missing.length < names.length)) continue
    return [`${name} is ${asText(value)} but ${any ? 'any' : 'all'} of the following are missing: ${missing.join(', ')}`]
  }
  return []
}

function by(rules: Rules, given: Given): string[] {
  for (const [name, names] of Object.entries(rules.requiredBy ?? {})) {
    if (!given.has(name)) continue
    const missing = names.filter((n) => !given.has(n))
    if (missing.length > 0) return [`missing parameter(s) required by '${name}': ${missing.join(', ')}`]
  }
  return []
}

const count = (names: readonly string[], given: Given): number => names.filter((n) => given.has(n)).length

const same = (a: unknown, b: Value): boolean => a === b

const found = (message: string, within: readonly string[]): string =>
  within.length === 0 ? message : `${message} found in ${within.join(' -> ')}`
