/** The tags of a task and --tags/--skip-tags → whether it runs. */
import { type Raw, Template } from '../base/index.ts'
import type { TagFilter } from './model.ts'

/** `always`, `never`, `tagged`, `untagged` and `all` mean what they mean to Ansible. */
export function tagsAllow(tags: readonly string[], filter: TagFilter): boolean {
  const own = tags.length > 0 ? tags : UNTAGGED
  return isWanted(own, filter.only) && (filter.skip.length === 0 || !isSkipped(own, filter.skip))
}

const UNTAGGED = ['untagged']

function isWanted(own: Tags, only: Tags): boolean {
  if (only.length === 0 || own.includes('always') || meet(own, only)) return true
  if (own.includes('never')) return false
  return only.includes('all') || (only.includes('tagged') && isTagged(own))
}

function isSkipped(own: Tags, skip: Tags): boolean {
  if (skip.includes('all')) return !own.includes('always') || skip.includes('always')
  return meet(own, skip) || (skip.includes('tagged') && isTagged(own))
}

type Tags = readonly string[]

const isTagged = (own: Tags): boolean => own.some((tag) => tag !== 'untagged')

const meet = (a: Tags, b: Tags): boolean => a.some((one) => b.includes(one))

/** Tags as texts, each once; templates are rendered, and may give lists. */
export function plainTags(tags: readonly Raw[], render: (raw: Raw) => Raw): string[] {
  const all: string[] = []
  const add = (tag: string): void => {
    if (!all.includes(tag)) all.push(tag)
  }
  for (const tag of tags) {
    const value = tag instanceof Template ? render(tag) : tag
    if (Array.isArray(value)) for (const one of value) add(String(one))
    else add(String(value))
  }
  return all
}
