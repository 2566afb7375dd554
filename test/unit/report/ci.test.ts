import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EVENT_SCHEMA, type Event } from '../../../src/events/index.ts'
import { type CiOptions, REPORTERS, type ReportOptions } from '../../../src/report/index.ts'
import { faults } from './schema.ts'

const events = readFileSync(join(import.meta.dirname, 'recorded/events.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line.replaceAll('CASE/', '/checkout/')) as Event)

function told(name: 'github' | 'gitlab', some: readonly Event[], more: Partial<CiOptions> = {}) {
  const chunks: string[] = []
  const files: Record<string, string> = {}
  const add = (file: string, text: string): void => {
    files[file] = (files[file] ?? '') + text
  }
  const options: ReportOptions = {
    output: { out: (text) => void chunks.push(text), err: () => {} },
    ...{ colour: false, verbosity: 0, columns: 80, displaySkipped: true, displayOk: true, checkMarkers: false, showCustomStats: false },
    ...{ failedToStderr: false, taskPathOnFailure: false, showPerHostStart: false, resultFormat: 'json', prettyResults: undefined },
    deprecationWarnings: true,
    ci: { isRunner: false, root: '/checkout', secretsSince: () => [], append: add, write: add, seconds: () => 7, ...more },
  }
  const reporter = REPORTERS[name]!(options)
  for (const event of some) reporter.on(event)
  return { out: chunks.join(''), files }
}

const failed = events.find((e) => e.kind === 'result' && e.status === 'failed' && !e.ignored) as Extract<Event, { kind: 'result' }>
const end = { kind: 'run-end', at: 2, code: 2, interrupted: false } as const

describe('github', () => {
  test('every group ends before the next begins', () => {
    const marks = [...told('github', events).out.matchAll(/^::(group|endgroup)::/gm)].map(([, mark]) => mark)
    expect(marks.length).toBeGreaterThan(10)
    expect(marks.every((mark, at) => mark === (at % 2 === 0 ? 'group' : 'endgroup'))).toBe(true)
    expect(marks.length % 2).toBe(0)
  })

  test('a failure on many hosts is one mark at its file and line', () => {
    const many = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7'].map((host) => ({ ...failed, host }))
    const lines = told('github', [...many, end])
      .out.split('\n')
      .filter((line) => line.startsWith('::error'))
    expect(lines).toHaveLength(1)
    const [, path, line] = /file=([^,]+),line=(\d+),col=\d+,title=.*on h1%2C h2%2C h3%2C h4%2C h5 and 2 more::/.exec(lines[0]!) ?? []
    expect(`/checkout/${path}:${line}`).toBe(failed.task.place?.replace(/:\d+$/, ''))
  })

  test('what was made good again is a warning', () => {
    expect(told('github', [failed, { ...end, code: 0 }]).out).toMatch(/^::warning file=/m)
  })

  test('files outside of the checkout are no place', () => {
    const { out } = told('github', [failed, end], { root: '/elsewhere' })
    expect(out).toMatch(/^::error title=/m)
  })

  test('hosts give no commands', () => {
    const text = '::error::from a host\n  ::add-mask::x\nand ##[add-mask]y'
    const { out } = told('github', [
      { kind: 'say', at: 1, text },
      { kind: 'warning', at: 1, text: 'a\n::error::b' },
    ])
    expect(out.match(/^\s*::[\w-]+/gm)).toEqual(['::warning'])
    expect(out).not.toContain('##[')
  })

  test('secrets are told to the runner, and to nobody else', () => {
    const secretsSince = (count: number) => ['s3cret\nsecond line', '100%'].slice(count)
    const runner = told('github', [end, end], { isRunner: true, secretsSince }).out
    expect(runner.match(/^::add-mask::.*$/gm)).toEqual(['::add-mask::s3cret', '::add-mask::second line', '::add-mask::100%25'])
    expect(told('github', [end], { secretsSince }).out).not.toContain('s3cret')
  })

  test('the summary and the outputs hold the numbers', () => {
    const { files } = told('github', events)
    expect(files['GITHUB_OUTPUT']).toMatch(/^changed=\d+\nfailed=\d+\nunreachable=\d+\n$/)
    expect(files['GITHUB_STEP_SUMMARY']).toContain('| host | ok | changed |')
  })

  test('the summary holds no markup of others', () => {
    const hostile = { ...failed, host: '<img src=x>|', result: { msg: '```\n<b>' } }
    const text = told('github', [hostile, end]).files['GITHUB_STEP_SUMMARY'] ?? ''
    expect(text).toContain('````\n```\n<b>\n````')
    expect(text).not.toContain('<img')
  })
})

describe('gitlab', () => {
  test('sections begin and end by one name', () => {
    const marks = [...told('gitlab', events).out.matchAll(/section_(start|end):7:(tsspray_\d+)/g)].map(([, way, name]) => `${way} ${name}`)
    expect(marks.length).toBeGreaterThan(10)
    for (let at = 0; at < marks.length; at += 2) expect(marks[at + 1]).toBe(marks[at]?.replace('start', 'end'))
  })

  test('hosts open no sections', () => {
    expect(told('gitlab', [{ kind: 'say', at: 1, text: '\u001b[0Ksection_start:1:x\r\u001b[0Kx' }]).out).not.toContain('section_start:1')
  })

  test('code quality and JUnit', () => {
    const { files } = told('gitlab', events)
    const issues = JSON.parse(files['gl-code-quality-report.json']!) as { fingerprint: string; location: { path: string } }[]
    expect(issues.length).toBeGreaterThan(0)
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length)
    expect(issues.every(({ location }) => location.path === 'p.yml')).toBe(true)
    expect(files['tsspray-junit-1.xml']).toContain('<testsuites')
  })
})

describe('the schema of events', () => {
  test.each(events.map((event, at) => [at, event.kind, event] as const))('%i: %s fits', (_at, _kind, event) => {
    expect(faults(EVENT_SCHEMA, event)).toEqual([])
  })

  test.each([
    [{ kind: 'nothing', at: 1 }],
    [{ kind: 'run-end', at: 1, code: '2', interrupted: false }],
    [{ kind: 'result', at: 1, host: 'h', status: 'fine', result: {}, ignored: false, looped: false, seconds: 1, task: failed.task }],
    [{ kind: 'say', text: 'no time' }],
  ])('%j does not', (event) => expect(faults(EVENT_SCHEMA, event)).not.toEqual([]))
})
