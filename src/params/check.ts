/** Turns the arguments that a task gives into the typed arguments of a declaration, and tells all that is wrong with them. */
import { type Dict, didYouMean, Problem, type Value } from '../base/index.ts'
import type { Args, Param, Params, Rules } from './api.ts'
import { boolWord, CoercionError, coerce } from './coerce.ts'
import { canonicalNames, unsupported } from './names.ts'
import { brokenExclusions, brokenRules, missingRequired } from './rules.ts'
import { asText, className } from './text.ts'

export interface Checked<P extends Params> {
  /** typed by the declaration; complete only where there are no problems */
  readonly args: Args<P>
  /** in AnsibleModule's order: the first is what a failing task says */
  readonly problems: readonly Problem[]
  /** deprecated parameters that are used, names given together with their alias */
  readonly warnings: readonly string[]
  /** the texts that must not be shown (noLog) */
  readonly secrets: readonly string[]
}

/** Checks and coerces; never throws for what the user wrote. */
export function checkArgs<P extends Params>(
  params: P,
  rules: Rules | undefined,
  given: ReadonlyMap<string, Value>,
  module: string,
  options: { readonly openArgs?: boolean | undefined } = {},
): Checked<P> {
  const report = new Report(module)
  const args = checkLevel(params, rules ?? {}, given, [], '', report)
  if (!options.openArgs) report.tellUnknown()
  return { args: Object.fromEntries(args) as Args<P>, problems: report.problems, warnings: report.warnings, secrets: report.secrets }
}

/** Collects what one check finds. */
class Report {
  readonly problems: Problem[] = []
  readonly warnings: string[] = []
  readonly secrets: string[] = []
  private readonly unknown: { path: readonly string[]; params: Params }[] = []
  constructor(private readonly module: string) {}

  tell(messages: readonly string[], hint?: string): void {
    for (const message of messages) this.problems.push(new Problem(message, { kind: 'parameter', hint }))
  }

  notKnown(path: readonly string[], params: Params): void {
    this.unknown.push({ path, params })
  }

  /** Unknown names come last, in one sentence, as AnsibleModule has it. */
  tellUnknown(): void {
    const last = this.unknown.at(-1)
    if (!last) return
    const names = this.unknown.map((u) => u.path.join('.'))
    const hint = this.unknown
      .map((u) => didYouMean(u.path.at(-1)!, canonicalNames(u.params).keys()))
      .filter((h) => h !== undefined)
      .join(' ')
    this.tell([unsupported(last.params, names, this.module)], hint || undefined)
  }
}

/** One level of parameters: the module's own, or those inside a dict. Follows AnsibleModule's order of checks. */
function checkLevel(
  params: Params,
  rules: Rules,
  given: ReadonlyMap<Value, Value>,
  within: readonly string[],
  prefix: string,
  report: Report,
): Map<string, unknown> {
  const args = named(params, given, within, prefix, report)
  report.tell(brokenExclusions(rules, args, within))
  for (const [name, param] of Object.entries(params)) {
    if (!args.has(name) && param.default !== undefined && param.default !== null) args.set(name, param.default)
  }
  report.tell(missingRequired(params, args, within))
  // None counts as given for what is required, which then is of a wrong type, and as absent for everything else
  for (const [name, value] of args) if (value === null && !isRefused(params[name]!)) args.delete(name)
  for (const [name, param] of Object.entries(params)) {
    if (args.has(name)) coerceOne(name, param, args, within, report)
  }
  for (const [name, param] of Object.entries(params)) {
    if (param.choices && args.has(name)) checkChoices(name, param.choices, args, within, report)
  }
  report.tell(brokenRules(rules, args, within))
  for (const [name, param] of Object.entries(params)) {
    if (param.options && args.has(name)) args.set(name, checkInside(name, param, args.get(name) as Value, within, prefix, report))
  }
  return args
}

const isRefused = (param: Param): boolean => param.required === true && param.type !== 'raw'

/** The given values under their declared names; an alias beats the name it stands for. */
function named(
  params: Params,
  given: ReadonlyMap<Value, Value>,
  within: readonly string[],
  prefix: string,
  report: Report,
): Map<string, unknown> {
  const known = canonicalNames(params)
  const args = new Map<string, unknown>()
  for (const [key, value] of given) {
    const written = asText(key)
    const name = known.get(written)
    if (name === undefined) {
      report.notKnown([...within, written], params)
      continue
    }
    if (name !== written && given.has(name)) report.warnings.push(`Both option ${prefix}${name} and its alias ${prefix}${written} are set.`)
    if (name === written && args.has(name)) continue
    args.set(name, value)
  }
  for (const name of args.keys()) {
    const param = params[name]!
    if (param.deprecated !== undefined) report.warnings.push(`Param '${prefix}${name}' is deprecated. ${param.deprecated}`.trim())
    if (param.noLog) collectSecrets(args.get(name) as Value, report.secrets)
  }
  return args
}

function collectSecrets(value: Value, secrets: string[]): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    if (value !== '') secrets.push(String(value))
  } else if (Array.isArray(value)) for (const item of value) collectSecrets(item, secrets)
  else if (value instanceof Map) for (const item of value.values()) collectSecrets(item, secrets)
}

const TEXTS: ReadonlySet<Param['type']> = new Set(['str', 'path'])

/** Nothing is no text, as a value of its own or in a list. */
function coerceText(value: Value, type: Param['type']): unknown {
  if (value === null && TEXTS.has(type)) throw new CoercionError("'None' is not a string and conversion is not allowed")
  return coerce(value, type)
}

function coerceOne(name: string, param: Param, args: Map<string, unknown>, within: readonly string[], report: Report): void {
  const value = args.get(name) as Value
  const place = within.length > 0 ? ` found in '${within.join(' -> ')}'.` : ''
  try {
    const coerced = coerceText(value, param.type)
    args.set(name, param.type === 'list' && param.elements ? coerceElements(name, param, coerced as Value[], within, report) : coerced)
  } catch (error) {
    if (!(error instanceof CoercionError)) throw error
    report.tell([
      `argument '${name}' is of type ${className(value)}${place} and we were unable to convert to ${param.type}: ${error.message}`,
    ])
  }
}

function coerceElements(name: string, param: Param, values: readonly Value[], within: readonly string[], report: Report): unknown[] {
  const place = within.length > 0 ? ` found in '${within.join(' -> ')}'` : ''
  return values.flatMap((value) => {
    try {
      return [coerceText(value, param.elements!)]
    } catch (error) {
      if (!(error instanceof CoercionError)) throw error
      report.tell([
        `Elements value for option '${name}'${place} is of type ${className(value)} and we were unable to convert to ${param.elements}: ${error.message}`,
      ])
      return []
    }
  })
}

function checkChoices(
  name: string,
  choices: readonly Value[],
  args: Map<string, unknown>,
  within: readonly string[],
  report: Report,
): void {
  const value = args.get(name) as Value
  const place = within.length > 0 ? ` found in ${within.join(' -> ')}` : ''
  const words = choices.map(asText).join(', ')
  if (Array.isArray(value)) {
    const strange = value.filter((v) => !choices.includes(v))
    if (strange.length > 0)
      report.tell([`value of ${name} must be one or more of: ${words}. Got no match for: ${strange.map(asText).join(', ')}${place}`])
    return
  }
  if (choices.includes(value)) return
  const meant = value === 'True' || value === 'False' ? choices.filter((c) => boolWord(c) === (value === 'True')) : []
  if (meant.length === 1) args.set(name, meant[0]!)
  else
    report.tell(
      [`value of ${name} must be one of: ${words}, got: ${asText(value)}${place}`],
      didYouMean(asText(value), choices.map(asText)),
    )
}

/** The parameters inside a dict or a list of dicts. */
function checkInside(name: string, param: Param, value: Value, within: readonly string[], prefix: string, report: Report): Value {
  const check = (item: Value, index?: number): Value => {
    if (!(item instanceof Map)) {
      report.tell([`value of '${name}' must be of type dict or list of dicts`])
      return item
    }
    const inner = checkLevel(
      param.options!,
      param,
      item as Dict,
      [...within, name],
      `${prefix}${name}${index === undefined ? '' : `[${index}]`}.`,
      report,
    )
    return inner as unknown as Dict
  }
  return Array.isArray(value) ? value.map((item, i) => check(item, i)) : check(value)
}
