/** Turns a list of hosts from the command line (`h1,h2:2222,`) into statements; ranges are expanded by advanced_host_list alone. */
import { Problem } from '../base/index.ts'
import { parseAddress } from './address.ts'
import { expandHost } from './ranges.ts'
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

/** With ranges expanded; a name that cannot be taken apart stays as it is. */
export function readAdvancedHostList(text: string, tell: (message: string) => void): Reading {
  const statements: Statement[] = []
  const seen = new Set<string>()
  for (const written of text.split(',').map((part) => part.trim())) {
    if (written === '') continue
    const { hosts, port } = expanded(written, tell)
    for (const name of hosts) {
      if (!seen.has(name)) statements.push({ do: 'host', name, group: 'ungrouped', port })
      seen.add(name)
    }
  }
  return { statements }
}

function expanded(written: string, tell: (message: string) => void): ReturnType<typeof expandHost> {
  try {
    return expandHost(written)
  } catch (error) {
    if (!(error instanceof Problem) || !TAKEN_AS_WRITTEN.test(error.message)) throw error
    tell(`Unable to parse address from hostname, leaving unchanged: ${error.message}`)
    return { hosts: [written], port: undefined }
  }
}

/** Faults of a range's form; others are faults of the whole list. */
const TAKEN_AS_WRITTEN = /^(?:host range must|Invalid host pattern)/
