/** What a configuration says of the way to a host (ProxyJump, an ssh in ProxyCommand) → the jump hosts on it. */
import type { Hop } from '../api.ts'
import { readSshWords, shellWords } from './words.ts'

/** `Host *` with a ProxyJump holds for the jump host too, which is not behind itself. */
export const isSelf = (jump: Hop, hop: Hop): boolean =>
  jump.host === hop.host && (jump.port === 0 || hop.port === 0 || jump.port === hop.port)

/** `a,user@b:2222`: the first is reached first. */
export function jumpHops(jump: string, target: Hop): Hop[] {
  return jump.split(',').map((text) => hopTo(text.trim(), target, []))
}

/**
 * An ssh that does nothing but carry our bytes to the target is a jump host: `ssh … -W %h:%p bastion`, `ssh … bastion nc %h %p`. Anything else is
 * undefined and has to be run.
 */
export function hopOfCommand(command: string, target: Hop, to: { readonly host: string; readonly port: number }): Hop[] | undefined {
  const words = shellWords(command)
  if (words === undefined) return undefined
  const from = words[0] === 'exec' ? 1 : 0
  if (!/(^|\/)ssh$/.test(words[from] ?? '')) return undefined
  const ssh = readSshWords(words.slice(from + 1))
  if (ssh.destination === undefined) return undefined
  const carries =
    ssh.command.length === 0
      ? /^\[?([^\]]*)\]?:(\d+)$/.exec(ssh.forward ?? '')?.slice(1)
      : netcat(ssh.forward === undefined ? ssh.command : [])
  if (carries?.[0] !== to.host || carries[1] !== String(to.port)) return undefined
  const options = ssh.options.flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return [hopTo(ssh.destination, target, ssh.configFile === undefined ? options : ['-F', ssh.configFile, ...options])]
}

/** nc with only a time limit set → its host and port. */
function netcat(words: readonly string[]): string[] | undefined {
  if (!/(^|\/)(nc|netcat|ncat)$/.test(words[0] ?? '')) return undefined
  const rest = [...words.slice(1)]
  while (/^-[wq]/.test(rest[0] ?? '')) rest.splice(0, /^-[wq]$/.test(rest[0]!) ? 2 : 1)
  return rest.length === 2 && !rest[0]!.startsWith('-') ? rest : undefined
}

/** A jump host gets the target's keys and policy, never its password. */
function hopTo(destination: string, target: Hop, sshArgs: readonly string[]): Hop {
  const found = /^(?:ssh:\/\/)?(?:(.*)@)?(\[[^\]]*\]|[^:/]*)(?::(\d+))?\/?$/.exec(destination)
  const { privateKeyFiles, privateKey, passphrase, agent, hostKeyChecking, knownHostsFiles } = target
  return {
    host: (found?.[2] ?? destination).replace(/^\[|\]$/g, ''),
    port: Number(found?.[3] ?? 0),
    user: found?.[1] ?? '',
    privateKeyFiles,
    privateKey,
    passphrase,
    agent,
    hostKeyChecking,
    knownHostsFiles,
    sshArgs,
  }
}
