import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Event } from '../../../src/events/index.ts'
import { eventsToReport, graphLines, renderReport } from '../../../src/report/index.ts'

const events = readFileSync(join(import.meta.dirname, 'recorded/events.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Event)

const source = Array.from({ length: 80 }, (_, n) => `line ${n + 1}`).join('\n')

test('the events of a run come to letters, times and notes', () => {
  const report = eventsToReport(events, (path) => (path === 'CASE/p.yml' ? source : undefined))
  expect(report.hosts).toEqual([...new Set(events.flatMap((e) => (e.kind === 'play-start' ? e.hosts : [])))])
  const results = events.filter((e) => e.kind === 'result')
  expect(report.tasks.reduce((sum, task) => sum + task.letters.length, 0)).toBe(results.length)
  for (const task of report.tasks) {
    expect(new Set(task.hosts).size).toBe(task.hosts.length)
    for (const list of [task.from, task.took, task.notes, task.letters]) expect(list.length).toBe(task.hosts.length)
    expect(Math.min(...task.from, ...task.took)).toBeGreaterThanOrEqual(0)
  }
  const failed = report.tasks.find((task) => task.letters.includes('f'))!
  const note = report.notes[failed.notes[failed.letters.indexOf('f')]!]!
  expect(note.frame).toContain(`| line ${failed.place?.split(':')[1]}`)
  expect(report.recap.every((numbers) => numbers?.length === 7)).toBe(true)
})

test('a run without an end is a report, too', () => {
  const report = eventsToReport(events.slice(0, 20))
  expect([report.code, report.tasks.length > 0]).toEqual([undefined, true])
  expect(renderReport(report)).toContain('unfinished')
  expect(renderReport(eventsToReport([]))).toContain('0 hosts')
})

test('the page asks for nothing, and no text ends its data', () => {
  const hostile = events.map((e) => JSON.parse(JSON.stringify(e).replaceAll('plain', '</script><img src=x>')) as Event)
  const page = renderReport(eventsToReport(hostile))
  expect(page).not.toContain('<img')
  expect(page.match(/<\/script>/g)).toHaveLength(2)
  expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
  expect(page).toContain("default-src 'none'")
})

test('the same words of many hosts are kept once', () => {
  const result = events.find((e) => e.kind === 'result' && e.status === 'failed' && !e.ignored)!
  const many = Array.from({ length: 50 }, (_, n) => ({ ...result, host: `h${n}` }) as Event)
  expect(eventsToReport(many).notes).toHaveLength(1)
})

test('a task that a host runs again has a row of its own', () => {
  const result = events.find((e) => e.kind === 'result')!
  expect(eventsToReport([result, result]).tasks).toHaveLength(2)
})

test('the order of plays as text', () => {
  const steps = [{ tasks: 1 }, { role: 'etcd', tasks: 4 }]
  expect(graphLines([{ name: 'One', pattern: 'all', hosts: ['a', 'b'], serial: '1', steps }])).toEqual([
    '1. One',
    '   on all: 2 hosts (a, b), 1 at a time',
    '   ├─ 1 task',
    '   └─ role etcd: 4 tasks',
  ])
})
