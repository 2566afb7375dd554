/** An apt-get command as words → the script that runs it undisturbed, and how it is told in messages. */
import { linesOf } from '../../facts/index.ts'
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import type { Change, Done, Host } from '../api.ts'
import { type Ran, ran } from '../system/looking.ts'
import { inMemory } from './apt-look.ts'

export interface AptCommand {
  /** apt-get, aptitude or dpkg with all words but --simulate */
  readonly words: readonly string[]
  readonly lockTimeout: number
  /** the exit code of a policy-rc.d for the time of the command */
  readonly policyRcD: number | undefined
}

/** Runs the command as a change; in check mode, and for a diff, it is simulated first. */
export async function* runApt(host: Host, command: AptCommand, what: string): AsyncGenerator<Change, Ran, Done> {
  const simulated = host.check || host.diff ? await simulate(host, command) : undefined
  const failed = host.check && simulated !== undefined && simulated.rc !== 0
  if (failed) return simulated
  const diff = simulated && host.diff ? { prepared: describedChange(simulated.stdout) } : undefined
  const done = yield { what, diff, onFailure: 'tell', script: commandScript(command, command.words) }
  return done ? ran(done) : simulated!
}

/** What the command would do, in its own words. */
export async function simulate(host: Host, command: AptCommand): Promise<Ran> {
  const script = commandScript({ ...command, policyRcD: undefined }, [
    command.words[0]!,
    '--simulate',
    ...inMemory(host.check && command.words[0] !== 'dpkg'),
    ...command.words.slice(1),
  ])
  return ran(await host.look(script, { onFailure: 'tell' }))
}

/** Does a simulation's output tell of packages that come, change or go? These lines are made for programs. */
export const changesAnything = (stdout: string): boolean => linesOf(stdout).some((line) => /^(Inst|Remv|Purg|Conf|Del) /.test(line))

/** The part of a simulation that people want to see. */
function describedChange(stdout: string): string {
  const lines = linesOf(stdout)
  const start = lines.findLastIndex((line) => /^(Resolving dependencies|Reading state information)\.\.\.$/.test(line))
  const end = lines.findIndex((line) => /^[0-9]+ (packages )?upgraded/.test(line))
  return lines.slice(start + 1, end < 0 ? undefined : end + 1).join('\n')
}

/** The environment in which apt asks nothing, a policy-rc.d if one is wanted, and patience with locks. */
export function commandScript(command: AptCommand, words: readonly string[]): Script {
  return joinScripts([
    sh`(`,
    quiet,
    awaitLock('/var/lib/dpkg/lock-frontend', words[0] === 'dpkg' ? command.lockTimeout : 0),
    command.policyRcD === undefined ? sh`` : withPolicy(command.policyRcD),
    words[0] === 'apt-get' ? sh`apt-get -o ${`DPkg::Lock::Timeout=${command.lockTimeout}`} ${words.slice(1)}` : sh`${words}`,
    sh`) </dev/null`,
  ])
}

/** What all that touches apt begins with. */
export const quiet: Script = sh`DEBIAN_FRONTEND=noninteractive; DEBIAN_PRIORITY=critical; LC_ALL=C; LANGUAGE=C; export DEBIAN_FRONTEND DEBIAN_PRIORITY LC_ALL LANGUAGE`

/** Waits until nobody holds a lock file, as the kernel's table of locks tells by its inode. */
export const awaitLock = (path: string, seconds: number): Script => sh`
l_i=$(stat -c %i ${path} 2>/dev/null); l_n=0
while [ -n "$l_i" ] && [ $l_n -lt ${seconds} ] && grep -q ":$l_i " /proc/locks; do sleep 1; l_n=$((l_n + 1)); done`

/** A policy-rc.d that answers with a code; one that was there comes back afterwards. */
const withPolicy = (code: number): Script => sh`
p=/usr/sbin/policy-rc.d; b=
if [ -e $p ]; then b=$(mktemp -d) && mv $p "$b/policy-rc.d" || exit 1; fi
printf '#!/bin/sh\nexit %s\n' ${code} >$p && chmod 0755 $p
trap 'rm -f $p; if [ -n "$b" ]; then mv "$b/policy-rc.d" $p; rmdir "$b"; fi' EXIT`

/** The command as Ansible's messages spell it. */
export function toldCommand(
  program: string,
  dpkgOptions: readonly string[],
  middle: readonly string[],
  packages: readonly string[],
  after: readonly string[],
): string {
  const options = dpkgOptions.map((option) => `-o "Dpkg::Options::=--${option}"`).join(' ')
  const words = [program, '-y', options, ...middle, ...packages.map((name) => `'${name}'`), ...after]
  return words.filter((word) => word !== '').join(' ')
}
