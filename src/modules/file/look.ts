/** Asks all that file needs to know about its path, in one look. */
import { known, type Missing, type Probe, type Script, type Stat, type StatQuestion, sh, statsProbe } from '../../remote/index.ts'
import type { Host } from '../api.ts'
import { askAll } from '../files/ask.ts'
import { wantedProbe } from '../files/attributes.ts'
import { missingProbe } from '../files/folders.ts'
import { parentOf } from '../files/install.ts'
import { epochProbe, type Times } from './times.ts'
import type { FileArgs } from './types.ts'

/** What was found; `here` is the path itself, `real` what it leads to. */
export type Found = Awaited<ReturnType<typeof lookAt>>

/** What a state has to work with. */
export interface Task {
  readonly args: FileArgs
  readonly path: string
  readonly found: Found
  readonly times: Times
  readonly host: Host
}

export async function lookAt(args: FileArgs, path: string, times: Times, host: Host) {
  const attributes = args.attributes !== undefined
  const inFolder = (folder: string): StatQuestion | undefined =>
    args.src === undefined ? undefined : { path: args.src.startsWith('/') ? args.src : `${folder}/${args.src}`, follow: true }
  const isHard = (args.state === undefined || args.state === 'hard') && args.src !== undefined
  const { stats, ...more } = await askAll(host, {
    stats: statsProbe({
      here: { path, attributes },
      real: { path, attributes, follow: true },
      parent: { path: parentOf(path), follow: true },
      source: inFolder(parentOf(path)),
      sourceInside: inFolder(path),
      hardSource: isHard ? { path: args.src, follow: true } : undefined,
    }),
    wanted: wantedProbe(args, { self: true }),
    empty: args.state === 'link' || args.state === 'hard' ? emptyProbe(path) : known(true),
    missing: missingProbe(path),
    below: args.state === 'absent' && host.diff ? belowProbe(path) : known(undefined),
    times: epochProbe(times),
  })
  return { ...stats, ...more }
}

/** Is the folder empty? Looking changes its access time: not to be asked where it does not matter. */
function emptyProbe(path: string): Probe<boolean> {
  return {
    script: sh`p=${path}; if [ -d "$p" ] && [ -n "$(ls -A -- "$p" 2>/dev/null | head -n 1)" ]; then printf '0\0'; else printf '1\0'; fi`,
    read: (fields) => fields.text() === '1',
  }
}

/** Everything below a folder, for the diff of its removal. */
function belowProbe(path: string): Probe<{ directories: string[]; files: string[] }> {
  const list = (kind: Script): Script => sh`find "$p" -mindepth 1 ${kind} -print 2>/dev/null | tr '\n' '\0'; printf '\0'`
  return {
    script: sh`p=${path}; if [ -d "$p" ] && [ ! -L "$p" ]; then
${list(sh`-type d`)}
${list(sh`! -type d`)}
else printf '\0\0'; fi`,
    read: (fields) => {
      const names = (): string[] => {
        const out: string[] = []
        for (let name = fields.text(); name !== ''; name = fields.text()) out.push(name)
        return out
      }
      return { directories: names(), files: names() }
    },
  }
}

export const isThere = (stat: Stat | Missing | undefined): stat is Stat => stat?.exists === true
