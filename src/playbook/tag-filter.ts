/** The tags of a task and --tags/--skip-tags → whether it runs. */
import { type Raw, Template } from '../base/index.ts'
import type { TagFilter } from './model.ts'

/** `always`, `never`, `tagged`, `untagged` and `all` mean what they mean to Ansible. */
export function tagsAllow(tags: readonly string[], filter: TagFilter): boolean {
  const own = new Set(tags.length > 0 ? tags : ['untagged'])
  return isWanted(own, new Set(filter.only)) && !isSkipped(own, new Set(filter.skip))
}

function isWanted(own: ReadonlySet<string>, only: ReadonlySet<string>): boolean {
  if (only.size === 0 || own.has('always') || meet(own, only)) return true
  if (own.has('never')) return false
  return only.has('all') || (only.has('tagged') && isTagged(own))
}

function isSkipped(own: ReadonlySet<string>, skip: ReadonlySet<string>): boolean {
  if (skip.has('all')) return !own.has('always') || skip.has('always')
  return meet(own, skip) || (skip.has('tagged') && isTagged(own))
}

const isTagged = (own: ReadonlySet<string>): boolean => own.size !== 1 || !own.has('untagged')
const meet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((tag) => b.has(tag))

/** Tags as texts, each once; templates are rendered, and may give lists. */
export function plainTags(tags: readonly Raw[], render: (raw: Raw) => Raw): string[] {
  const all = tags.flatMap((tag) => {
    const value = tag instanceof Template ? render(tag) : tag
    return Array.isArray(value) ? value.map(String) : [String(value)]
  })
  return [...new Set(all)]
}
