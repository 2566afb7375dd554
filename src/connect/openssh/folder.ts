/** A machine's settings → a private folder with what ssh needs to reach it: a script, its config, its answers, the control socket. */
import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConnectionLost } from '../lost.ts'
import type { Settings } from '../ssh/settings.ts'
import { sshArguments } from './arguments.ts'

export interface Folder {
  readonly path: string
  /** the script that becomes ssh */
  readonly script: string
  readonly socket: string
  /** takes the passwords back, once they have been asked for */
  forgetSecrets(): void
  remove(): void
}

/** Another ssh of ours, which is logged in at the jump host. */
export interface Over {
  readonly socket: string
}

/** Names of sockets are short, and ssh adds some letters to them. */
const LONGEST = 80

export function prepareFolder(settings: Settings, over: Over | undefined): Folder {
  const usual = tmpdir()
  const path = mkdtempSync(join(usual.length > LONGEST - 30 ? '/tmp' : usual, 'tsspray-ssh-'))
  const open: number[] = []
  const forgetSecrets = (): void => {
    for (const file of open.splice(0)) closeSync(file)
  }
  const remove = (): void => {
    forgetSecrets()
    rmSync(path, { recursive: true, force: true })
  }
  const write = (name: string, text: string, mode = 0o600): string => {
    writeFileSync(join(path, name), text, { mode })
    return join(path, name)
  }
  try {
    const socket = join(path, 'socket')
    const key = settings.privateKey === undefined ? undefined : write('key', `${settings.privateKey.trimEnd()}\n`)
    const way = wayOf(settings, over)
    const proxy = way === undefined ? 'none' : `sh ${quote(write('way', way)).replaceAll('%', '%%')} '[%h]:%p'`
    const words = sshArguments(settings, { config: write('config', configOf(settings)), key, proxy })
    const secret = settings.password !== undefined || settings.passphrase !== undefined
    const ask = secret ? write('ask', askpass(path, settings, key, open), 0o700) : undefined
    const command = [settings.program, ...words, '-N', '-S', socket, '--', settings.hop.host].map(quote).join(' ')
    return { path, script: write('script', `${environment(settings, ask)}exec ${command}\n`), socket, forgetSecrets, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The user's own files first; what is ours stands last, for the first that is said holds. */
function configOf(settings: Settings): string {
  const list = (files: readonly string[]): string => files.map((file) => `"${file}"`).join(' ')
  return `${settings.configFiles.map((file) => `Include "${file}"\n`).join('')}Host *
UserKnownHostsFile ${settings.usualKnownHosts.length === 0 ? '/dev/null' : list(settings.usualKnownHosts)}
`
}

/**
 * A script that carries ssh's bytes to the host; nothing where ssh connects by itself. Over a jump host, it may only use the connection that is there.
 * A command of the user's may be another ssh, which does not get our answers.
 */
function wayOf(settings: Settings, over: Over | undefined): string | undefined {
  if (over !== undefined)
    return `exec ${quote(settings.program)} -F none -S ${quote(over.socket)} -o ControlMaster=no -o ProxyCommand=false -W "$1" -- jump\n`
  return settings.proxyCommand === undefined ? undefined : `unset SSH_ASKPASS SSH_ASKPASS_REQUIRE\nexec ${settings.proxyCommand}\n`
}

function environment({ hop }: Settings, ask: string | undefined): string {
  const agent = hop.agent === undefined ? 'unset SSH_AUTH_SOCK\n' : `SSH_AUTH_SOCK=${quote(hop.agent)}; export SSH_AUTH_SOCK\n`
  if (ask === undefined) return agent
  return `${agent}SSH_ASKPASS=${quote(ask)} SSH_ASKPASS_REQUIRE=force DISPLAY="\${DISPLAY:-none}"; export SSH_ASKPASS SSH_ASKPASS_REQUIRE DISPLAY\n`
}

/** ssh asks a program of ours, which reads the answer from a pipe: it stands in no argument, no environment and no file. */
function askpass(folder: string, settings: Settings, key: string | undefined, open: number[]): string {
  const pipe = (name: string, secret: string | undefined): string => {
    const path = join(folder, name)
    if (secret !== undefined) fillPipe(path, secret, settings.name, open)
    return path
  }
  // ssh shows a hundred letters of a key's name at most
  const keys = [...(key === undefined ? [] : [key]), ...settings.identityFiles].map((file) => `*${quote(`'${file.slice(0, 100)}`)}*`)
  const ofKeys = keys.length === 0 ? '' : `${keys.join('|')}) from=${quote(pipe('passphrase', settings.passphrase))} ;;\n`
  return `#!/bin/sh
[ -z "$SSH_ASKPASS_PROMPT" ] || exit 1
case $1 in
${ofKeys}*) from=${quote(pipe('password', settings.password))} ;;
esac
[ -p "$from" ] && IFS= read -r answer <"$from" && printf '%s\\n' "$answer"
`
}

/** More answers than are asked for: one for each key and each way of logging in. */
const ANSWERS = 20

function fillPipe(path: string, secret: string, name: string, open: number[]): void {
  const made = spawnSync('mkfifo', ['-m', '600', path])
  if (made.status !== 0) throw new ConnectionLost(`${name}: a pipe for the password cannot be made here`)
  const file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  open.push(file)
  writeSync(file, `${secret}\n`.repeat(ANSWERS))
}

export const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
