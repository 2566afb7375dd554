/** A task whose action is a template → the task with the module that it names for a host. */
import { join } from 'node:path'
import { Problem } from '../base/index.ts'
import type { Task } from '../playbook/index.ts'
import type { PlayRun } from './state.ts'
import { taskScope } from './task.ts'

/** What cannot be rendered or found stays: the task fails when it runs. */
export function concrete(pr: PlayRun, task: Task, host: string): Task {
  const { template } = task.action
  if (!template) return task
  try {
    const name = pr.run.templar.text(pr.run.templar.render(template, taskScope(pr, task, host)))
    const info = pr.run.load.module(name, task.keywords.collections, [join(pr.view.playbookDir, 'library')])
    if (!info) return { ...task, action: { ...task.action, name } }
    return { ...task, action: { ...task.action, name, resolved: info.resolved, file: info.file, template: undefined } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return task
  }
}
