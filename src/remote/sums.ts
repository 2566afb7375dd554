/** Asks for the checksums of many files, which one program tells together. */
import { each, type Probe } from './probe.ts'
import { sh } from './script.ts'
import { type Algorithm, sumProgram } from './stat.ts'
import { inParts } from './stats.ts'

/** The checksum of each path that is a regular file (not a link) and can be read; undefined for the others. */
export function sumsProbe(paths: readonly string[], algorithm: Algorithm): Probe<(string | undefined)[]> {
  const parts = each(inParts(paths).map((part) => sumsOf(part, algorithm)))
  return { script: parts.script, read: (fields) => parts.read(fields).flat() }
}

/** Where one of the files has gone meanwhile, or where a name may be taken for two lines, each is told by itself. */
function sumsOf(paths: readonly string[], algorithm: Algorithm): Probe<(string | undefined)[]> {
  const sum = sumProgram(algorithm)
  const all = paths.some((path) => path.includes('\n')) ? sh`false` : sh`${sum} -- "$@"`
  const script = sh`set -- ${paths}
for p; do shift; if [ -f "$p" ] && [ -r "$p" ] && [ ! -L "$p" ]; then set -- "$@" "$p"; printf 1; else printf 0; fi; done; printf '\0'
[ $# = 0 ] || ${all} || { printf '\0'; for p; do ${sum} <"$p"; printf '\0'; done; }
printf '\0'`
  return {
    script,
    read: (fields) => {
      const hashed = [...fields.text()].map((flag) => flag === '1')
      const count = hashed.filter(Boolean).length
      const together = fields
        .text()
        .split('\n')
        .filter((line) => line !== '')
      const lines = together.length === count ? together : Array.from({ length: count }, () => fields.text())
      if (together.length !== count) fields.text()
      let at = 0
      return hashed.map((is) => (is ? digestIn(lines[at++]!) : undefined))
    },
  }
}

/** A line begins with the digest, before it a backslash where the name that follows has something escaped. */
const digestIn = (line: string): string | undefined => /^\\?([0-9a-f]+)/.exec(line)?.[1]
