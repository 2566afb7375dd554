/** What apt-cache policy says of sources and of packages → the origin of each installed version. */
import { linesOf } from '../../facts/index.ts'

/** A function that tells the origin (such as Debian) of a package's version; empty where only dpkg knows it. */
export function originsOf(sources: string | undefined, policy: string | undefined): (name: string, version: string) => string {
  const origins = sourceOrigins(sources)
  const found = new Map<string, string>()
  let name = ''
  let version = ''
  for (const line of linesOf(policy)) {
    const header = /^(\S+):$/.exec(line)?.[1]
    const heading = /^ (?:\*\*\*| {3}) (\S+)/.exec(line)?.[1]
    const source = /^ {8} *-?\d+ (.+)$/.exec(line)?.[1]
    if (header !== undefined) name = header
    else if (heading !== undefined) version = heading
    else if (source !== undefined) {
      const key = `${name} ${version}`
      const origin = origins.get(source)
      if (origin !== undefined && !found.has(key)) found.set(key, origin)
    }
  }
  return (one, its) => found.get(`${one} ${its}`) ?? ''
}

/** ` 500 http://… bookworm/main amd64 Packages` and below it `     release v=12,o=Debian,…`. */
function sourceOrigins(text: string | undefined): ReadonlyMap<string, string> {
  const origins = new Map<string, string>()
  let source = ''
  for (const line of linesOf(text)) {
    source = /^ *-?\d+ (\S.*)$/.exec(line)?.[1] ?? source
    const origin = /^\s+\S+ (?:[^\n]*,)?o=([^,]*)/.exec(line)?.[1]
    if (origin !== undefined) origins.set(source, origin)
  }
  return origins
}
