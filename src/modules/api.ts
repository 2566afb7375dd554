/**
 * What a module is: it looks at a host, then yields the changes it wants; it never writes. The engine's apply.ts alone writes, so check mode, diff,
 * `changed` and idempotence need no code in a module.
 */
import type { Json, JsonObject, Raw, Source, Span, Value } from '../base/index.ts'
import type { Args, Params, Rules } from '../params/index.ts'
import type { Output, Script } from '../remote/index.ts'

/** What a module returns besides the results of its changes; keys as Ansible's. `changed`, `diff`, `failed` are filled in by the engine where absent. */
export type Result = JsonObject & {
  readonly changed?: boolean
  readonly failed?: boolean
  readonly skipped?: boolean
  readonly msg?: string
  readonly ansible_facts?: JsonObject
}

/** A wish that something be different on the host. */
export interface Change {
  /** a word for what changes: mode, content, state, package … */
  readonly what: string
  /** shown by --diff */
  readonly diff?: Diff | readonly Diff[] | undefined
  /**
   * Makes it so. Runs as the task's become user. Positional parameters: the paths of the uploaded files in order ("$1", "$2" …), which lie in a scratch
   * folder of the become user, mode 0600; the script moves or copies them where they belong and may leave them (they are removed afterwards).
   */
  readonly script: Script
  readonly upload?: readonly Upload[] | undefined
  /** the script does not need the uploads as files: it calls `received`, which writes the bytes to stdout; where there are several, with the number of one */
  readonly receives?: boolean | undefined
  readonly stdin?: Uint8Array | undefined
  readonly env?: ReadonlyMap<string, string> | undefined
  /** made in check mode, too: what it runs is told of check mode and keeps to it */
  readonly inCheck?: boolean | undefined
  /** false: does not count as changed (a notification, a refresh of a cache); default true */
  readonly counts?: boolean | undefined
  /** on failure of the script: 'fail' (default) ends the module with a failed result made of rc, stdout, stderr and `failMessage`; 'tell' hands the Output back */
  readonly onFailure?: 'fail' | 'tell' | undefined
  readonly failMessage?: string | undefined
  /** a terminal, as raw and script have */
  readonly tty?: boolean | undefined
  readonly ownChannel?: boolean | undefined
  readonly timeoutSeconds?: number | undefined
}

export type Upload = Uint8Array | { readonly localPath: string }

export interface Diff {
  readonly before?: string | JsonObject | undefined
  readonly after?: string | JsonObject | undefined
  readonly beforeHeader?: string | undefined
  readonly afterHeader?: string | undefined
  /** a diff that is already text */
  readonly prepared?: string | undefined
  /** sides that are no text, under the names that results have for that */
  readonly binary?: { readonly src_binary?: 1; readonly dst_binary?: 1 } | undefined
}

/** A change's outcome as `yield` gives it back: undefined in check mode, where nothing ran. */
export type Done = Output | undefined

/** Ends a module with a failed result: `throw new ModuleFailure('msg', {rc: 1})`. */
export class ModuleFailure extends Error {
  constructor(
    message: string,
    readonly result: JsonObject = {},
    /** what the result says, where that is no text */
    readonly said: Json = message,
  ) {
    super(message)
    this.name = 'ModuleFailure'
  }
}

/** A module that another one called for is nowhere to be found. */
export class ModuleMissing extends ModuleFailure {}

/** What a module may do on its host and on the controller, besides yielding changes. */
export interface Host {
  /** the inventory's name */
  readonly name: string
  readonly check: boolean
  /** --diff is on: worth fetching old contents for */
  readonly diff: boolean
  readonly verbosity: number
  /** Runs a script that only looks, as the task's become user. Never for writing. */
  look(
    script: Script,
    options?: {
      stdin?: Uint8Array
      env?: ReadonlyMap<string, string>
      timeoutSeconds?: number
      tty?: boolean
      ownChannel?: boolean
      onFailure?: 'fail' | 'tell'
    },
  ): Promise<Output>
  /** Reads a remote file whole, as the become user. */
  read(path: string): Promise<Uint8Array>
  /**
   * A fact of this host by its bare name (`os_family`, `pkg_mgr`, `service_mgr`, `distribution`, `user_id` …), gathered in one small look the first time it is
   * needed if the facts do not have it yet.
   */
  fact(name: string): Promise<Value | undefined>
  /** Waits without blocking others; ends early with a ModuleFailure when the run is interrupted. */
  sleep(seconds: number): Promise<void>
  readonly now: () => Date
  /** Drops and reopens the connection; resolves when the host answers again, throws a connection Problem after the time (reboot, wait_for_connection). */
  reconnect(options: { connectTimeoutSeconds: number }): Promise<void>
  /** Leaves no process of this user behind that only waits for tasks: who is logged in cannot be removed. */
  leave(user: string): Promise<void>
  /** A job of `async` that this run started on the host. */
  job(id: string): Job | undefined
  /** the controller's side of the task */
  readonly controller: Controller
  /** the task's own keywords that modules may need */
  readonly task: TaskInfo
  /** Runs another module on the same host with the same become and returns its result (package → apt, service → systemd, template → copy). */
  call(module: string, args: ReadonlyMap<string, Value>, options?: CallOptions): AsyncGenerator<Change, Result, Done>
}

export interface CallOptions {
  /** what `module_defaults` says of that module goes under its arguments */
  readonly withDefaults?: boolean | undefined
}

/** A task with `async` while it runs and after. */
export interface Job {
  /** what the task would have returned; undefined while it runs; throws what ended it */
  result(): ReadonlyMap<string, Value> | undefined
  forget(): void
}

export interface TaskInfo {
  readonly name: string
  /** where jobs of the host lie; `~` is the user's home */
  readonly jobsFolder?: string | undefined
  readonly action: string
  readonly environment: ReadonlyMap<string, string>
  readonly becomeUser: string | undefined
  readonly remoteUser: string | undefined
  /** the machine the task is delegated to */
  readonly delegate?: string | undefined
  /** a variable of that machine */
  readonly there?: ((name: string) => Value | undefined) | undefined
  /** the arguments as written, before checking (set_fact, add_host, debug) */
  readonly rawArgs: ReadonlyMap<string, Value>
  /** did a host's words go into this argument? They are data, and never evaluated */
  readonly fromHost?: ((argument: string) => boolean) | undefined
  /** seconds between looks asked by `async`/`poll`; 0 when not asynchronous */
  readonly async: number
  readonly poll: number
}

export interface Controller {
  /** The search path of `files`, `templates`, `vars`, `tasks` of the role and playbook; undefined where there is none. */
  find(kind: string, name: string): string | undefined
  /** the folders that find() looks in, for messages */
  folders(kind: string): readonly string[]
  /** a file's bytes as they are, sealed or not */
  read(path: string): Promise<Uint8Array>
  /** a text file, opened if vaulted, as a Source */
  source(path: string): Source
  /** whether the path exists and what it is */
  stat(path: string): Promise<{ readonly kind: 'file' | 'directory' | 'other'; readonly mode: number; readonly size: number } | undefined>
  /** the entries below a folder, relative, depth first, sorted */
  walk(
    path: string,
    options?: { followLinks?: boolean },
  ): Promise<
    readonly { readonly path: string; readonly kind: 'file' | 'directory' | 'link'; readonly target?: string; readonly mode: number }[]
  >
  /** writes on the controller by rename (fetch); not in check mode */
  write(path: string, bytes: Uint8Array, mode?: number): Promise<void>
  /** Runs a program on the controller (synchronize, delegated looks); argv, no shell. */
  exec(argv: readonly string[], options?: { stdin?: Uint8Array; env?: Readonly<Record<string, string>>; cwd?: string }): Promise<Output>
  renderFile(source: Source, options: JsonObject, extraVars: ReadonlyMap<string, Value>): string
  render(raw: Raw): Value
  condition(raw: Raw): boolean
  expression(text: string): Value
  variable(name: string): Value | undefined
  /** a setting by its Ansible name */
  setting?(name: string): Value | undefined
  /** vars files, for include_vars: path → variables as written */
  readVars(path: string): ReadonlyMap<string, Raw>
  /** tells a person something, in the run's output or among its warnings */
  say(text: string, kind?: 'say' | 'warning'): void
  /** waits at the terminal for keys, without a terminal for nothing */
  keys(wanted: KeysWanted): Promise<Keys>
  readonly playbookDir: string
  readonly where: Span | undefined
}

/** What is asked of a person at the terminal. */
export interface KeysWanted {
  readonly text: string
  readonly echo: boolean
  readonly timeoutSeconds?: number | undefined
  /** keys that end the waiting; Enter where nothing is said */
  readonly done?: readonly string[] | undefined
  /** keys that interrupt it; Ctrl-C where nothing is said */
  readonly interrupt?: readonly string[] | undefined
}

/** How the waiting ended, and what was typed until then. */
export interface Keys {
  readonly how: 'done' | 'late' | 'interrupted' | 'nobody'
  readonly typed: string
}

/** A module's declaration. */
export interface Module<P extends Params = Params> {
  /** fully qualified: ansible.builtin.file */
  readonly name: string
  /** other names it answers to: short names are added by the table, further FQCNs are listed here */
  readonly aliases?: readonly string[]
  /** one sentence for `tsspray doc` */
  readonly summary?: string
  /** parameters for people who look them up, where the module itself reads what it is given */
  readonly told?: Params | undefined
  readonly params: P
  readonly rules?: Rules
  /** takes a free-form text (command, shell, raw, script, meta …): the name under which it arrives in args, `_raw_params` otherwise */
  readonly freeForm?: boolean
  /** arguments beyond params are allowed and arrive in task.rawArgs (set_fact, add_host, group_by …) */
  readonly openArgs?: boolean
  /** false: has no check mode, is skipped there as Ansible does; default true */
  readonly checkMode?: boolean
  /** what is said instead of the usual where it is skipped in check mode; `%s` stands for the task's own name of it */
  readonly checkWords?: string
  /** runs wholly on the controller: no connection is opened for it (debug, set_fact, assert, fail, include_vars, add_host, group_by, pause) */
  readonly controllerOnly?: boolean
  /** works from the controller to the host: delegated to the controller, it is where it would be anyway */
  readonly startsAtController?: boolean
  /** once for all hosts of the batch, as run_once (add_host, pause): `bypass_host_loop` */
  readonly bypassHostLoop?: boolean
  /** false: no job can be made of it, and a task with `async` fails; default true */
  readonly takesAsync?: boolean
  /** arguments whose values are kept out of what -vvv tells of them */
  readonly censored?: readonly string[]
  /** what is said where something required is missing, instead of its names */
  readonly missingWords?: string
  /** options that it does not have are told in the words of what Ansible runs on the controller */
  readonly optionsOfAction?: boolean
  /** false: the task's environment does not reach it (raw); default true */
  readonly takesEnvironment?: boolean
  /** the build keeps it beside the name, so that the module itself need not be loaded to be known */
  readonly outline?: Outline
  run(args: Args<P>, host: Host): AsyncGenerator<Change, Result, Done>
}

/** What is looked at when a playbook is loaded. */
export interface Outline {
  readonly freeForm: boolean
  readonly openArgs: boolean
  /** names of parameters and their aliases */
  readonly parameters: readonly string[]
}

/** Declares a module; its types follow from `params`. */
export function defineModule<const P extends Params>(module: Module<P>): Module<P> {
  return module
}
