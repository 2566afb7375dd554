/** What a run came to → one HTML page that needs nothing else: its data, its style and what runs in the browser are inside. */
import { createRequire } from 'node:module'
import type nunjucks from 'nunjucks'
import { graphSvg, type OrderedPlay, type OrderedStep } from '../graph.ts'
import type { RunReport } from './model.ts'
import base from './page/base.client.js'
import filters from './page/filters.client.js'
import lists from './page/lists.client.js'
import matrix from './page/matrix.client.js'
import page from './page/page.njk'
import start from './page/start.client.js'
import style from './page/style.njk'
import timeline from './page/timeline.client.js'

/** The parts that run in the browser, each after those it needs. */
const SCRIPTS = [base, filters, matrix, timeline, lists, start]

export function renderReport(report: RunReport): string {
  // only runs that make a report load it
  const { Environment } = createRequire(import.meta.url)('nunjucks') as typeof nunjucks
  const environment = new Environment(null, { autoescape: true, throwOnUndefined: true, trimBlocks: true, lstripBlocks: true })
  return environment.renderString(page, {
    title: report.playbooks.map((path) => path.replace(/^.*\//, '')).join(', ') || 'run',
    report,
    started: new Date(report.start).toISOString(),
    outcome: outcomeOf(report),
    graph: graphSvg(orderOf(report)),
    style,
    script: SCRIPTS.join('\n'),
    data: embedded(report),
  })
}

function outcomeOf({ code, interrupted, check }: RunReport): string {
  const ended = interrupted ? 'interrupted' : code === undefined ? 'unfinished' : code === 0 ? 'succeeded' : `failed (exit code ${code})`
  return check ? `${ended}, check mode: nothing was changed` : ended
}

/** The plays as they ran; tasks of one role that follow each other are one step. */
function orderOf({ plays, tasks, hosts }: RunReport): OrderedPlay[] {
  const steps = plays.map((): { -readonly [K in keyof OrderedStep]: OrderedStep[K] }[] => [])
  for (const { play, role, isHandler } of tasks) {
    const last = steps[play]?.at(-1)
    if (isHandler) continue
    if (last && last.role === role) last.tasks++
    else steps[play]?.push({ role, tasks: 1 })
  }
  return plays.map((play, index) => ({ name: play.name, hosts: play.hosts.map((host) => hosts[host]!), steps: steps[index]! }))
}

/** JSON in which nothing ends the element around it. */
const embedded = (report: RunReport): string => JSON.stringify(report).replaceAll('<', '\\u003c')
