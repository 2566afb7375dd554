/** A machine's settings → the words of an ssh command line that say them, but for the host and what is to be done there. */
import type { Settings } from '../ssh/settings.ts'
import { withoutFlags } from '../ssh/words.ts'

export interface Files {
  readonly config: string
  /** where a key lies that was given as text */
  readonly key: string | undefined
  /** what ProxyCommand shall be; undefined: what the configuration says */
  readonly proxy: string | undefined
}

/** Flags that would make another thing of our ssh: a way into the background, a config file, sockets and commands of its own. */
const NOT_OURS = 'fFJMNnStTWOQsGyvq'

export function sshArguments(settings: Settings, { config, key, proxy }: Files): string[] {
  const { hop } = settings
  // of two options that say the same, ssh takes the first
  const first: Record<string, string | undefined> = {
    ControlMaster: 'yes',
    ControlPersist: 'no',
    LogLevel: 'INFO',
    ProxyCommand: proxy,
    StrictHostKeyChecking: settings.checking,
    NumberOfPasswordPrompts: '1',
    PasswordAuthentication: settings.password === undefined ? 'no' : undefined,
    KbdInteractiveAuthentication: settings.password === undefined ? 'no' : undefined,
    PermitLocalCommand: 'no',
    RemoteCommand: 'none',
    RequestTTY: 'no',
    ForwardX11: 'no',
    ClearAllForwardings: 'yes',
    ConnectTimeout: String(settings.connectSeconds),
    ServerAliveInterval: String(settings.keepaliveSeconds),
    ServerAliveCountMax: String(settings.keepaliveCount),
    ForwardAgent: settings.forwardAgent ? undefined : 'no',
  }
  const last: readonly (readonly [string, string | undefined])[] = [
    ['Port', hop.port > 0 ? String(hop.port) : undefined],
    ['User', hop.user === '' ? undefined : `"${hop.user}"`],
    ...[...(key === undefined ? [] : [key]), ...hop.privateKeyFiles].map((file) => ['IdentityFile', `"${file}"`] as const),
    ['ForwardAgent', settings.forwardAgent ? 'yes' : undefined],
  ]
  const options = (pairs: readonly (readonly [string, string | undefined])[]): string[] =>
    pairs.flatMap(([name, value]) => (value === undefined ? [] : ['-o', `${name}=${value}`]))
  return ['-F', config, ...options(Object.entries(first)), ...withoutFlags(hop.sshArgs ?? [], NOT_OURS), ...options(last)]
}
