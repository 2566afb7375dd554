import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Float, fromJson, type Json } from '../../../src/base/index.ts'
import type { Event } from '../../../src/events/index.ts'
import { COMPANIONS, REPORTERS, type ReportOptions } from '../../../src/report/index.ts'
import { resultYaml } from '../../../src/template/index.ts'

const folder = join(import.meta.dirname, 'recorded')

/** Events of one run; numbers with a fraction are floats again. */
const events = readFileSync(join(folder, 'events.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => withFloats(JSON.parse(line) as Json) as unknown as Event)

function withFloats(json: Json): Json {
  if (typeof json === 'number') return Number.isInteger(json) ? json : new Float(json)
  if (Array.isArray(json)) return json.map(withFloats)
  return json !== null && typeof json === 'object'
    ? Object.fromEntries(Object.entries(json).map(([k, v]) => [k, withFloats(v as Json)]))
    : json
}

function told(name: string, kind: 'main' | 'companion', changes: Partial<ReportOptions> = {}) {
  const chunks: string[] = []
  const files: Record<string, string> = {}
  const options: ReportOptions = {
    output: { out: (text) => chunks.push(text), err: () => {} },
    ...{ colour: false, verbosity: 0, columns: 80, displaySkipped: true, displayOk: true, checkMarkers: false, showCustomStats: false },
    ...{ failedToStderr: false, taskPathOnFailure: false, showPerHostStart: false, resultFormat: 'json', prettyResults: undefined },
    deprecationWarnings: true,
    writeFile: (_kind, file, text) => {
      files[file] = text
    },
    ...changes,
  }
  const reporter = (kind === 'main' ? REPORTERS : COMPANIONS)[name]!(options)
  for (const event of events) reporter.on(event)
  return { out: chunks.join(''), files }
}

describe('the same run is told as Ansible tells it', () => {
  const cases: Readonly<Record<string, Partial<ReportOptions>>> = {
    default: {},
    'no-skipped': { displaySkipped: false },
    'no-ok': { displayOk: false },
    yaml: { resultFormat: 'yaml', yaml: (result, how) => resultYaml(fromJson(result), how) },
    pretty: { prettyResults: true },
    'custom-stats': { showCustomStats: true },
  }
  test.each(Object.entries(cases))('%s', (name, changes) => {
    expect(existsSync(join(folder, `${name}.txt`))).toBe(true)
    expect(told('default', 'main', changes).out).toBe(readFileSync(join(folder, `${name}.txt`), 'utf8'))
  })
})

describe('other reports', () => {
  test('json is one document', () => {
    const document = JSON.parse(told('json', 'main').out) as { plays: { tasks: unknown[] }[]; stats: Record<string, unknown> }
    expect(document.plays).toHaveLength(2)
    expect(Object.keys(document.stats)).toEqual(['h1'])
  })

  test('events is an event a line', () => {
    expect(told('events', 'main').out.trim().split('\n')).toHaveLength(events.length)
  })

  test('jsonl tells plays, starts, results and the recap, a line each', () => {
    const lines = told('jsonl', 'main').out.trim().split('\n')
    const kinds = lines.map((line) => (JSON.parse(line) as { _event: string })._event)
    expect(kinds).toHaveLength(events.filter(({ kind }) => ['play-start', 'task-start', 'result', 'stats'].includes(kind)).length)
    expect(kinds[0]).toBe('v2_playbook_on_play_start')
    expect(kinds.at(-1)).toBe('v2_playbook_on_stats')
    expect(lines[0]).toContain('{"_event":"v2_playbook_on_play_start","_timestamp":"')
  })

  test('minimal and oneline tell results alone', () => {
    expect(told('minimal', 'main').out).toContain('h1 | CHANGED | rc=0 >>\nhi\n')
    expect(told('minimal', 'main').out).toContain('h1 | SUCCESS => {\n    "changed": false,\n    "ping": "pong"\n}\n')
    expect(told('oneline', 'main').out).toContain('h1 | CHANGED | rc=0 | (stdout) hi\n')
    expect(told('oneline', 'main').out).toContain('h1 | FAILED! => {"changed": true,"cmd": ["sh","-c",')
  })

  test('junit is a case for every task', () => {
    const [[name, xml] = ['', '']] = Object.entries(told('junit', 'companion').files)
    expect(name).toMatch(/^p-[\d.]+\.xml$/)
    expect(xml.match(/<testcase /g)).toHaveLength(events.filter(({ kind }) => kind === 'result' || kind === 'included').length)
    expect(xml).toContain('name="[h1] First play: boom"')
    expect(xml).toContain('<failure message="boom h1" type="failure">')
  })

  test('tree is a file for every host, timer a line', () => {
    expect(Object.keys(told('tree', 'companion').files)).toEqual(['h1'])
    expect(told('timer', 'companion').out).toMatch(/^Playbook run took 0 days, 0 hours, 0 minutes, \d+ seconds\n$/)
  })
})
