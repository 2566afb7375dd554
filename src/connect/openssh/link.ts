/** A machine's settings → a Link to it, over the system's own ssh: it logs in and keeps the connection, on which we open our channels. */
import type { Channel, Link, OpenOptions } from '../channel.ts'
import { ConnectionLost } from '../lost.ts'
import { patiently } from '../ssh/patience.ts'
import type { Settings } from '../ssh/settings.ts'
import { Channels } from './channels.ts'
import { type Control, openControl } from './control.ts'
import { type Folder, prepareFolder } from './folder.ts'
import { type Program, startProgram } from './program.ts'

export interface ProgramLink extends Link {
  /** the program has ended and left nothing */
  readonly gone: Promise<void>
  /** where another ssh can use its connection */
  readonly socket: string
}

/** sshd closed the connection before it had said who it is, as it does when too many come at once (MaxStartups). */
export class ProgramTooBusy extends ConnectionLost {}

/** Logging in may wait for slow name look-ups and PAM on the host, as for our own connections. */
const PATIENCE = 30
/** A program that has lost its connection says why a moment later, in ms. */
const LAST_WORDS = 1000

export async function programLink(settings: Settings, over: ProgramLink | undefined): Promise<ProgramLink> {
  const folder = prepareFolder(settings, over)
  const program = startProgram(folder)
  try {
    const control = await logIn(settings, folder, program)
    return linkOf(settings, folder.socket, program, control)
  } catch (error) {
    program.end()
    await program.gone
    throw error
  }
}

async function logIn(settings: Settings, folder: Folder, program: Program): Promise<Control> {
  const seconds = Math.max(PATIENCE, settings.connectSeconds)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), seconds * 1000)
  })
  const outcome = await Promise.race([program.ready, late])
  clearTimeout(timer)
  folder.forgetSecrets()
  if (outcome === true) return openControl(folder.socket, settings.name)
  const notes = program.said().map((line) => `ssh said: ${line}`)
  const at = `${settings.host}:${settings.port}`
  if (outcome === 'late')
    throw new ConnectionLost(`${settings.name}: ssh did not log in at ${at} as ${settings.user} within ${seconds} s`, { notes })
  // the name of ssh's step, not a sentence: it ended before the host had said a word
  const Kind = program.said()[0]?.startsWith('kex_exchange_identification:') ? ProgramTooBusy : ConnectionLost
  throw new Kind(`${settings.name}: ssh cannot log in at ${at} as ${settings.user}`, { notes })
}

function linkOf(settings: Settings, socket: string, program: Program, control: Control): ProgramLink {
  const { name } = settings
  const channels = new Channels(control, settings.forwardAgent)
  let lost: ConnectionLost | undefined
  let closing = false
  let proven = false
  control.closed.then(async () => {
    if (!closing) {
      const wait = new Promise((resolve) => setTimeout(resolve, LAST_WORDS).unref())
      await Promise.race([program.gone, wait])
    }
    const said = closing ? [] : program.said()
    lost = new ConnectionLost(`${name}: the connection was lost${closing ? ': it was closed from here' : ''}`, {
      notes: said.map((line) => `ssh said: ${line}`),
    })
    channels.lose(lost)
    program.end()
  })
  return {
    user: settings.user,
    gone: program.gone,
    socket,
    get lost() {
      return lost
    },
    open: async (command, options: OpenOptions = {}) => {
      if (lost !== undefined) throw lost
      const start = (tty: OpenOptions['tty']): Promise<Channel> => channels.start(command, tty)
      const channel = await patiently({ name, lost: () => lost, start, proven: () => proven }, options)
      proven = true
      return channel
    },
    close: () => {
      closing = true
      control.close()
      program.end()
    },
  }
}
