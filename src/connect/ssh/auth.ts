/** A machine's settings → the ways of proving who we are, tried one after the other, and the words for when none is taken. */
import { existsSync, readFileSync } from 'node:fs'
import ssh2, { type AnyAuthMethod, type AuthenticationType, type AuthHandlerMiddleware, type ParsedKey } from 'ssh2'
import { AgentKeys, CertifiedKey } from './agent.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import type { Settings } from './settings.ts'

interface Try {
  readonly what: string
  /** as the host calls it */
  readonly method: AuthenticationType
  readonly offer: AnyAuthMethod
}

export interface Authentication {
  readonly handler: AuthHandlerMiddleware
  /** one line each: what was tried, what could not be, what the host allows */
  readonly notes: () => string[]
}

export function authentication(settings: Settings): Authentication {
  const problems: string[] = []
  const tries = allowedTries(settings, [...keyTries(settings, problems), ...agentTries(settings, problems), ...passwordTries(settings)])
  const open = [...tries]
  const tried: string[] = []
  let current: Try | undefined
  let allowed: readonly string[] | undefined

  const handler: AuthHandlerMiddleware = (left, partial, next) => {
    if (left) allowed = left
    // half the way: the same key or password is not asked for twice, but all others may now be wanted
    if (partial)
      open.splice(
        0,
        open.length,
        ...tries.filter((each) => each !== current && !(each.method === current?.method && each.method !== 'publickey')),
      )
    current = undefined
    while (open.length > 0 && current === undefined) {
      const candidate = open.shift()!
      if (!left || left.includes(candidate.method)) current = candidate
    }
    if (current === undefined) {
      if (allowed === undefined) return next({ type: 'none', username: settings.user })
      return next(false as never)
    }
    tried.push(current.what)
    next(current.offer)
  }
  const notes = (): string[] => [
    `tried: ${tried.length === 0 ? 'nothing, for there is no key and no password to try' : tried.join(', ')}`,
    ...problems,
    ...(allowed === undefined ? [] : [`the host allows: ${allowed.join(', ')}`]),
  ]
  return { handler, notes }
}

/** Only the methods that the configuration names, in its order. */
function allowedTries({ methods }: Settings, tries: readonly Try[]): Try[] {
  if (methods === undefined) return [...tries]
  return methods.flatMap((method) => tries.filter((each) => each.method === method))
}

function keyTries(settings: Settings, problems: string[]): Try[] {
  const certificates = certificatesOf(settings, problems)
  const given = settings.privateKey === undefined ? [] : [{ what: 'the given private key', text: settings.privateKey }]
  const files = settings.identityFiles.flatMap((path) => {
    try {
      return [{ what: `key ${path}`, text: readFileSync(path) }]
    } catch (error) {
      problems.push(
        `key ${path}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message}`,
      )
      return []
    }
  })
  return [...given, ...files].flatMap(({ what, text }) => {
    const key = parse(text, settings.passphrase)
    if (typeof key === 'string') {
      problems.push(`${what}: ${key}`)
      return []
    }
    return [
      ...certificates.filter((each) => each.key.equals(key.getPublicSSH())).map((each) => certified(what, settings.user, key, each)),
      { what, method: 'publickey' as const, offer: { type: 'publickey' as const, username: settings.user, key } },
    ]
  })
}

const certified = (what: string, username: string, key: ParsedKey, certificate: Certificate): Try => ({
  what: `the certificate of ${what}`,
  method: 'publickey',
  offer: { type: 'agent', username, agent: new CertifiedKey(key, certificate) },
})

/** The key, or why there is none. */
function parse(text: string | Buffer, passphrase: string | undefined): ParsedKey | string {
  const parsed = ssh2.utils.parseKey(text, passphrase) as ParsedKey | ParsedKey[] | Error
  if (parsed instanceof Error) {
    if (!isEncrypted(text)) return `cannot be read: ${parsed.message}`
    return passphrase === undefined ? 'is encrypted, and no passphrase is given' : 'is encrypted, and the passphrase does not fit'
  }
  const key = Array.isArray(parsed) ? parsed[0]! : parsed
  return key.isPrivateKey() ? key : 'is a public key'
}

/** The old form says ENCRYPTED; the new one names a cipher other than none. */
function isEncrypted(text: string | Buffer): boolean {
  const pem = text.toString()
  if (/ENCRYPTED/.test(pem)) return true
  const body = /BEGIN OPENSSH PRIVATE KEY-----([\s\S]*?)-----END/.exec(pem)?.[1]
  return body !== undefined && Buffer.from(body, 'base64').toString('latin1', 19, 23) !== 'none'
}

function agentTries(settings: Settings, problems: string[]): Try[] {
  if (settings.agent === undefined) return []
  const certificates = certificatesOf(settings, problems)
  const named = [...publicKeys(settings), ...settings.certificateFiles.flatMap((path) => readCertificate(path)?.key ?? [])]
  const only = settings.identitiesOnly ? named : undefined
  const agent = new AgentKeys(settings.agent, { only, certificates, tellProblem: (problem) => problems.push(problem) })
  return [{ what: 'the agent’s keys', method: 'publickey', offer: { type: 'agent', username: settings.user, agent } }]
}

/** All certificates that are named, or stand beside keys that are. */
function certificatesOf(settings: Settings, problems: string[]): Certificate[] {
  const beside = settings.identityFiles.map((path) => `${path}-cert.pub`).filter((path) => existsSync(path))
  return [...new Set([...settings.certificateFiles, ...beside])].flatMap((path) => {
    const certificate = readCertificate(path)
    if (certificate === undefined && !problems.some((problem) => problem.startsWith(`certificate ${path}:`)))
      problems.push(
        `certificate ${path}: ${existsSync(path) ? 'is none, or for a kind of key that is not known' : 'there is no such file'}`,
      )
    return certificate ?? []
  })
}

function publicKeys(settings: Settings): Buffer[] {
  return settings.identityFiles.flatMap((path) => {
    for (const file of [`${path}.pub`, path]) {
      try {
        const key = ssh2.utils.parseKey(readFileSync(file), settings.passphrase)
        if (!(key instanceof Error)) return [key.getPublicSSH()]
      } catch {
        // the next form of it
      }
    }
    return []
  })
}

function passwordTries(settings: Settings): Try[] {
  const { password, user } = settings
  if (password === undefined) return []
  return [
    { what: 'the password', method: 'password', offer: { type: 'password', username: user, password } },
    {
      what: 'the password at the host’s prompt',
      method: 'keyboard-interactive',
      offer: {
        type: 'keyboard-interactive',
        username: user,
        prompt: (_name, _instructions, _language, prompts, finish) => finish(prompts.map(() => password)),
      },
    },
  ]
}
