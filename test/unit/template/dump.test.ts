/** YAML and JSON text, to the byte as Python's dumpers write it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Float, type Value } from '../../../src/base/index.ts'
import { dumpJson } from '../../../src/template/dump/json.ts'
import { dumpYaml } from '../../../src/template/dump/yaml.ts'

interface Row {
  value: unknown
  yaml: [Record<string, unknown>, string][]
  json: [Record<string, unknown>, string][]
}

const file = process.env['DUMP_CASES'] ?? new URL('../../differential/filters/dump.json', import.meta.url)
const rows: Row[] = JSON.parse(readFileSync(file, 'utf8'))

describe('dumpers', () => {
  test.each(rows.map((row, i) => [`${i} ${JSON.stringify(row.value).slice(0, 60)}`, row] as const))('%s', (_, row) => {
    const value = decode(row.value, [])
    for (const [options, expected] of row.yaml) expect([options, dumpYaml(value, yamlOptions(options))]).toEqual([options, expected])
    for (const [options, expected] of row.json) expect([options, dumpJson(value, jsonOptions(options))]).toEqual([options, expected])
  })
})

function yamlOptions(options: Record<string, unknown>): Parameters<typeof dumpYaml>[1] {
  return {
    indent: options['indent'] as number,
    width: options['width'] as number,
    sortKeys: (options['sort_keys'] as boolean) ?? true,
    allowUnicode: (options['allow_unicode'] as boolean) ?? true,
    flowStyle: (options['default_flow_style'] as boolean) ?? null,
    explicitStart: options['explicit_start'] as boolean,
    explicitEnd: options['explicit_end'] as boolean,
  }
}

function jsonOptions(options: Record<string, unknown>): Parameters<typeof dumpJson>[1] {
  return {
    indent: options['indent'] as number,
    sortKeys: options['sort_keys'] as boolean,
    ensureAscii: options['ensure_ascii'] as boolean,
    separators: options['separators'] as [string, string],
  }
}

/** The recording's values: floats, big integers, dicts and shared collections are marked. */
function decode(json: unknown, seen: Value[]): Value {
  if (json === null || typeof json !== 'object') return json as Value
  if (Array.isArray(json)) {
    const list: Value[] = []
    seen.push(list)
    for (const item of json) list.push(decode(item, seen))
    return list
  }
  const marked = json as Record<string, unknown>
  if ('$float' in marked) return new Float(Number(marked['$float']))
  if ('$int' in marked) return BigInt(marked['$int'] as string)
  if ('$same' in marked) return seen[marked['$same'] as number]!
  const dict = new Map<Value, Value>()
  seen.push(dict)
  for (const [key, value] of marked['$dict'] as [unknown, unknown][]) dict.set(decode(key, seen), decode(value, seen))
  return dict
}
