/** The tags of a task and --tags/--skip-tags → whether it runs. */
import { type Raw, Template } from '../base/index.ts'
import type { TagFilter } from './model.ts'

/** `always`, `never`, `tagged`, `untagged` and `all` mean what they mean to Ansible. */
export function tagsAllow(tags: readonly string[], filter: TagFilter): boolean {
  const own = new Set(tags.length > 0 ? tags : UNTAGGED)
  return isWanted(own, new Set(filter.only)) && !isSkipped(own, new Set(filter.skip))
}

const UNTAGGED = ['untagged']

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

function meet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const one of a) if (b.has(one)) return true
  return false
}

/** Tags as texts, each once; templates are rendered, and may give lists. */
export function plainTags(tags: readonly Raw[], render: (raw: Raw) => Raw): string[] {
  const all = new Set<string>()
  for (const tag of tags) {
    const value = tag instanceof Template ? render(tag) : tag
    if (Array.isArray(value)) for (const one of value) all.add(String(one))
    else all.add(String(value))
  }
  return [...all]
}
