/** A count and a folder → that many SSH hosts on this machine's loopback, each at home in a folder of its own; no root, no sshd, no containers. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type RunningHost, startHost } from './host.ts'
import { newKey } from './keys.ts'

export interface FleetHost {
  readonly name: string
  readonly port: number
  /** HOME and working folder of whoever logs in */
  readonly folder: string
  /** drops every connection to it; it can be connected to again */
  drop(): void
}

export interface Fleet {
  readonly hosts: readonly FleetHost[]
  /** whom the hosts let in: the user who runs them */
  readonly user: string
  /** the private key that opens every host */
  readonly keyFile: string
  /** names every host's key */
  readonly knownHostsFile: string
  stop(): Promise<void>
}

export interface FleetOptions {
  /** lets in by password and keyboard-interactive too */
  readonly password?: string | undefined
  /** further keys that open the hosts: lines of authorized_keys */
  readonly authorized?: readonly string[] | undefined
  /** names of the hosts; host1, host2 … if not given */
  readonly name?: ((index: number) => string) | undefined
  /** what commands find in their environment besides HOME and the like */
  readonly environment?: Readonly<Record<string, string>> | undefined
}

export async function startFleet(count: number, root: string, options: FleetOptions = {}): Promise<Fleet> {
  const user = userInfo().username
  const key = newKey()
  const keyFile = join(root, 'key')
  const knownHostsFile = join(root, 'known_hosts')
  mkdirSync(root, { recursive: true })
  writeFileSync(keyFile, key.private, { mode: 0o600 })
  chmodSync(keyFile, 0o600)

  const running: RunningHost[] = []
  const known: string[] = []
  const hosts: FleetHost[] = []
  for (let index = 0; index < count; index++) {
    const name = options.name?.(index) ?? `host${index + 1}`
    const folder = join(root, name)
    mkdirSync(join(folder, 'tmp'), { recursive: true })
    const hostKey = newKey()
    const host = await startHost({
      folder,
      user,
      hostKey: hostKey.private,
      authorized: [key.public, ...(options.authorized ?? [])],
      password: options.password,
      environment: options.environment ?? { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    })
    running.push(host)
    known.push(`[127.0.0.1]:${host.port} ${hostKey.public}`)
    hosts.push({ name, port: host.port, folder, drop: host.drop })
  }
  writeFileSync(knownHostsFile, `${known.join('\n')}\n`)
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((host) => host.stop()))
  }
  return { hosts, user, keyFile, knownHostsFile, stop }
}
