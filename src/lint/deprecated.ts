/** Tasks → forms that still work and should not be written any more. */
import { type Raw, Template } from '../base/index.ts'
import type { Task } from '../playbook/index.ts'
import { type Finding, finding } from './findings.ts'
import type { Walked } from './walk.ts'

export function deprecatedForms({ tasks, handlers }: Walked): Finding[] {
  return [...new Set([...tasks, ...handlers])].flatMap((task) => [...markedConditions(task), ...oldNames(task)])
}

function markedConditions(task: Task): Finding[] {
  return [...task.keywords.when, ...(task.until ?? []), ...(task.changedWhen ?? []), ...(task.failedWhen ?? [])].flatMap((one) =>
    one instanceof Template && /\{\{/.test(one.text)
      ? [finding('deprecated', 'a condition is an expression already', one.span ?? task.span, 'write it without {{ }}')]
      : [],
  )
}

/** Variables of releases before 2.0 → what they are called now. */
const RENAMED: Readonly<Record<string, string>> = {
  ansible_ssh_host: 'ansible_host',
  ansible_ssh_port: 'ansible_port',
  ansible_ssh_user: 'ansible_user',
  ansible_sudo: 'ansible_become',
  ansible_sudo_pass: 'ansible_become_password',
  ansible_su_pass: 'ansible_become_password',
}

function oldNames(task: Task): Finding[] {
  const values: (Raw | undefined)[] = [
    task.action.args as Raw,
    task.name,
    task.loop?.value,
    ...task.keywords.when,
    ...task.vars.map((vars) => vars as Raw),
  ]
  return values
    .flatMap((value) => templates(value))
    .flatMap(({ text, span }) =>
      Object.entries(RENAMED).flatMap(([old, now]) =>
        new RegExp(`(?<![\\w.'"])${old}(?!\\w)`).test(text)
          ? [finding('deprecated', `'${old}' has another name`, span ?? task.span, `it is ${now} now`)]
          : [],
      ),
    )
}

function templates(raw: Raw | undefined): Template[] {
  if (raw instanceof Template) return [raw]
  if (Array.isArray(raw)) return raw.flatMap(templates)
  return raw instanceof Map ? [...raw.values()].flatMap((value) => templates(value as Raw)) : []
}
