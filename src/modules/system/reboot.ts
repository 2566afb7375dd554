/** reboot: starts the host anew and waits until it is back, which its boot id tells. */
import { Problem } from '../../base/index.ts'
import { fallback, int, list, str } from '../../params/index.ts'
import { sh, textOf, userScript } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'

export default defineModule({
  name: 'ansible.builtin.reboot',
  takesAsync: false,
  optionsOfAction: true,
  summary: 'Reboots the host and waits for it.',
  params: {
    pre_reboot_delay: fallback(int({ aliases: ['pre_reboot_delay_sec'] }), 0),
    post_reboot_delay: fallback(int({ aliases: ['post_reboot_delay_sec'] }), 0),
    reboot_timeout: fallback(int({ aliases: ['reboot_timeout_sec'] }), 600),
    connect_timeout: int({ aliases: ['connect_timeout_sec'] }),
    test_command: fallback(str(), 'whoami'),
    msg: fallback(str(), 'Reboot initiated by Ansible'),
    search_paths: fallback(list(), ['/sbin', '/bin', '/usr/sbin', '/usr/bin', '/usr/local/sbin']),
    boot_time_command: fallback(str(), 'cat /proc/sys/kernel/random/boot_id'),
    reboot_command: str(),
  },
  async *run(args, host) {
    if (host.check) {
      yield { what: 'reboot', script: sh`:` }
      return { changed: true, elapsed: 0, rebooted: true }
    }
    const started = host.now().getTime()
    const elapsed = (): number => Math.floor((host.now().getTime() - started) / 1000)
    const bootId = userScript(args.boot_time_command)
    const before = textOf((await host.look(bootId)).stdout).trim()
    const path = `${args.search_paths.join(':')}:`
    const minutes = Math.floor(Math.max(args.pre_reboot_delay, 0) / 60)
    const command =
      args.reboot_command === undefined
        ? sh`shutdown -r ${minutes === 0 ? 'now' : `+${minutes}`} ${args.msg}`
        : userScript(args.reboot_command)
    const program = args.reboot_command === undefined ? 'shutdown' : args.reboot_command.trim().split(/\s+/)[0]!
    // a second's delay lets the answer come back before the connection ends
    const script = sh`
PATH=${path}$PATH; export PATH
command -v ${program} >/dev/null 2>&1 || { echo ${`Unable to find command ${program} in search paths: ${args.search_paths.join(', ')}`} >&2; exit 127; }
if [ "$(id -u)" != 0 ] && [ ${args.reboot_command ?? ''} = '' ]; then echo 'Only root may reboot the host' >&2; exit 1; fi
( trap '' HUP; sleep 1; ${command} ) >/dev/null 2>&1 </dev/null &`
    const done = yield { what: 'reboot', onFailure: 'tell', script }
    if (done && done.code !== 0) throw failed(`Reboot command failed. Error was: '${textOf(done.stderr).trim()}'`, elapsed())
    await host.sleep(2 + minutes * 60)
    const late = started + (args.reboot_timeout + minutes * 60) * 1000
    await until(host, late, args.connect_timeout, async () => {
      const now = textOf((await host.look(bootId)).stdout).trim()
      return now !== '' && now !== before
    }).catch(rethrow('last boot time check', elapsed))
    await until(host, late, args.connect_timeout, async () => {
      const tried = await host.look(userScript(args.test_command), { onFailure: 'tell' })
      return tried.code === 0
    }).catch(rethrow('post-reboot test command', elapsed))
    if (args.post_reboot_delay > 0) await host.sleep(args.post_reboot_delay)
    return { changed: true, rebooted: true, elapsed: elapsed() }
  },
})

const failed = (message: string, elapsed: number): ModuleFailure => new ModuleFailure(message, { rebooted: false, changed: false, elapsed })

class OutOfTime extends Error {}

/** Connects and asks again, with growing pauses, until the answer is yes. */
async function until(host: Host, late: number, connectTimeout: number | undefined, isBack: () => Promise<boolean>): Promise<void> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 8)) {
    if (await answers(host, late, connectTimeout, isBack)) return
    if (host.now().getTime() >= late) throw new OutOfTime()
    await host.sleep(pause)
  }
}

/** A host that does not answer yet is no failure. */
async function answers(host: Host, late: number, connectTimeout: number | undefined, isBack: () => Promise<boolean>): Promise<boolean> {
  try {
    const left = Math.ceil((late - host.now().getTime()) / 1000)
    await host.reconnect({ connectTimeoutSeconds: Math.max(1, Math.min(connectTimeout ?? 10, left)) })
    return await isBack()
  } catch (error) {
    if (error instanceof Problem && error.kind === 'connection') return false
    throw error
  }
}

const rethrow =
  (what: string, elapsed: () => number) =>
  (error: unknown): never => {
    throw error instanceof OutOfTime ? failed(`Timed out waiting for ${what} (timeout=${elapsed()})`, elapsed()) : error
  }
