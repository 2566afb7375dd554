/** Turns a list of hosts from the command line (`h1,h2:2222,`) into statements; ranges are not expanded there. */
import { parseAddress } from './address.ts'
import type { Reading, Statement } from './statements.ts'

export function readHostList(text: string): Reading {
  const seen = new Set<string>()
  const statements: Statement[] = []
  for (const written of text.split(',').map((part) => part.trim())) {
    if (written === '') continue
    const address = written.includes('[') && !/^\[[^[\]]+\]:\d+$/.test(written) ? undefined : parseAddress(written)
    const name = address?.host ?? written
    if (seen.has(name)) continue
    seen.add(name)
    statements.push({ do: 'host', name, group: 'ungrouped', port: address?.port })
  }
  return { statements }
}
