/** A command and how to become another user → the command that runs it as that user, printing a mark once the change has happened. */
import { quote, type Script, sh, userScript } from '../remote/index.ts'
import type { Become } from './api.ts'

interface Method {
  readonly exe: string
  readonly flags: string
  /** the words before the command; `shell` runs the command, which is already one word of `sh -c` */
  readonly words: (become: Become, exe: string, mark: string) => string
}

/** Each method's way of saying: run this command as that user. */
const methods: Readonly<Record<string, Method>> = {
  sudo: { exe: 'sudo', flags: '-H -S -n', words: (b, exe, mark) => `${exe} ${sudoFlags(b, mark)} -u ${quote(b.user)} sh -c ` },
  su: { exe: 'su', flags: '', words: (b, exe) => `${exe} ${spaced(flagsOf(b))}-s /bin/sh ${quote(b.user)} -c ` },
  doas: {
    exe: 'doas',
    flags: '',
    words: (b, exe) => `${exe} ${spaced(flagsOf(b))}${b.password === undefined ? '-n ' : ''}-u ${quote(b.user)} sh -c `,
  },
  run0: { exe: 'run0', flags: '', words: (b, exe) => `${exe} ${spaced(flagsOf(b))}--user=${quote(b.user)} sh -c ` },
}

/** The methods that `becomeCommand` knows, for messages. */
export const becomeMethods: readonly string[] = Object.keys(methods)

/**
 * The command run as the become user. It prints `successOf(mark)` and its process id on a line of their own before anything else; where the method lets us choose the
 * prompt, it asks for the password with `promptOf(mark)`. The password is in neither.
 */
export function becomeCommand(become: Become, command: Script, mark: string): Script {
  const method = methods[become.method]
  if (method === undefined) throw new RangeError(`there is no become method “${become.method}”; known are ${becomeMethods.join(', ')}`)
  const inner = sh`echo ${successOf(mark)} $$; ${command}`
  return userScript(method.words(become, exeOf(become, method), mark) + quote(inner.text))
}

/** What begins the line that tells that the user has changed. */
export const successOf = (mark: string): string => `BECOME-${mark}-OK`

/** The words sudo asks for the password with. */
export const promptOf = (mark: string): string => `BECOME-${mark}-PASSWORD:`

/** Password prompts are drawn on the terminal itself by these: without one they cannot be answered. */
export const asksOnTerminal = (become: Become): boolean =>
  become.password !== undefined && (become.method === 'doas' || become.method === 'run0')

const exeOf = (become: Become, method: Method): string => become.exe ?? method.exe

const flagsOf = (become: Become): string => (become.flags ?? methods[become.method]?.flags ?? '').trim()

const spaced = (flags: string): string => (flags === '' ? '' : `${flags} `)

/** sudo must not be told -n when there is a password to give, and must read it from us. */
function sudoFlags(become: Become, mark: string): string {
  const flags = flagsOf(become)
  const prompt = `-p ${quote(promptOf(mark))}`
  if (become.password === undefined) return `${spaced(flags)}${prompt}`
  const kept = flags
    .split(/\s+/)
    .filter((flag) => flag !== '' && flag !== '-n' && flag !== '--non-interactive')
    .map(withoutN)
  const reading = kept.some((flag) => flag === '--stdin' || /^-[A-Za-z]*S/.test(flag)) ? kept : [...kept, '-S']
  return `${reading.join(' ')} ${prompt}`
}

/** -Hn says -H and -n at once. */
const withoutN = (flag: string): string => (/^-[HSEknbis]{2,}$/.test(flag) ? flag.replace('n', '') : flag)
