/** What the connect room does for the others: an Endpoint becomes a Session; a Session runs scripts and moves bytes. */
import type { Become } from '../become/index.ts'
import type { Output, Script } from '../remote/index.ts'

/** One machine on the way, as plain data: the connect room never reads variables. */
export interface Hop {
  /** a name or address, as ssh_config knows it */
  readonly host: string
  /** 0: whatever ssh_config says, else 22 */
  readonly port: number
  /** empty: whatever ssh_config says, else the local user */
  readonly user: string
  readonly password?: string | undefined
  /** empty: the usual files in ~/.ssh */
  readonly privateKeyFiles: readonly string[]
  readonly privateKey?: string | undefined
  readonly passphrase?: string | undefined
  /** path of the agent's socket; undefined: none */
  readonly agent?: string | undefined
  readonly forwardAgent?: boolean | undefined
  /** yes: unknown and changed keys are refused; accept-new: unknown ones are remembered; no: anything goes */
  readonly hostKeyChecking: 'yes' | 'accept-new' | 'no'
  readonly knownHostsFiles: readonly string[]
  /** `ansible_ssh_common_args` and its kin as words, for what the hop cannot say otherwise (ProxyCommand, -o options) */
  readonly sshArgs?: readonly string[] | undefined
}

export interface Endpoint {
  readonly kind: 'ssh' | 'local'
  /** the inventory's name of the host, for messages */
  readonly name: string
  /** the target itself comes last; what comes before is a chain of jump hosts */
  readonly hops: readonly Hop[]
  readonly connectTimeoutSeconds: number
  /** how often a failed connect is tried again */
  readonly retries: number
  readonly keepaliveSeconds: number
  /** ssh_config files to read (~/.ssh/config first); empty: none */
  readonly configFiles: readonly string[]
  /** over ssh: our own client, the system's program, or (if not said) ours wherever it can do what is asked */
  readonly client?: 'library' | 'program' | undefined
  /** the system's ssh, where it is not `ssh` */
  readonly executable?: string | undefined
}

export interface RunOptions {
  readonly become?: Become | undefined
  readonly stdin?: Uint8Array | undefined
  /** environment added for this script, quoted by the session */
  readonly env?: ReadonlyMap<string, string> | undefined
  readonly timeoutSeconds?: number | undefined
  /** run on a terminal: stderr merged into stdout, line ends become \r\n (raw and script do so under ssh) */
  readonly tty?: boolean | undefined
  /** run the user's own login shell rather than our persistent one: a channel of its own */
  readonly ownChannel?: boolean | undefined
  /** told output while it comes, for the live view */
  readonly onOutput?: ((chunk: Uint8Array, stream: 'stdout' | 'stderr') => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * A connected host. Throws ConnectionLost (a Problem of kind 'connection') when the host cannot be reached any more; a script that ran and failed is an
 * Output with its code. A shell that died under a script is a ShellDied, never a code 0.
 */
export interface Session {
  readonly endpoint: Endpoint
  run(script: Script, options?: RunOptions): Promise<Output>
  /**
   * Writes a file beside its target and leaves renaming to a later script: the bytes land whole at `path` (mode 0600) or the call throws.
   * With become, the file ends up owned by the become user.
   */
  put(
    path: string,
    content: Uint8Array | { readonly localPath: string },
    options?: { become?: Become | undefined; signal?: AbortSignal | undefined },
  ): Promise<void>
  /** Reads a file whole. */
  get(path: string, options?: { become?: Become | undefined; signal?: AbortSignal | undefined }): Promise<Uint8Array>
  /**
   * A scratch folder for this session, owned by the login user or the become user, mode 0700; made at first use and removed at close.
   */
  scratch(become?: Become): Promise<string>
  /** Ends the shells that became this user; the next script that needs one opens it anew. */
  leave(user: string): Promise<void>
  /** Drops the connection and opens it anew at next use (meta: reset_connection, reboot). */
  reset(): Promise<void>
  close(): Promise<void>
  /** bytes and round trips so far, for the benchmarks */
  readonly meter: { readonly sent: number; readonly received: number; readonly roundTrips: number }
}

/** Opens sessions and keeps one for each distinct endpoint; shared by all tasks of a run. */
export interface Pool {
  /** The session of an endpoint, connected; concurrent calls for one endpoint share one attempt. Throws ConnectionLost. */
  session(endpoint: Endpoint): Promise<Session>
  closeAll(): Promise<void>
}
