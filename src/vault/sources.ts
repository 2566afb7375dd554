/** Turns what people give (`label@file`, `label@script`, `label@prompt`) into secrets. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { Problem } from '../base/index.ts'
import { isSealed } from './envelope.ts'
import { createVault, type Secret } from './vault.ts'

/** One place a password comes from. */
export type SecretSource =
  | { readonly from: 'file'; readonly id: string; readonly path: string }
  | { readonly from: 'prompt'; readonly id: string; readonly plainPrompt: boolean }

export interface SecretRequest {
  /** `--vault-id` and DEFAULT_VAULT_IDENTITY_LIST, configured ones first */
  readonly ids: readonly string[]
  /** `--vault-password-file` and DEFAULT_VAULT_PASSWORD_FILE */
  readonly files: readonly string[]
  readonly ask: boolean
  /** DEFAULT_VAULT_IDENTITY */
  readonly defaultId: string
}

/** What was asked for, as sources in the order they are tried. */
export function secretSources({ ids, files, ask, defaultId }: SecretRequest): SecretSource[] {
  const sources = [...ids, ...files.map((file) => `${defaultId}@${file}`)].map((slug): SecretSource => {
    const at = slug.indexOf('@')
    const id = at > 0 ? slug.slice(0, at) : defaultId
    const place = at === -1 ? slug : slug.slice(at + 1)
    if (place === 'prompt' || place === 'prompt_ask_vault_pass') return { from: 'prompt', id, plainPrompt: place !== 'prompt' }
    return { from: 'file', id, path: place }
  })
  return ask ? [...sources, { from: 'prompt', id: defaultId, plainPrompt: true }] : sources
}

export interface SecretInput {
  readonly cwd: string
  /** what `~` stands for */
  readonly home: string
  /** asks without echo */
  readonly prompt: (text: string) => Promise<string>
  readonly warn: (message: string) => void
  /** a password that is being made is asked for twice */
  readonly confirm?: boolean | undefined
}

/** Reads every source. A file that cannot be read warns; when none can, the last problem is thrown. */
export async function loadSecrets(sources: readonly SecretSource[], input: SecretInput): Promise<Secret[]> {
  const secrets: Secret[] = []
  let last: unknown
  for (const source of sources) {
    try {
      const password = source.from === 'prompt' ? await askFor(source, input) : readPassword(source, input, secrets)
      secrets.push({ id: source.id, password })
    } catch (error) {
      if (!(error instanceof Problem) || source.from === 'prompt') throw error
      const what = error.message.endsWith('was not found') ? 'getting vault password file' : 'in vault password file loading'
      input.warn(`Error ${what} (${source.id}): ${error.message}`)
      last = error
    }
  }
  if (secrets.length === 0 && last !== undefined) throw last
  return secrets
}

async function askFor(source: Extract<SecretSource, { from: 'prompt' }>, { prompt: ask, confirm }: SecretInput): Promise<Uint8Array> {
  const prompt = (text: string): Promise<string> => ask(text).catch((error: unknown) => Promise.reject(unanswered(error)))
  const word = source.plainPrompt ? 'Vault password' : 'vault password'
  const label = source.plainPrompt ? '' : ` (${source.id})`
  const first = await prompt(confirm ? `New ${word}${label}: ` : `Vault password${label}: `)
  if (confirm && (await prompt(`Confirm ${source.plainPrompt ? 'New ' : 'new '}${word}${label}: `)) !== first) {
    throw new Problem('Passwords do not match', { kind: 'vault' })
  }
  return notEmpty(Buffer.from(first.trim()), 'Invalid vault password was provided')
}

/** A secret that nobody gives is a fault of the vault, not of how the program was called. */
const unanswered = (error: unknown): unknown =>
  error instanceof Problem ? new Problem(error.message, { kind: 'vault', hint: error.hint, cause: error }) : error

function readPassword({ id, path }: Extract<SecretSource, { from: 'file' }>, input: SecretInput, known: readonly Secret[]): Uint8Array {
  const file = resolve(input.cwd, path.replace(/^~(?=\/|$)/, input.home))
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) throw new Problem(`The vault password file ${file} was not found`, { kind: 'vault' })
  if (stat.isDirectory()) throw new Problem(`The vault password file provided '${file}' can not be a directory`, { kind: 'vault' })
  if (isExecutable(file)) return notEmpty(runScript(file, id), `Invalid vault password was provided from script (${file})`)
  const text = readFileSync(file)
  const written = text.toString('utf8').trim()
  const password = isSealed(written) ? createVault(known).openBytes(written).plain : Buffer.from(text.toString('latin1').trim(), 'latin1')
  return notEmpty(password, `Invalid vault password was provided from file (${file})`)
}

/** Runs a password script; one named NAME-client is told which id is wanted and answers 2 when it does not know it. */
function runScript(file: string, id: string): Uint8Array {
  const isClient = basename(file, extname(file)).endsWith('-client')
  const { status, stdout, error } = spawnSync(file, isClient ? ['--vault-id', id] : [], { stdio: ['inherit', 'pipe', 'inherit'] })
  if (error) {
    throw new Problem(`Problem running vault password script ${file} (${error.message}).`, {
      kind: 'vault',
      hint: 'if this is not a script, remove the executable bit from the file',
    })
  }
  if (isClient && status === 2)
    throw new Problem(`Vault password client script ${file} did not find a secret for vault-id=${id}`, { kind: 'vault' })
  if (status !== 0) throw new Problem(`Vault password script ${file} returned non-zero (${status})`, { kind: 'vault' })
  return Buffer.from(stdout.toString('latin1').replace(/^[\r\n]+|[\r\n]+$/g, ''), 'latin1')
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function notEmpty(password: Uint8Array, message: string): Uint8Array {
  if (password.length === 0) throw new Problem(message, { kind: 'vault' })
  return password
}
