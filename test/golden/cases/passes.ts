/** Cases and an engine → what a run with --check, the first and the second run showed of each case. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Case, Dict, Expected, Tree } from './case.ts'
import { type Engine, folderOf, placeOf, play, prepare } from './engine.ts'
import { essence, status } from './mask.ts'
import { layOut, look } from './tree.ts'

export interface Pass {
  readonly results: readonly Dict[]
  /** the tree afterwards */
  readonly tree: Tree
}

export interface Passes {
  readonly before: Tree
  readonly check: Pass
  readonly first: Pass
  readonly second: Pass
}

/** Names of this length, so that sizes of texts that hold them stay the same. */
export const newRoot = (): string => realpathSync(mkdtempSync('/tmp/gm-'))
export const removeRoot = (root: string): void => void execFileSync('rm', ['-rf', root])

export async function passesOf(engine: Engine, root: string, cases: readonly Case[], url: string): Promise<Map<string, Passes>> {
  prepare(root, engine, cases)
  const { system } = placeOf(root)
  for (const one of cases) layOut(one, folderOf(root, one))
  const trees = (): Tree[] => cases.map((one) => look(one, folderOf(root, one), system))
  const pass = async (words: readonly string[]): Promise<Pass[]> => {
    const results = await play(engine, root, cases, words, url)
    const after = trees()
    return cases.map((one, at) => ({
      results: results[at]!.map((result) => essence(result, folderOf(root, one), one.ignore)),
      tree: after[at]!,
    }))
  }
  const before = trees()
  const check = await pass(['--check'])
  for (const [at, one] of cases.entries())
    if (!isDeepStrictEqual(before[at], check[at]!.tree)) {
      removeRoot(folderOf(root, one))
      layOut(one, folderOf(root, one))
    }
  const first = await pass([])
  const second = await pass([])
  return new Map(cases.map((one, at) => [one.name, { before: before[at]!, check: check[at]!, first: first[at]!, second: second[at]! }]))
}

/** What three runs showed, as short as a case's file tells it. */
export function told({ before, check, first, second }: Passes): Expected {
  const same = isDeepStrictEqual
  const asFirst = (results: readonly Dict[]): boolean =>
    same(results.map(status), first.results.map(status)) && same(results.map(diffOf), first.results.map(diffOf))
  return {
    results: first.results,
    ...(same(first.tree, before) ? {} : { tree: changesOf(before, first.tree) }),
    ...(asFirst(check.results) ? {} : { check: check.results.map((result) => ({ ...status(result), ...diffOf(result) })) }),
    ...(second.results.every((result) => same(status(result), { changed: false })) ? {} : { second: second.results.map(status) }),
    ...(same(second.tree, first.tree) ? {} : { secondTree: changesOf(first.tree, second.tree) }),
  }
}

/** What a tree has otherwise than another; nothing in the place of what is gone. */
export function changesOf(before: Tree, after: Tree): Tree {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return Object.fromEntries(
    names.filter((name) => !isDeepStrictEqual(before[name], after[name])).map((name) => [name, after[name] ?? null]),
  )
}

/** What runs must show of a case, said in full; results without what is left out since it was recorded. */
export function wanted({ expected, ignore }: Case): Full | undefined {
  if (expected === undefined) return undefined
  const again = (result: Dict): Dict => essence(result, NOWHERE, ignore)
  const results = expected.results.map(again)
  const check = (expected.check?.map(again) ?? results).map((result) => ({ ...status(result), ...diffOf(result) }))
  return { ...expected, results, check }
}

type Full = Expected & { readonly check: readonly Dict[] }

/** What runs showed, said in full; where nothing shows a diff in Ansible, one may be shown here. */
export function shown(want: Full, passes: Passes): Full {
  const only = (result: Dict, like: Dict | undefined): Dict => {
    const { diff, ...rest } = result
    return diff === undefined || like?.['diff'] === undefined ? rest : result
  }
  const results = passes.first.results.map((result, at) => only(result, want.results[at]))
  const check = passes.check.results.map((result, at) => only({ ...status(result), ...diffOf(result) }, want.check[at]))
  return { ...told(passes), results, check }
}

const NOWHERE = '/no/such/folder'

export const diffOf = (result: Dict): Dict => (result['diff'] === undefined ? {} : { diff: result['diff'] })
