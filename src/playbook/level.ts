/** A level and what stands in it → the level within: keywords inherited, variables layered, files remembered. */
import { dirname } from 'node:path'
import type { RawVars } from '../base/index.ts'
import { fallingBack, type OwnKeywords, over } from './inherit.ts'
import type { Level, PlayFrame, RoleUse } from './loading.ts'
import type { Keywords } from './model.ts'

/** The level of a play's own lists. */
export function playLevel(play: PlayFrame, keywords: Keywords): Level {
  return {
    play,
    keywords,
    vars: [],
    includeVars: [],
    use: undefined,
    file: play.path,
    fileChain: [],
    trail: [],
    importing: [],
    includes: 0,
  }
}

/** The level within a block: its keywords and variables added. */
export function within(level: Level, own: OwnKeywords, vars: RawVars): Level {
  return { ...level, keywords: over(own, level.keywords), vars: withVars(vars, level.vars) }
}

export const withVars = (vars: RawVars, weaker: readonly RawVars[]): readonly RawVars[] => (vars.size > 0 ? [vars, ...weaker] : weaker)

/** The level of the tasks in a file that was included or imported here. */
export function inFile(level: Level, file: string, dir: string, importing = level.importing): Level {
  return { ...level, file, fileChain: [dirname(level.file), ...level.fileChain], trail: [{ dir, role: false }, ...level.trail], importing }
}

/** The level of a role's own lists, for a role that the play or another role names. */
export function inRole(play: PlayFrame, use: RoleUse, file: string): Level {
  return {
    ...playLevel(play, { ...use.keywords, collections: use.role.collections }),
    use,
    file,
    trail: [{ dir: use.role.path, role: true }],
  }
}

/** The same for a role that a task includes or imports: what surrounds the task comes before what the role brings. */
export function inIncludedRole(outer: Level, use: RoleUse, file: string): Level {
  return {
    ...outer,
    use,
    file,
    trail: [{ dir: use.role.path, role: true }, ...outer.trail],
    fileChain: [dirname(outer.file), ...outer.fileChain],
    keywords: { ...fallingBack(outer.keywords, use.keywords), collections: use.role.collections },
  }
}
