/** --start-at-task: passes over everything before the first task of that name. */
import type { Task } from '../playbook/index.ts'
import type { PlayRun } from './state.ts'

export function startAt(pr: PlayRun, setup: Task | undefined): void {
  const wanted = pr.run.settings.startAtTask
  if (wanted === undefined || pr.run.startDone) return
  const pattern = new RegExp(
    `^${wanted
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.')}$`,
  )
  const matches = (task: Task) => [String(task.name ?? ''), titleOfWritten(task)].some((n) => n === wanted || pattern.test(n))
  let found = false
  for (const walk of pr.walks.values()) {
    const gathers = setup !== undefined && walk.peek() === setup
    for (let task = walk.peek(); task && !matches(task); task = walk.peek()) walk.finish({ failed: false })
    if (!walk.peek()) continue
    found = true
    if (gathers) walk.precede(setup)
  }
  pr.run.startDone = found
}

function titleOfWritten(task: Task): string {
  const name =
    task.name === undefined || task.name === null
      ? task.action.name
      : typeof task.name === 'object' && 'text' in task.name
        ? String(task.name.text)
        : String(task.name)
  return task.role ? `${task.role.name} : ${name}` : name
}
