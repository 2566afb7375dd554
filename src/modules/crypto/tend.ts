/** Gives a file that a module made or found the owner, group and mode that are asked for, or takes it away. */
import { sh, statProbe } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure } from '../api.ts'
import { askAll } from '../files/ask.ts'
import { type AttributeArgs, attributeSteps, stepsDiff, wantedProbe } from '../files/attributes.ts'
import { attributeChange, parentOf, readInstalled } from '../files/install.ts'

/** Whether something had to be changed. */
export async function* tend(host: Host, args: AttributeArgs, path: string): AsyncGenerator<Change, boolean, Done> {
  const { now, wanted } = await askAll(host, { now: statProbe(path, { follow: true }), wanted: wantedProbe(args, { self: true }) })
  if (!now.exists) return false
  const steps = attributeSteps(now, wanted, path)
  if (!steps.some((step) => !step.idle)) return false
  const done = yield attributeChange(path, steps, stepsDiff(steps))
  if (done) readInstalled(done, path)
  return true
}

/** Fails, also in check mode, where the folder of a file is not there. */
export async function needFolder(host: Host, path: string): Promise<void> {
  const folder = path.includes('/') ? parentOf(path) : '.'
  const told = await host.look(sh`[ -d ${folder} ]`, { onFailure: 'tell' })
  if (told.code !== 0) throw new ModuleFailure(`The directory ${folder} does not exist or the file is not a directory`, { name: folder })
}

/** Takes a file away, with a copy beside it where one is wanted; tells whether there was one and the copy's name. */
export async function* takeAway(
  host: Host,
  paths: readonly string[],
  backup: boolean,
): AsyncGenerator<Change, { readonly changed: boolean; readonly backup?: string }, Done> {
  const found = await host.look(sh`for p in ${paths}; do if [ -e "$p" ] || [ -L "$p" ]; then printf x; fi; done`)
  if (found.stdout.length === 0) return { changed: false }
  const done = yield {
    what: 'state',
    diff: { before: { state: 'present' }, after: { state: 'absent' } },
    script: sh`${backup ? backupLine(paths[0]!) : sh``}rm -f -- ${paths}`,
  }
  const name = done && new TextDecoder().decode(done.stdout)
  return { changed: true, ...(name ? { backup: name } : {}) }
}

/** Prints the name of the copy. */
export const backupLine = (
  path: string,
) => sh`if [ -f ${path} ]; then b=${path}.$$.$(date +%Y-%m-%d@%H:%M:%S)~; cp -p -- ${path} "$b" || exit 1; printf %s "$b"; fi
`
