/** Finds the folders that are missing on the way to a path, and makes them. */
import { type Probe, type Script, sh } from '../../remote/index.ts'
import type { Step } from './attributes.ts'

/** The folders on the way that are not there yet, outermost first; the path itself is the last. Empty where the path exists. */
export function missingProbe(path: string): Probe<string[]> {
  return {
    script: sh`q=${path.replace(/(?<=.)\/+$/, '')}; n=0
while [ -n "$q" ] && [ ! -e "$q" ]; do n=$((n + 1)); case $q in */*) q=\${q%/*} ;; *) break ;; esac; done
printf '%s\0' $n`,
    read: (fields) => {
      const count = fields.number() ?? 0
      return count === 0 ? [] : prefixes(path).slice(-count)
    },
  }
}

/** Makes folders in order, each with the steps; exits with the code where one cannot be made. A folder that somebody else made meanwhile is no failure. */
export function makeFoldersScript(folders: readonly string[], steps: readonly Step[], code: number): Script {
  return folders.reduce(
    (all, folder) => sh`${all}if ! mkdir -- ${folder}; then [ -d ${folder} ] || exit ${code}; fi
${stepScripts(steps, folder)}
`,
    sh``,
  )
}

/** The scripts of steps at one path. */
export function stepScripts(steps: readonly Step[], path: Script | string): Script {
  return steps.reduce(
    (all, step) => sh`${all}${step.script(path)}
`,
    sh``,
  )
}

/** `/a`, `/a/b`, `/a/b/c` of `/a/b/c` */
function prefixes(path: string): string[] {
  const names = path.split('/').filter((n) => n !== '')
  const root = path.startsWith('/') ? '/' : ''
  return names.map((_, i) => root + names.slice(0, i + 1).join('/'))
}
