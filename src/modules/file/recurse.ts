/** Mends the attributes of everything below a folder: one look lists it, then each kind of step runs once for all paths that need it. */
import { type Script, sh } from '../../remote/index.ts'
import type { Change, Done } from '../api.ts'
import { ask } from '../files/ask.ts'
import { attributeSteps, type Now, type Step } from '../files/attributes.ts'
import type { Task } from './look.ts'

/** True where something was (or would be) changed. */
export async function* recurse(task: Task, path: string): AsyncGenerator<Change, boolean, Done> {
  const entries = await ask(task.host, { script: listScript(path, sh``), read: (fields) => entriesOf(fields.rest()) })
  const targets =
    task.args.follow && entries.some((e) => e.now.kind === 'link')
      ? await ask(task.host, { script: listScript(path, sh`-L`), read: (fields) => entriesOf(fields.rest()) })
      : []
  let changed = false
  for (const [step, paths] of grouped([...entries, ...targets], task)) {
    yield {
      what: 'attributes',
      // the step's script stands for one path; here it gets all of them from its input
      script: sh`xargs -0 sh -c ${`for f; do ${step.script(sh`"$f"`).text}
done`} sh`,
      stdin: new TextEncoder().encode([...paths].map((p) => `${p}\0`).join('')),
      failMessage: 'Could not recursively set attributes',
    }
    changed = true
  }
  return changed
}

interface Entry {
  readonly path: string
  readonly now: Now
}

function grouped(entries: readonly Entry[], task: Task): [Step, Set<string>][] {
  const groups = new Map<string, [Step, Set<string>]>()
  for (const { path, now } of entries) {
    for (const step of attributeSteps(now, task.found.wanted, path)) {
      if (step.idle && !task.host.check) continue
      const key = JSON.stringify([step.what, step.after])
      const group = groups.get(key) ?? [step, new Set<string>()]
      group[1].add(path)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}

/** Mode, ids, kind and path of everything below; GNU find tells it at once, elsewhere stat is asked for each. */
function listScript(path: string, follow: Script): Script {
  return sh`if find / -maxdepth 0 -printf '' 2>/dev/null; then
find ${follow} ${path} -mindepth 1 -printf '%#m %U %G %y %p\0'
else
find ${follow} ${path} -mindepth 1 -exec sh -c 'for f; do k=f; [ -d "$f" ] && k=d; [ -L "$f" ] && [ -z "$0" ] && k=l; printf "%s %s %s\0" "$(stat \${0:+-L} -c "0%a %u %g" -- "$f")" $k "$f"; done' ${follow.text === '' ? '' : 'L'} {} +
fi`
}

const KINDS: Readonly<Record<string, Now['kind']>> = { f: 'file', d: 'directory', l: 'link', p: 'fifo', s: 'socket', c: 'char', b: 'block' }

function entriesOf(bytes: Uint8Array): Entry[] {
  const entries: Entry[] = []
  for (const record of new TextDecoder().decode(bytes).split('\0')) {
    const match = /^(\d+) (\d+) (\d+) (\S) ([\s\S]*)$/.exec(record)
    if (!match) continue
    const [, mode, uid, gid, kind, path] = match
    const now: Now = {
      mode: Number.parseInt(mode!, 8),
      uid: Number(uid),
      gid: Number(gid),
      kind: KINDS[kind!] ?? 'file',
      context: undefined,
      attributes: undefined,
    }
    entries.push({ path: path!, now })
  }
  return entries
}
