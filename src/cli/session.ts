/** Options → the settings and vault secrets of commands that run nothing on hosts. */
import { loadSettings, type Settings } from '../config/index.ts'
import { loadSecrets, type Secret, secretSources } from '../vault/index.ts'
import type { Terminal } from './terminal.ts'

export interface VaultRequest {
  readonly vaultIds: readonly string[]
  readonly vaultPasswordFiles: readonly string[]
  readonly askVaultPass: boolean
}

export const readSettings = ({ cwd, env, home }: Terminal): Settings => loadSettings({ cwd, env, home })

export interface SecretsWanted {
  /** a password that is asked for is asked for twice */
  readonly making?: boolean | undefined
  /** false: only what the request names */
  readonly configured?: boolean | undefined
}

/** Reads the secrets that options and settings name, configured ones first. */
export async function readSecrets(
  settings: Settings,
  request: VaultRequest,
  terminal: Terminal,
  how: SecretsWanted = {},
): Promise<Secret[]> {
  const { cwd, home, ask } = terminal
  const { making, configured = true } = how
  const file = configured ? settings.get('DEFAULT_VAULT_PASSWORD_FILE') : undefined
  const ids = [...(configured ? settings.get('DEFAULT_VAULT_IDENTITY_LIST') : []), ...request.vaultIds].filter((id) => id !== '')
  const files = [...request.vaultPasswordFiles, ...(file === undefined ? [] : [file])]
  const isNamed = ids.length > 0 || files.length > 0
  const sources = secretSources({
    ids,
    files,
    ask: request.askVaultPass || settings.get('DEFAULT_ASK_VAULT_PASS') || !isNamed,
    defaultId: settings.get('DEFAULT_VAULT_IDENTITY'),
  })
  return loadSecrets(sources, {
    cwd,
    home,
    confirm: making,
    prompt: (text) => ask(text, { echo: false }),
    warn: (text) => warn(terminal, text),
  })
}

export const warn = ({ err }: Terminal, text: string): void => err(`[WARNING]: ${text}\n`)
