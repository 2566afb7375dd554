/** os-release and its kin as key and value, as a shell would read them. */
import { linesOf } from './look.ts'

/** `KEY=value` lines, quotes taken off, names in upper case. */
export function parseRelease(text: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of linesOf(text)) {
    const match = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*?)\s*$/.exec(line)
    if (match) found.set(match[1]!.toUpperCase(), unquote(match[2]!))
  }
  return found
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text)
  return (quoted?.[1] === '"' ? quoted[2]!.replace(/\\(["\\$`])/g, '$1') : quoted?.[2]) ?? text
}
