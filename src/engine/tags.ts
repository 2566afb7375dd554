/** Leaves out the tasks that --tags and --skip-tags leave out. */
import { type Raw, Template } from '../base/index.ts'
import { type Block, type Step, type Task, tagsAllow } from '../playbook/index.ts'
import type { PlayRun } from './state.ts'

const everything = (pr: PlayRun): boolean => {
  const { only, skip } = pr.run.settings.tags
  return only.length === 1 && only[0] === 'all' && skip.length === 0
}

/** The blocks with what the tag filter leaves in them; blocks that become empty go. */
export function taggedBlocks(blocks: readonly Block[], pr: PlayRun): Block[] {
  return blocks.flatMap((b) => {
    const left = taggedBlock(b, pr)
    return left ? [left] : []
  })
}

function taggedBlock(block: Block, pr: PlayRun): Block | undefined {
  const left = {
    ...block,
    block: taggedSteps(block.block, pr),
    rescue: taggedSteps(block.rescue, pr),
    always: taggedSteps(block.always, pr),
  }
  return left.block.length + left.rescue.length + left.always.length > 0 ? left : undefined
}

function taggedSteps(steps: readonly Step[], pr: PlayRun): Step[] {
  return steps.flatMap((step): Step[] => {
    if (step.kind === 'block') {
      const left = taggedBlock(step, pr)
      return left ? [left] : []
    }
    return isTagged(step, pr) ? [step] : []
  })
}

/** Does the tag filter let this task run? */
export function isTagged(task: Task, pr: PlayRun): boolean {
  if (task.implicit && task.action.resolved === 'ansible.builtin.meta') return true
  if (everything(pr) && !task.keywords.tags.some((t) => t instanceof Template || t === 'never')) return true
  return tagsAllow(
    task.keywords.tags.flatMap((t) => tagNames(t, pr, task)),
    pr.run.settings.tags,
  )
}

/** The tag, or the tags of a template that comes to a list; a number is a tag that no option names. */
function tagNames(raw: Raw, pr: PlayRun, task: Task): string[] {
  const value = raw instanceof Template ? pr.run.templar.render(raw, pr.run.variables.scope({ view: pr.view, task })) : raw
  return (Array.isArray(value) ? value : [value]).map((tag) => (typeof tag === 'string' ? tag : `\0${String(tag)}`))
}
