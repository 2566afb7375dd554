/** pause: waits for a time or for a person. */
import { Float, Problem, type Value } from '../base/index.ts'
import { asText, bool, fallback, raw, str } from '../params/index.ts'
import { defineModule, type Host, ModuleFailure } from './api.ts'
import { timeText } from './files/run-command.ts'

export default defineModule({
  name: 'ansible.builtin.pause',
  takesAsync: false,
  summary: 'Waits for a time or for a person.',
  controllerOnly: true,
  bypassHostLoop: true,
  params: { echo: fallback(bool(), true), minutes: raw(), seconds: raw(), prompt: str() },
  rules: { mutuallyExclusive: [['minutes', 'seconds']] },
  async *run(args, host) {
    const minutes = wholeNumber('minutes', args.minutes)
    const given = minutes !== undefined ? minutes * 60 : wholeNumber('seconds', args.seconds)
    const seconds = given === undefined ? undefined : Math.max(1, given)
    const start = host.now()
    const input = await pausing(args, host, seconds)
    const stop = host.now()
    const spent = (stop.getTime() - start.getTime()) / 1000
    const delta = Math.floor(spent)
    const stdout = args.minutes !== undefined ? `Paused for ${rounded(spent / 60)} minutes` : `Paused for ${rounded(spent)} seconds`
    return {
      changed: false,
      rc: 0,
      stderr: '',
      stdout: args.minutes === undefined && args.seconds === undefined ? `Paused for ${rounded(spent / 60)} minutes` : stdout,
      start: timeText(start),
      stop: timeText(stop),
      delta,
      echo: args.echo,
      user_input: input,
    }
  },
})

interface Asked {
  readonly echo: boolean
  readonly prompt?: string | undefined
}

/** Two digits at most, one at least after the point. */
function rounded(n: number): string {
  const text = String(Math.round(n * 100) / 100)
  return text.includes('.') ? text : `${text}.0`
}

/** Waits, and tells so; what was typed counts only where no time was given. */
async function pausing(args: Asked, host: Host, seconds: number | undefined): Promise<string> {
  const { say, keys } = host.controller
  const hidden = args.echo ? '' : ' (output is hidden)'
  const asked = (text: string) => `[${host.task.name.trim()}]\n${text}${hidden}:`
  let text = asked(args.prompt || 'Press enter to continue, Ctrl+C to interrupt')
  if (seconds !== undefined) {
    say(`Pausing for ${seconds} seconds${hidden}`)
    if (args.prompt) say(INTERRUPTION)
    else text = INTERRUPTION
  }
  const echo = seconds === undefined && args.echo
  const { how, typed } = await keys({ text, echo, timeoutSeconds: seconds, ...(seconds === undefined ? {} : { done: [] }) })
  if (how === 'nobody') {
    if (seconds === undefined) say('Not waiting for response to prompt as stdin is not interactive', 'warning')
    else await host.sleep(seconds)
  }
  if (how === 'interrupted') return goOnOrAbort(host, echo)
  return seconds === undefined ? typed : ''
}

const INTERRUPTION = "(ctrl+C then 'C' = continue early, ctrl+C then 'A' = abort)\r"

async function goOnOrAbort(host: Host, echo: boolean): Promise<string> {
  const text = "Press 'C' to continue the play or 'A' to abort \r"
  const { how, typed } = await host.controller.keys({ text, echo, done: ['c', 'C'], interrupt: ['a', 'A'] })
  if (how === 'interrupted') throw new Problem('user requested abort!', { kind: 'run' })
  return typed
}

/** As Python's int() takes it: what is behind the point is left out, but not in a text. */
function wholeNumber(name: string, given: Value | undefined): number | undefined {
  if (given === undefined) return undefined
  if (given instanceof Float) return Math.trunc(given.value)
  const number = Number(asText(given).trim())
  if (Number.isInteger(number) && asText(given).trim() !== '') return number
  throw new ModuleFailure(
    `argument '${name}' is of type <class 'str'> and we were unable to convert to int: "${asText(given)}" cannot be converted to an int`,
  )
}
