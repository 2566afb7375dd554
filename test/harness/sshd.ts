/** Starts OpenSSH's own server on the loopback, as the user who runs the tests, with keys made for it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const program = '/usr/sbin/sshd'

/** Tests with a real server are left out where there is none. */
export const noSshd = !existsSync(program) || spawnSync('ssh-keygen', ['-?']).error !== undefined

export const user = userInfo().username

export interface Sshd {
  readonly root: string
  readonly port: number
  /** a key pair in `root`; the words are ssh-keygen's */
  key(name: string, ...words: string[]): string
  /** the public half, without the comment */
  publicKey(name: string): string
  pid(): number
  stop(): void
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return free
}

/** `lines` are made for the folder of the keys; host_ed25519 and user (which may log in) are there before they are asked for. */
export async function startSshd(lines: (sshd: Sshd) => readonly string[] = () => []): Promise<Sshd> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sshd-')))
  const port = await freePort()
  let child: ChildProcess | undefined
  const sshd: Sshd = {
    root,
    port,
    key: (name, ...words) => {
      const path = join(root, name)
      execFileSync('ssh-keygen', ['-q', '-f', path, '-C', name, ...(words.includes('-N') ? [] : ['-N', '']), ...words])
      return path
    },
    publicKey: (name) =>
      readFileSync(join(root, `${name}.pub`), 'utf8')
        .split(' ')
        .slice(0, 2)
        .join(' '),
    pid: () => child!.pid!,
    stop: () => {
      child?.kill()
      rmSync(root, { recursive: true, force: true })
    },
  }
  if (user === 'root') mkdirSync('/run/sshd', { recursive: true })
  for (const name of ['host_ed25519', 'user']) sshd.key(name, '-t', 'ed25519')
  writeFileSync(join(root, 'authorized'), `${sshd.publicKey('user')}\n`)
  // of two lines that say the same, sshd takes the first
  const config = [
    `Port ${port}`, 'ListenAddress 127.0.0.1', ...lines(sshd), 'UsePAM no', 'StrictModes no', 'PasswordAuthentication no', `AuthorizedKeysFile ${root}/authorized`,
    `PidFile ${root}/pid`, `HostKey ${root}/host_ed25519`,
  ] // biome-ignore format: a list
  writeFileSync(join(root, 'sshd_config'), `${config.join('\n')}\n`)
  child = spawn(program, ['-D', '-e', '-f', join(root, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child!.stderr!.on('data', (chunk: Buffer) => {
      said += chunk
      if (said.includes('listening')) resolve()
    })
    child!.on('exit', () => reject(new Error(said)))
  })
  return sshd
}
