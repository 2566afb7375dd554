/** pause: waits for a time or for a person. */
import { bool, fallback, int, str } from '../params/index.ts'
import { defineModule, type Host } from './api.ts'
import { timeText } from './files/run-command.ts'

export default defineModule({
  name: 'ansible.builtin.pause',
  summary: 'Waits for a time or for a person.',
  controllerOnly: true,
  bypassHostLoop: true,
  params: { echo: fallback(bool(), true), minutes: int(), seconds: int(), prompt: str() },
  rules: { mutuallyExclusive: [['minutes', 'seconds']] },
  async *run(args, host) {
    const given = args.minutes !== undefined ? args.minutes * 60 : args.seconds
    const seconds = given === undefined ? undefined : Math.max(1, given)
    const start = host.now()
    const input = seconds === undefined || args.prompt !== undefined ? await answer(args, host, seconds) : await waited(host, seconds)
    const stop = host.now()
    const delta = Math.round((stop.getTime() - start.getTime()) / 1000)
    const stdout =
      args.minutes !== undefined
        ? `Paused for ${rounded(delta / 60)} minutes`
        : `Paused for ${rounded((stop.getTime() - start.getTime()) / 1000)} seconds`
    return {
      changed: false,
      rc: 0,
      stderr: '',
      stdout: args.minutes === undefined && args.seconds === undefined ? `Paused for ${rounded(delta / 60)} minutes` : stdout,
      start: timeText(start),
      stop: timeText(stop),
      delta,
      echo: args.echo,
      user_input: input,
    }
  },
})

/** Two digits at most, one at least after the point. */
function rounded(n: number): string {
  const text = String(Math.round(n * 100) / 100)
  return text.includes('.') ? text : `${text}.0`
}

async function waited(host: Host, seconds: number): Promise<string> {
  await host.sleep(seconds)
  return ''
}

async function answer(args: { echo: boolean; prompt?: string | undefined }, host: Host, seconds: number | undefined): Promise<string> {
  const text = `[${host.task.name.trim()}]\n${args.prompt ?? 'Press enter to continue, Ctrl+C to interrupt'}${args.echo ? '' : ' (output is hidden)'}:`
  return host.controller.prompt(text, { echo: args.echo, ...(seconds === undefined ? {} : { timeoutSeconds: seconds }) })
}
