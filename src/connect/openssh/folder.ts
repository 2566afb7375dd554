/** A chain of machines → a private folder with what ssh needs to reach the last of them: a script for each, its config, its answers, the control socket. */

import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConnectionLost } from '../lost.ts'
import type { Settings } from '../ssh/settings.ts'
import { sshArguments } from './arguments.ts'

export interface Folder {
  readonly path: string
  /** the script that becomes the ssh to the last machine */
  readonly script: string
  readonly socket: string
  /** takes the passwords back, once they have been asked for */
  forgetSecrets(): void
  remove(): void
}

/** Names of sockets are short, and ssh adds some letters to them. */
const LONGEST = 80

export function prepareFolder(chain: readonly Settings[]): Folder {
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
  try {
    const secrets = chain.some(hasSecrets)
    const scripts = chain.map((settings, index) => writeHop(path, index, chain, secrets, settings, open))
    return { path, script: scripts.at(-1)!, socket: join(path, 'socket'), forgetSecrets, remove }
  } catch (error) {
    remove()
    throw error
  }
}

const hasSecrets = (settings: Settings): boolean => settings.password !== undefined || settings.passphrase !== undefined

function writeHop(folder: string, index: number, chain: readonly Settings[], secrets: boolean, settings: Settings, open: number[]): string {
  const write = (name: string, text: string, mode = 0o600): string => {
    const path = join(folder, `${name}-${index}`)
    writeFileSync(path, text, { mode })
    return path
  }
  const config = write('config', configOf(settings))
  const key = settings.privateKey === undefined ? undefined : write('key', `${settings.privateKey.trimEnd()}\n`)
  const before = index === 0 ? undefined : join(folder, `hop-${index - 1}`)
  const last = index === chain.length - 1
  const words = [
    settings.program,
    ...sshArguments(settings, { config, key, proxy: proxyOf(settings, before) }),
    ...(last ? ['-M', '-N', '-S', join(folder, 'socket')] : []),
  ]
  const ask = hasSecrets(settings) ? askpass(folder, index, settings, key, open) : undefined
  const end = `${last ? '' : ' -W "$1"'} -- ${quote(settings.hop.host)}`
  return write('hop', `${environment(settings, secrets, ask)}exec ${words.map(quote).join(' ')}${end}\n`)
}

/** The user's own files first; what is ours stands last, for the first that is said holds. */
function configOf(settings: Settings): string {
  const list = (files: readonly string[]): string => files.map((file) => `"${file}"`).join(' ')
  return `${settings.configFiles.map((file) => `Include "${file}"\n`).join('')}Host *
UserKnownHostsFile ${settings.usualKnownHosts.length === 0 ? '/dev/null' : list(settings.usualKnownHosts)}
`
}

/** What ssh shall run to reach the host; nothing where its own reading of the configuration says it. */
function proxyOf(settings: Settings, before: string | undefined): string | undefined {
  if (before !== undefined) return `sh ${quote(before).replaceAll('%', '%%')} '[%h]:%p'`
  return settings.proxyCommand === undefined ? 'none' : undefined
}

function environment(settings: Settings, secrets: boolean, ask: string | undefined): string {
  const agent =
    settings.hop.agent === undefined ? 'unset SSH_AUTH_SOCK\n' : `SSH_AUTH_SOCK=${quote(settings.hop.agent)}; export SSH_AUTH_SOCK\n`
  if (!secrets) return agent
  const how =
    ask === undefined ? 'SSH_ASKPASS_REQUIRE=never' : `SSH_ASKPASS=${quote(ask)} SSH_ASKPASS_REQUIRE=force DISPLAY="\${DISPLAY:-none}"`
  return `${agent}${how}; export SSH_ASKPASS SSH_ASKPASS_REQUIRE DISPLAY\n`
}

/** ssh asks a program of ours, which reads the answer from a pipe: it stands in no argument, no environment and no file. */
function askpass(folder: string, index: number, settings: Settings, key: string | undefined, open: number[]): string {
  const pipe = (name: string, secret: string | undefined): string => {
    const path = join(folder, `${name}-${index}`)
    if (secret !== undefined) fillPipe(path, secret, settings.name, open)
    return path
  }
  // ssh shows a hundred letters of a key's name at most
  const keys = [...(key === undefined ? [] : [key]), ...settings.identityFiles].map((file) => `*${quote(`'${file.slice(0, 100)}`)}*`)
  const ofKeys = keys.length === 0 ? '' : `${keys.join('|')}) from=${quote(pipe('passphrase', settings.passphrase))} ;;\n`
  const path = join(folder, `ask-${index}`)
  writeFileSync(
    path,
    `#!/bin/sh
[ -z "$SSH_ASKPASS_PROMPT" ] || exit 1
case $1 in
${ofKeys}*) from=${quote(pipe('password', settings.password))} ;;
esac
[ -p "$from" ] && IFS= read -r answer <"$from" && printf '%s\\n' "$answer"
`,
  )
  chmodSync(path, 0o700)
  return path
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
