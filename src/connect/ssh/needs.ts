/** What a user asks of ssh → why only the system's own program can do it, if that is so. */
import { readFileSync } from 'node:fs'
import type { Endpoint } from '../api.ts'
import type { Options } from './config-file.ts'
import { first, isYes } from './options.ts'

const said = (value: string | undefined): boolean => value !== undefined && value.toLowerCase() !== 'none'
const always = (value: string | undefined): boolean => value !== undefined && !/^(no|false)$/i.test(value)

/** Options that our own client does not have, wherever they are said. */
const foreign: Readonly<Record<string, (value: string | undefined) => boolean>> = {
  pkcs11provider: said,
  knownhostscommand: said,
  hostbasedauthentication: isYes,
  verifyhostkeydns: isYes,
  canonicalizehostname: always,
  proxyusefdpass: isYes,
}

export function whyProgram(endpoint: Endpoint, words: Options, options: Options, identityFiles: readonly string[]): string | undefined {
  if (endpoint.client === 'program') return 'it is asked for'
  if (endpoint.client === 'library') return undefined
  const option = Object.keys(foreign).find((name) => foreign[name]!(first(options, name)))
  if (option !== undefined) return `${option} is set`
  // many a system says yes to this for all hosts, with no ticket to show: it counts where it is meant
  if (isYes(first(words, 'gssapiauthentication'))) return 'gssapiauthentication is set'
  if (/^(gssapi|hostbased)/i.test(first(options, 'preferredauthentications') ?? ''))
    return 'preferredauthentications begins with a way it does not have'
  const hardware = identityFiles.find(isOnHardware)
  return hardware === undefined ? undefined : `${hardware} is a key in hardware`
}

/** The public half says what kind of key it is. */
function isOnHardware(path: string): boolean {
  try {
    return readFileSync(`${path}.pub`, 'utf8').startsWith('sk-')
  } catch {
    return false
  }
}
