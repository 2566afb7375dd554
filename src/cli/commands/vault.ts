/** `tsspray vault VERB …`: makes, seals, opens, shows and edits vaulted files and texts. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { didYouMean, own, Problem } from '../../base/index.ts'
import type { Settings } from '../../config/index.ts'
import {
  createFile,
  createVault,
  decryptFile,
  editFile,
  encryptFile,
  rekeyFile,
  type Secret,
  sealedYaml,
  type Vault,
  viewFile,
} from '../../vault/index.ts'
import { type OptionTable, type Parsed, parseArgs } from '../options.ts'
import { readSecrets, readSettings } from '../session.ts'
import { common, vaultOptions } from '../tables.ts'
import type { Terminal } from '../terminal.ts'
import { Exit } from '../trouble.ts'

const options = {
  ...vaultOptions,
  encryptVaultId: { kind: 'text', names: ['--encrypt-vault-id'], value: 'id', about: 'the vault id that seals' },
  output: { kind: 'text', names: ['--output'], value: 'file', about: 'write there instead; - for standard output' },
  newVaultId: { kind: 'text', names: ['--new-vault-id'], value: 'id@source', about: 'rekey: the new secret' },
  newVaultPasswordFile: {
    kind: 'text',
    names: ['--new-vault-password-file'],
    value: 'file',
    about: 'rekey: a file or script that gives the new password',
  },
  names: { kind: 'texts', names: ['-n, --name'], value: 'name', about: 'encrypt_string: the name of the variable' },
  stdinName: { kind: 'text', names: ['--stdin-name'], value: 'name', about: 'encrypt_string: the name of what standard input says' },
  prompt: { kind: 'flag', names: ['-p, --prompt'], about: 'encrypt_string: ask for the text' },
  showInput: { kind: 'flag', names: ['--show-input'], about: 'encrypt_string: show what is typed' },
  skipTtyCheck: { kind: 'flag', names: ['--skip-tty-check'], about: 'open the editor without a terminal, too' },
  ...common,
} as const satisfies OptionTable

type Options = Parsed<typeof options>

interface Work {
  readonly args: readonly string[]
  readonly options: Options
  readonly settings: Settings
  readonly terminal: Terminal
  readonly vault: Vault
  /** the vault id that seals; undefined: the only one */
  readonly id: string | undefined
}

interface Verb {
  readonly summary: string
  /** a new password may be made up here: ask twice */
  readonly makes?: boolean
  /** its arguments are files that must be there */
  readonly readsFiles?: boolean
  readonly run: (work: Work) => Promise<void> | void
}

const VERBS: { readonly [name: string]: Verb } = {
  create: {
    summary: 'make a sealed file in the editor',
    makes: true,
    run: (work) => {
      wantTerminal(work)
      eachFile(work, (file) => createFile(file, work.vault, work.id, editor(work)))
    },
  },
  edit: {
    summary: 'change a sealed file in the editor',
    readsFiles: true,
    run: (work) => eachFile(work, (file) => editFile(file, work.vault, work.id, editor(work))),
  },
  view: {
    summary: 'show a sealed file',
    readsFiles: true,
    run: (work) => eachFile(work, (file) => work.terminal.out(Buffer.from(viewFile(file, work.vault)).toString('utf8'))),
  },
  encrypt: { summary: 'seal files', makes: true, readsFiles: true, run: encrypt },
  decrypt: { summary: 'open files for good', readsFiles: true, run: decrypt },
  rekey: { summary: 'seal files under another password', readsFiles: true, run: rekey },
  encrypt_string: { summary: 'seal a text, as YAML', makes: true, run: encryptStrings },
}

export const usage = {
  name: 'tsspray vault',
  about: 'Seals and opens files and texts.',
  args: '[args...]',
  options,
  footer: `\nVerbs:\n${Object.entries(VERBS)
    .map(([name, { summary }]) => `  ${name.padEnd(16)}${summary}\n`)
    .join('')}`,
}

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { args, options: given } = parseArgs(usage, argv, terminal)
  const [name, ...rest] = args
  const verb = name === undefined ? undefined : own(VERBS, name)
  if (!verb) {
    const hint = name === undefined ? undefined : didYouMean(name, Object.keys(VERBS))
    terminal.err(
      `tsspray vault: ${name === undefined ? 'a verb is needed' : `there is no verb '${name}'`}: ${Object.keys(VERBS).join(', ')}${hint ? `; ${hint}` : ''}\n`,
    )
    throw new Exit(2)
  }
  if (given.newVaultId !== undefined && given.newVaultPasswordFile !== undefined) {
    terminal.err('tsspray vault: --new-vault-id and --new-vault-password-file exclude each other\n')
    throw new Exit(2)
  }
  const settings = readSettings(terminal)
  const asks = given.vaultIds.length === 0 && given.vaultPasswordFiles.length === 0
  if (verb.readsFiles && asks) wantFiles(rest, terminal)
  const secrets = await readSecrets(settings, given, terminal, { making: verb.makes })
  if (secrets.length === 0) throw new Problem('A vault password is required to use tsspray vault', { kind: 'usage' })
  const id = given.encryptVaultId ?? settings.get('DEFAULT_VAULT_ENCRYPT_IDENTITY')
  if (verb.makes && id === undefined && secrets.length > 1) {
    const names = secrets.map((secret) => secret.id).join(',')
    throw new Problem(`The vault-ids ${names} are available to encrypt. Specify the vault-id to encrypt with --encrypt-vault-id`, {
      kind: 'usage',
    })
  }
  const vault = createVault(secrets, {
    idMatch: settings.get('DEFAULT_VAULT_ID_MATCH'),
    salt: settings.get('VAULT_ENCRYPT_SALT'),
  })
  await verb.run({
    args: rest,
    options: given,
    settings,
    terminal,
    vault,
    id,
  })
  return 0
}

/** A file that is not there is told before anybody is asked for a password. */
function wantFiles(files: readonly string[], { cwd }: Terminal): void {
  const missing = files.find((file) => file !== '-' && !existsSync(resolve(cwd, file)))
  if (missing !== undefined) throw new Problem(`${missing} cannot be read: there is no such file`, { kind: 'file' })
}

function eachFile({ args }: Work, work: (file: string) => void): void {
  if (args.length === 0) throw new Problem('a file is needed', { kind: 'usage' })
  for (const file of args) work(file)
}

/** Without a file, standard input is sealed to standard output. */
function encrypt({ args, options: { output }, vault, id, terminal }: Work): void {
  refuseOneOutput(args, output)
  for (const file of args.length > 0 ? args : ['-']) encryptFile(file, vault, id, output ?? file)
  if (output !== '-' && args.length > 0) terminal.err('Encryption successful\n')
}

function decrypt({ args, options: { output }, vault, terminal }: Work): void {
  refuseOneOutput(args, output)
  for (const file of args.length > 0 ? args : ['-']) decryptFile(file, vault, output ?? file)
  if (output !== '-' && args.length > 0) terminal.err('Decryption successful\n')
}

function refuseOneOutput(args: readonly string[], output: string | undefined): void {
  if (output !== undefined && args.length > 1)
    throw new Problem('At most one input file may be used with the --output option', { kind: 'usage' })
}

async function rekey(work: Work): Promise<void> {
  const { options: given, vault, terminal } = work
  const next = await newSecret(work)
  eachFile(work, (file) => rekeyFile(file, vault, next))
  terminal.err(`Rekey successful${given.verbose > 0 ? ` (vault id ${next.id})` : ''}\n`)
}

async function newSecret({ options: given, settings, terminal, id }: Work): Promise<Secret> {
  const request = {
    vaultIds: given.newVaultId === undefined ? [] : [given.newVaultId],
    vaultPasswordFiles: given.newVaultPasswordFile === undefined ? [] : [given.newVaultPasswordFile],
    askVaultPass: given.newVaultId === undefined && given.newVaultPasswordFile === undefined,
  }
  const found = await readSecrets(settings, request, terminal, { making: true, configured: false })
  const secret = id === undefined ? found.at(-1) : found.find((one) => one.id === id)
  if (!secret) throw new Problem('A new vault password is required to rekey', { kind: 'usage' })
  return secret
}

async function encryptStrings({ args, options: given, vault, id, terminal }: Work): Promise<void> {
  const texts: { readonly text: string; readonly name: string | undefined }[] = []
  if (given.prompt) {
    const name = given.names[0] ?? (await terminal.ask('Variable name (enter for no name): ', { echo: true }))
    texts.push({ text: await terminal.ask('String to encrypt: ', { echo: given.showInput }), name: name === '' ? undefined : name })
  }
  if (given.stdinName !== undefined || args.includes('-') || (args.length === 0 && !given.prompt)) {
    terminal.err('Reading plaintext input from stdin. (ctrl-d to end input, twice if your content does not already have a newline)\n')
    texts.push({ text: readFileSync(0, 'utf8'), name: given.stdinName })
  }
  const words = args.filter((arg) => arg !== '-')
  texts.push(...words.map((text, index) => ({ text, name: given.names[index] })))
  const sealed = texts.map(({ text, name }) => {
    if (text === '') throw new Problem('the text to encrypt is empty', { kind: 'usage' })
    return sealedYaml(vault.seal(text, id), name)
  })
  const whole = `${sealed.join('\n')}\n`
  if (given.output === undefined || given.output === '-') terminal.out(whole)
  else writeFileSync(resolve(terminal.cwd, given.output), whole, { mode: 0o600 })
  terminal.err('Encryption successful\n')
}

/** A new file begins in an editor, which needs a terminal; one that is there may be changed by a program. */
function wantTerminal({ options: given }: Work): void {
  if (given.skipTtyCheck || process.stdout.isTTY) return
  throw new Problem('not a tty, editor cannot be opened', { kind: 'usage', hint: '--skip-tty-check opens it all the same' })
}

/** Runs the user's editor on a file. */
function editor({ settings }: Work): (file: string) => void {
  return (file) => {
    const program = settings.get('EDITOR')
    const { status, error } = spawnSync('sh', ['-c', `${program} "$1"`, 'sh', file], { stdio: 'inherit' })
    if (error || status !== 0) throw new Problem(`the editor '${program}' failed: ${error?.message ?? `exit ${status}`}`, { kind: 'usage' })
  }
}
