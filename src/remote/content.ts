/** Asks for a file's bytes within a bigger question. */
import type { Probe } from './probe.ts'
import { type Script, sh } from './script.ts'

/** The bytes of a regular file (links are followed); undefined where there is none or it cannot be read. Costs a second reading of the file for its length. */
export function contentProbe(path: string | Script): Probe<Uint8Array | undefined> {
  const script = sh`p=${path}
if [ -f "$p" ] && [ -r "$p" ]; then n=$(wc -c <"$p"); n=$((n)); printf '%s\0' "$n"; head -c "$n" -- "$p"; else printf '\0'; fi`
  return {
    script,
    read: (fields) => {
      const size = fields.number()
      return size === undefined ? undefined : fields.take(size).slice()
    },
  }
}

/** The same for the last of several questions: all that comes is content, and nobody has to count it. */
export function lastContentProbe(path: string | Script): Probe<Uint8Array | undefined> {
  const script = sh`p=${path}
if [ -f "$p" ] && [ -r "$p" ]; then printf '1\0'; cat -- "$p"; else printf '\0'; fi`
  return { script, read: (fields) => (fields.text() === '1' ? fields.rest().slice() : undefined) }
}
