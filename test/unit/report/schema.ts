/** A value and a JSON schema → what does not fit, for the keywords that the schema of events uses. */

interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly items?: Schema
}

export const faults = (schema: object, value: unknown): string[] => check(schema as Schema, value, '', schema as Schema)

function check(schema: Schema, value: unknown, path: string, root: Schema): string[] {
  if (schema.$ref) return check(root.$defs![schema.$ref.replace('#/$defs/', '')]!, value, path, root)
  const out: string[] = []
  if (schema.oneOf) {
    const all = schema.oneOf.map((one) => check(one, value, path, root))
    if (all.filter((list) => list.length === 0).length !== 1)
      out.push(...(all.sort((a, b) => a.length - b.length)[0] ?? []), `${path}: no kind fits`)
  }
  if ('const' in schema && schema.const !== value) out.push(`${path} is not ${String(schema.const)}`)
  if (schema.enum && !schema.enum.includes(value)) out.push(`${path} is none of ${schema.enum.join(', ')}`)
  if (schema.type && !TYPES[schema.type]!(value)) return [...out, `${path} is no ${schema.type}`]
  if (Array.isArray(value) && schema.items) out.push(...value.flatMap((item, at) => check(schema.items!, item, `${path}[${at}]`, root)))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return out
  const members = value as Record<string, unknown>
  for (const name of schema.required ?? []) if (members[name] === undefined) out.push(`${path}.${name} is missing`)
  for (const [name, member] of Object.entries(members)) {
    const wanted = schema.properties?.[name] ?? schema.additionalProperties
    if (wanted && member !== undefined) out.push(...check(wanted, member, `${path}.${name}`, root))
  }
  return out
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}
