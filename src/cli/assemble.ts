/** Options and settings become a Run: every room is made here and put together. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { didYouMean, fromJson, type Json, Problem, type Raw, type RawVars, type Value } from '../base/index.ts'
import { loadSettings, type Settings } from '../config/index.ts'
import { createPool } from '../connect/index.ts'
import { type DocumentOptions, readSource, readVars } from '../documents/index.ts'
import { type ConnectionDefaults, createRun, type Prompt, type Run, type RunParts, type RunSettings } from '../engine/index.ts'
import { type Bus, createBus, Secrets } from '../events/index.ts'
import { type Inventory, loadInventory, readEntityVars } from '../inventory/index.ts'
import type { Journal } from '../journal/index.ts'
import { createTemplar, type RunContext } from '../template/index.ts'
import { FactStore } from '../vars/index.ts'
import { createVault, loadSecrets, secretSources, type Vault } from '../vault/index.ts'
import { COMMAND_NAMES } from './command-names.ts'
import { extraVarsOf, typedNames } from './extra-vars.ts'
import type { PlaybookOptions } from './playbook-options.ts'
import { secretsIn } from './sealed.ts'
import { shippedFolder, shippedPlaybook } from './shipped.ts'
import { userName } from './user-name.ts'

export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly prompt: Prompt
  readonly interactive: boolean
  /** a line typed after a prompt; undefined at the end of input */
  readonly readLine?: RunParts['readLine']
  /** waits for keys at the terminal */
  readonly keys?: RunParts['keys']
  readonly signal: AbortSignal
  /** the journal of the run; without it none is kept */
  readonly journal?: ((needs: JournalNeeds) => Promise<Journal | undefined>) | undefined
  /** texts that stand for files, by absolute path */
  readonly texts?: ReadonlyMap<string, string> | undefined
}

/** What a journal must know before the run is put together. */
export interface JournalNeeds {
  readonly settings: Settings
  readonly secrets: Secrets
  readonly warn: (text: string) => void
}

export interface Assembled {
  readonly run: Run
  readonly bus: Bus
  readonly settings: Settings
  readonly inventory: Inventory
  readonly journal: Journal | undefined
  /** closes every connection */
  readonly close: () => Promise<void>
}

/** Called with the bus before anything can be said on it. */
export type Listen = (bus: Bus, settings: Settings, secrets: Secrets) => void

/** Reads settings, secrets, inventory and variables. */
export async function assemble(options: PlaybookOptions, around: Surroundings, listen: Listen): Promise<Assembled> {
  const settings = loadSettings({ cwd: around.cwd, env: around.env, home: around.home })
  const secrets = new Secrets()
  const whole = createBus(
    Date.now,
    (event) => secrets.maskEvent(event),
    (event) => secrets.maskAll(event),
  )
  const journal = await around.journal?.({ settings, secrets, warn: (text) => whole.emit({ kind: 'warning', text }) })
  const bus = journal?.over(whole) ?? whole
  listen(bus, settings, secrets)
  const warn = (text: string) => bus.emit({ kind: 'warning', text })
  for (const text of settings.warnings) warn(text)
  const vault = await vaultOf(options, settings, around, secrets, warn)
  const documents: DocumentOptions = {
    unvault: vault.open,
    warn: duplicateKeys(settings, warn),
    texts: around.texts,
    onRead: journal?.onRead,
  }
  const extraVars = extraVarsOf(options.extraVars, documents)
  const templar = createTemplar({
    native: settings.get('DEFAULT_JINJA2_NATIVE'),
    extensions: extensionsOf(settings),
    strict: settings.get('DEFAULT_UNDEFINED_VAR_BEHAVIOR'),
    nullAs: settings.get('DEFAULT_NULL_REPRESENTATION') ?? undefined,
    compatVersion: settings.get('COMPAT_VERSION'),
    warn: eachOnce(warn),
  })
  const factCache = factCacheOf(settings, around, warn)
  const inventory = await loadInventory(sourcesOf(options, settings), {
    ...{ cwd: around.cwd, settings, documents, warn, templar, extraVars },
    factsOf: (host) => new FactStore(factCache).of(host),
    tellDetail: (text) => bus.emit({ kind: 'verbose', level: 3, text }),
  })
  const passwords = await passwordsOf(options, settings, around, secrets)
  const verbose = (level: number) => (text: string) => bus.emit({ kind: 'verbose', level, text })
  const pool = createPool({ home: around.home, tell: verbose(1), tellWay: verbose(2), tellDetail: verbose(3) })
  const readText = (path: string) => readSource(path, documents).text
  const run = createRun({
    settings: runSettings(options, settings, around, passwords),
    inventory,
    templar,
    bus,
    secrets,
    pool,
    documents,
    extraVars,
    typedVars: typedNames(options.extraVars, documents),
    optionVars: optionVars(options, settings, inventory),
    factCache,
    groupOrder: settings.get('VARIABLE_PRECEDENCE'),
    injectFacts: settings.get('INJECT_FACTS_AS_VARS'),
    mergeDicts: settings.get('DEFAULT_HASH_BEHAVIOUR') === 'merge',
    varsRoot: settings.get('PLAYBOOK_VARS_ROOT'),
    varsOnlyAtStart: settings.get('RUN_VARS_PLUGINS') === 'start',
    privateRoleVars: settings.origin('DEFAULT_PRIVATE_ROLE_VARS') === 'default' ? undefined : settings.get('DEFAULT_PRIVATE_ROLE_VARS'),
    // the roles that come with the program are looked in last
    rolesPath: [...settings.get('DEFAULT_ROLES_PATH'), join(shippedFolder(), 'roles')],
    modulePath: [
      ...options.modulePath.flatMap((p) => p.split(':')).map((p) => resolve(around.cwd, p)),
      ...settings.get('DEFAULT_MODULE_PATH'),
    ],
    preferNative: settings.get('PREFER_NATIVE'),
    validateGroups: settings.get('VALIDATE_ACTION_GROUP_METADATA'),
    ignoreUnknownKeywords: !settings.get('INVALID_TASK_ATTRIBUTE_FAILED'),
    interpreter: settings.get('INTERPRETER_PYTHON'),
    pythons: settings.origin('INTERPRETER_PYTHON_FALLBACK') === 'default' ? undefined : settings.get('INTERPRETER_PYTHON_FALLBACK'),
    ignoredEndings: settings.get('MODULE_IGNORE_EXTS'),
    collectionsPaths: settings.get('COLLECTIONS_PATHS'),
    utilFolders: settings.get('DEFAULT_MODULE_UTILS_PATH'),
    entityVars: (folder, kind, name) =>
      readEntityVars(folder, kind, name, settings.get('YAML_FILENAME_EXTENSIONS'), documents)
        .map((e) => e.vars)
        .reverse(),
    readText,
    readVars: (path) => readVars(path, documents),
    varsFile: (path) => readVars(path, { ...documents, lists: true }),
    prompt: around.prompt,
    interactive: around.interactive,
    readLine: around.readLine,
    keys: around.keys,
    signal: around.signal,
    keepFailed: retryFiles(settings, warn),
    replay: journal,
    runContext: runContextOf(settings, inventory, vault, around),
  })
  return { run, bus, settings, inventory, journal, close: () => pool.closeAll() }
}

/** Tells each text once. */
function eachOnce(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>()
  return (text) => {
    if (!told.has(text)) tell(text)
    told.add(text)
  }
}

/** The JUnit report names the arguments of tasks and includes. */
const tellsArguments = (settings: Settings): boolean =>
  settings.get('CALLBACKS_ENABLED').some((name) => name.replace(/^.*\./, '') === 'junit')

/** RETRY_FILES_ENABLED: a file beside the playbook, or in a folder of its own, with the hosts that failed. */
function retryFiles(settings: Settings, warn: (text: string) => void): RunParts['keepFailed'] {
  if (!settings.get('RETRY_FILES_ENABLED')) return undefined
  return (playbook, hosts) => {
    const folder = settings.get('RETRY_FILES_SAVE_PATH') || dirname(playbook)
    const file = join(folder, `${basename(playbook, extname(playbook))}.retry`)
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, hosts.map((host) => `${host}\n`).join(''))
      return file
    } catch (error) {
      warn(`Could not create retry file '${file}'.\n\t${(error as Error).message}`)
      return undefined
    }
  }
}

/** What happens when a key occurs twice in a dict: DUPLICATE_YAML_DICT_KEY. */
function duplicateKeys(settings: Settings, warn: (message: string) => void): DocumentOptions['warn'] {
  const refuse = (message: string): never => {
    throw new Problem(message.replace(' Using last defined value only.', ''), { kind: 'syntax' })
  }
  const ways: Readonly<Record<string, DocumentOptions['warn']>> = { warn, error: refuse, ignore: undefined }
  return ways[settings.get('DUPLICATE_YAML_DICT_KEY')]
}

function sourcesOf(options: PlaybookOptions, settings: Settings): readonly string[] {
  return options.inventory.length > 0 ? options.inventory : settings.get('DEFAULT_HOST_LIST')
}

async function vaultOf(
  options: PlaybookOptions,
  settings: Settings,
  around: Surroundings,
  secrets: Secrets,
  warn: (text: string) => void,
): Promise<Vault> {
  const file = settings.get('DEFAULT_VAULT_PASSWORD_FILE')
  const sources = secretSources({
    ids: [...settings.get('DEFAULT_VAULT_IDENTITY_LIST'), ...options.vaultIds],
    files: [...options.vaultPasswordFiles, ...(file ? [file] : [])],
    ask: options.askVaultPass || settings.get('DEFAULT_ASK_VAULT_PASS'),
    defaultId: settings.get('DEFAULT_VAULT_IDENTITY'),
  })
  const known = await loadSecrets(sources, {
    cwd: around.cwd,
    home: around.home,
    prompt: (text) => around.prompt(text, { echo: false }),
    warn,
  })
  return createVault(known, {
    idMatch: settings.get('DEFAULT_VAULT_ID_MATCH'),
    onOpened: (plain) => {
      for (const secret of secretsIn(plain)) secrets.addSealed(secret)
    },
  })
}

interface Passwords {
  readonly connection: string | undefined
  readonly become: string | undefined
}

async function passwordsOf(options: PlaybookOptions, settings: Settings, around: Surroundings, secrets: Secrets): Promise<Passwords> {
  const fromFile = (path: string | undefined | null) => (path ? readFileSync(resolve(around.cwd, path), 'utf8').trim() : undefined)
  let connection = fromFile(options.connectionPasswordFile ?? settings.get('CONNECTION_PASSWORD_FILE'))
  let become = fromFile(options.becomePasswordFile ?? settings.get('BECOME_PASSWORD_FILE'))
  if (connection === undefined && (options.askPass || settings.get('DEFAULT_ASK_PASS')))
    connection = await around.prompt('SSH password: ', { echo: false })
  if (become === undefined && (options.askBecomePass || settings.get('DEFAULT_BECOME_ASK_PASS'))) {
    const defaulting = connection === undefined ? '' : '[defaults to SSH password]'
    become = (await around.prompt(`BECOME password${defaulting}: `, { echo: false })) || connection
  }
  for (const password of [connection, become]) if (password) secrets.add(password)
  return { connection, become }
}

/** @throws Problem for a number of hosts at work with which none would be */
function forksOf(options: PlaybookOptions, settings: Settings): number {
  const count = options.forks ?? settings.get('DEFAULT_FORKS')
  if (count >= 1) return count
  throw new Problem('The number of processes (--forks) must be >= 1', { kind: 'usage', hint: 'it is how many hosts work at once' })
}

function runSettings(options: PlaybookOptions, settings: Settings, around: Surroundings, passwords: Passwords): RunSettings {
  const tags = options.tags.length > 0 ? words(options.tags) : settings.get('TAGS_RUN')
  return {
    check: options.check,
    diff: options.diff || settings.get('DIFF_ALWAYS'),
    verbosity: options.verbose,
    forks: forksOf(options, settings),
    forceHandlers: options.forceHandlers || settings.get('DEFAULT_FORCE_HANDLERS'),
    step: options.step,
    startAtTask: options.startAtTask,
    tags: {
      only: tags.length > 0 ? tags : ['all'],
      skip: options.skipTags.length > 0 ? words(options.skipTags) : settings.get('TAGS_SKIP'),
    },
    limit: options.limit,
    gathering: settings.get('DEFAULT_GATHERING') as RunSettings['gathering'],
    gatherSubset: [],
    gatherTimeout: 10,
    factPath: undefined,
    strategy: settings.get('DEFAULT_STRATEGY'),
    maxFailPercentage: undefined,
    anyErrorsFatal: settings.get('ANY_ERRORS_FATAL'),
    errorOnMissingHandler: settings.get('ERROR_ON_MISSING_HANDLER'),
    taskTimeout: settings.get('TASK_TIMEOUT'),
    noLog: settings.get('DEFAULT_NO_LOG'),
    pollInterval: settings.get('DEFAULT_POLL_INTERVAL'),
    ignoreUnreachable: false,
    connection: connectionDefaults(options, settings, around, passwords),
    compatVersion: settings.get('COMPAT_VERSION'),
    maxDiff: settings.get('MAX_FILE_SIZE_FOR_DIFF'),
    becomeSameUser: settings.get('BECOME_ALLOW_SAME_USER'),
    hideModuleWarnings: !settings.get('ACTION_WARNINGS'),
    tellArguments: settings.get('DISPLAY_ARGS_TO_STDOUT') || tellsArguments(settings),
    debugger: settings.get('ENABLE_TASK_DEBUGGER'),
    debuggerIgnoresErrors: settings.get('TASK_DEBUGGER_IGNORE_ERRORS'),
  }
}

function connectionDefaults(options: PlaybookOptions, settings: Settings, around: Surroundings, passwords: Passwords): ConnectionDefaults {
  const text = (value: string | null | undefined) => (value === null || value === '' ? undefined : value)
  const method = options.becomeMethod ?? settings.get('DEFAULT_BECOME_METHOD')
  const own = BECOME_OWN[method]?.(settings) ?? {}
  return {
    connection: options.connection ?? settings.get('DEFAULT_TRANSPORT'),
    remoteUser: options.user ?? text(settings.get('DEFAULT_REMOTE_USER')),
    port: settings.get('DEFAULT_REMOTE_PORT') ?? undefined,
    privateKeyFile: options.privateKeyFile ?? text(settings.get('DEFAULT_PRIVATE_KEY_FILE')),
    password: passwords.connection,
    hostKeyChecking: settings.get('SSH_HOST_KEY_CHECKING'),
    timeoutSeconds: options.timeout ?? settings.get('SSH_TIMEOUT'),
    retries: settings.get('SSH_RETRIES'),
    sshArgs: sshArgs(settings),
    sshCommonArgs: options.sshCommonArgs ?? settings.get('SSH_COMMON_ARGS') ?? '',
    sshExtraArgs: options.sshExtraArgs ?? settings.get('SSH_EXTRA_ARGS') ?? '',
    sshExecutable: text(settings.get('SSH_EXECUTABLE')),
    become: options.become || settings.get('DEFAULT_BECOME'),
    becomeMethod: method,
    becomeUser: options.becomeUser ?? own.user ?? settings.get('DEFAULT_BECOME_USER') ?? 'root',
    becomePassword: passwords.become ?? own.password ?? settings.get('BECOME_PASS'),
    becomeFlags: text(own.flags ?? settings.get('DEFAULT_BECOME_FLAGS')),
    becomeExe: text(own.exe ?? settings.get('DEFAULT_BECOME_EXE')),
    agent: around.env['SSH_AUTH_SOCK'],
    shell: settings.get('DEFAULT_EXECUTABLE'),
    localUser: userName(),
    home: around.home,
  }
}

/** What nobody has said is made for a program that connects once a task: compression costs a third of the time and half the memory a host. */
const sshArgs = (settings: Settings): string => (settings.origin('SSH_ARGS') === 'default' ? '' : (settings.get('SSH_ARGS') ?? ''))

interface BecomeSettings {
  readonly user?: string | undefined
  readonly exe?: string | undefined
  readonly flags?: string | undefined
  readonly password?: string | undefined
}

/** Settings that one method has for itself; they go before those that hold for all. */
const BECOME_OWN: { readonly [method: string]: (settings: Settings) => BecomeSettings } = {
  sudo: ({ get }) => ({ user: get('SUDO_USER'), exe: get('SUDO_EXE'), flags: get('SUDO_FLAGS'), password: get('SUDO_PASS') }),
  su: ({ get }) => ({ user: get('SU_USER'), exe: get('SU_EXE'), flags: get('SU_FLAGS'), password: get('SU_PASS') }),
  doas: ({ get }) => ({ user: get('DOAS_USER'), exe: get('DOAS_EXE'), flags: get('DOAS_FLAGS'), password: get('DOAS_PASS') }),
}

/** `a,b` given again and again: the single words. */
const words = (given: readonly string[]): string[] =>
  given.flatMap((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )

function extensionsOf(settings: Settings): string[] {
  const value: unknown = settings.get('DEFAULT_JINJA2_EXTENSIONS')
  const list = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return list.map((e) => e.trim()).filter((e) => e !== '')
}

/** ansible_version and what else the command line decides. */
function optionVars(options: PlaybookOptions, settings: Settings, inventory: Inventory): RawVars {
  const version = settings.get('COMPAT_VERSION')
  const [major = 2, minor = 0, revision = 0] = version.split('.').map((n) => Number.parseInt(n, 10))
  const tags = options.tags.length > 0 ? words(options.tags) : settings.get('TAGS_RUN')
  const vars: [string, Value | Json][] = [
    ['ansible_version', { string: version, full: version, major, minor, revision }],
    ['ansible_check_mode', options.check],
    ['ansible_diff_mode', options.diff || settings.get('DIFF_ALWAYS')],
    ['ansible_forks', options.forks ?? settings.get('DEFAULT_FORKS')],
    ['ansible_inventory_sources', [...inventory.sources]],
    ['ansible_run_tags', tags.length > 0 ? [...tags] : ['all']],
    ['ansible_skip_tags', words(options.skipTags)],
    ['ansible_verbosity', options.verbose],
    ['ansible_config_file', settings.file ?? null],
    ['ansible_playbook_python', '/usr/bin/python3'],
  ]
  const out = new Map<string, Raw>(vars.map(([k, v]) => [k, fromJson(v as Json)]))
  if (options.limit !== undefined) out.set('ansible_limit', options.limit)
  return out
}

function factCacheOf(settings: Settings, around: Surroundings, warn: (text: string) => void): Parameters<typeof createRun>[0]['factCache'] {
  const plugin = settings.get('CACHE_PLUGIN').replace(/^.*\./, '')
  if (plugin !== 'memory' && plugin !== 'jsonfile') warn(`the fact cache '${plugin}' is not supported, facts are kept in memory only`)
  const folder = settings.get('CACHE_PLUGIN_CONNECTION')
  if (plugin === 'jsonfile' && !folder)
    warn("the fact cache 'jsonfile' has no folder (fact_caching_connection), facts are kept in memory only")
  return {
    plugin: plugin === 'jsonfile' ? 'jsonfile' : 'memory',
    folder: folder ? resolve(around.cwd, folder.replace(/^~(?=\/|$)/, around.home)) : undefined,
    // the files of jsonfile go by the host's name alone unless a prefix is asked for
    prefix: settings.origin('CACHE_PLUGIN_PREFIX') === 'default' ? '' : settings.get('CACHE_PLUGIN_PREFIX'),
    timeout: settings.get('CACHE_PLUGIN_TIMEOUT'),
    now: Date.now,
    warn,
  }
}

function runContextOf(settings: Settings, inventory: Inventory, vault: Vault, around: Surroundings): (playbookDir: string) => RunContext {
  const folder = inventory.sources.find((s) => s !== '')
  return (playbookDir) => ({
    playbookDir,
    inventoryDir: folder === undefined ? undefined : existsSync(join(folder, '.')) ? folder : dirname(folder),
    hostsOf: (pattern) => inventory.match(pattern),
    setting: (name) => {
      const found = settings.entries().find((e) => e.name === name)
      return found && fromJson(found.value as Json)
    },
    unvault: (text) => vault.open(text),
    env: around.env,
    now: () => new Date(),
  })
}

/** A playbook that does not exist is told before anything else is done. */
export function requirePlaybooks(paths: readonly string[], cwd: string, tell: (text: string) => void = () => {}): string[] {
  return paths.map((path) => {
    const full = resolve(cwd, path)
    if (existsSync(full)) return full
    const shipped = shippedPlaybook(path)
    if (shipped === undefined)
      throw new Problem(`the playbook: ${path} could not be found`, { kind: 'file', hint: didYouMean(path, COMMAND_NAMES) })
    tell(`there is no ${path} here: this is the one that comes with tsspray, ${shipped}\n`)
    return shipped
  })
}
