// Turns the record of a run (tsspray's --output jsonl, or what Ansible's json callback prints) into lists that can be compared line by line.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COUNTS = { ok: 'ok', changed: 'changed', unreachable: 'unreachable', failures: 'failed', skipped: 'skipped', rescued: 'rescued', ignored: 'ignored' }

/** { tasks: [{ play } | { name, hosts: { host: status } }], hosts: { host: ['status task'] }, recap: { host: counts } } */
export function readRun(text) {
  const document = text.search(/^\{$/m)
  return document < 0 ? fromEvents(text) : fromDocument(JSON.parse(text.slice(document)))
}

function fromEvents(text) {
  const run = { tasks: [], hosts: {}, recap: {} }
  const open = new Map()
  for (const line of text.split('\n')) {
    if (!line.startsWith('{"')) continue
    const event = JSON.parse(line)
    if (event.kind === 'play-start') run.tasks.push({ play: event.name })
    else if (event.kind === 'task-start') {
      const task = { name: event.task.name, hosts: {} }
      run.tasks.push(task)
      open.set(event.task.id, task)
    } else if (event.kind === 'included') noteInclusion(run, open.get(event.task.id), event)
    else if (event.kind === 'result') note(run, open.get(event.task.id), event.task.name, event.host, event.status)
    else if (event.kind === 'stats') run.recap = event.hosts
  }
  return run
}

/** To Ansible's callbacks an inclusion is one result a host, however many files it brings. */
function noteInclusion(run, task, event) {
  for (const host of event.hosts) if (task && !(host in task.hosts)) note(run, task, event.task.name, host, 'ok')
}

function fromDocument(document) {
  const run = { tasks: [], hosts: {}, recap: document.stats }
  for (const { play, tasks } of document.plays) {
    run.tasks.push({ play: play.name })
    for (const { task, hosts } of tasks) {
      const entry = { name: task.name, hosts: {} }
      run.tasks.push(entry)
      for (const [host, result] of Object.entries(hosts)) note(run, entry, task.name, host, statusOfResult(result))
    }
  }
  return run
}

function statusOfResult(result) {
  if (result.unreachable) return 'unreachable'
  if (result.failed) return 'failed'
  if (result.skipped) return 'skipped'
  return result.changed ? 'changed' : 'ok'
}

function note(run, task, name, host, status) {
  run.hosts[host] ??= []
  run.hosts[host].push(`${status.padEnd(8)} ${name}`)
  if (task) task.hosts[host] = status
}

const pairs = (record) =>
  Object.keys(record)
    .sort()
    .map((key) => `${key}=${record[key]}`)
    .join(' ')

/** The files of one run: the recap, all tasks, and one list a host. */
export function listsOf(run) {
  const recap = Object.keys(run.recap)
    .sort()
    .map((host) => `${host} ${Object.keys(COUNTS).map((key) => `${COUNTS[key]}=${run.recap[host][key]}`).join(' ')}`)
  const tasks = run.tasks.map((task) => ('play' in task ? `# play ${task.play}` : `${task.name}  ${pairs(task.hosts)}`))
  return { recap, tasks, ...run.hosts }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [record, folder] = process.argv.slice(2)
  if (!record || !folder) {
    console.error('usage: node lists.mjs RECORD FOLDER\nwrites FOLDER/recap.txt, FOLDER/tasks.txt and FOLDER/<host>.txt')
    process.exit(2)
  }
  mkdirSync(folder, { recursive: true })
  const lists = listsOf(readRun(readFileSync(record, 'utf8')))
  for (const [name, lines] of Object.entries(lists)) writeFileSync(join(folder, `${name}.txt`), lines.map((line) => `${line}\n`).join(''))
}
