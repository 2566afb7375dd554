/** An endpoint and a way to connect → a Session: connects when first used, and again when the connection was lost. */
import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Readable } from 'node:stream'
import { Problem } from '../base/index.ts'
import { type Become, becomeMethods } from '../become/index.ts'
import { joinScripts, type Output, type Script, sh, textOf } from '../remote/index.ts'
import type { Endpoint, RunOptions, Session } from './api.ts'
import type { Link } from './channel.ts'
import { type Content, getFile, putFile, SMALL } from './files.ts'
import { TransferFailed } from './lost.ts'
import { Meter } from './meter.ts'
import { exportsOf } from './shell/frame.ts'
import { needsTerminal, type Place, runOnChannel } from './shell/own-channel.ts'
import { Shells } from './shell/shells.ts'
import { Spill } from './spill.ts'

interface Far {
  readonly link: Link
  readonly place: Place
  readonly shells: Map<string, Shells>
}

/** How long shells may take to end by themselves and to remove what they keep. */
const FAREWELL = 2000

/** Changing the user may wait for PAM and the directory service. */
const BECOME_SECONDS = 30

/** Where no stream can be used, a frame carries this much. */
const PIECE = 64 * 1024

interface As {
  readonly become?: Become | undefined
  readonly signal?: AbortSignal | undefined
}

export class HostSession implements Session {
  readonly endpoint: Endpoint
  readonly meter = new Meter()
  private readonly connect: (endpoint: Endpoint) => Promise<Link>
  private connecting: Promise<Far> | undefined
  /** scratch folders whose shells were lost, by who made them: killed shells have not removed theirs */
  private readonly orphans = new Map<string, Set<string>>()

  private readonly tell: (text: string) => void
  private readonly spill: Spill

  constructor(
    endpoint: Endpoint,
    connect: (endpoint: Endpoint) => Promise<Link>,
    tell: (text: string) => void = () => {},
    spill = new Spill(),
  ) {
    this.endpoint = endpoint
    this.connect = connect
    this.spill = spill
    const address = endpoint.kind === 'local' ? '127.0.0.1' : endpoint.hops.at(-1)?.host
    this.tell = (text) => tell(`<${address ?? endpoint.name}> ${text}`)
  }

  /** Resolves once there is a connection. */
  async ready(): Promise<void> {
    await this.far()
  }

  async run(script: Script, options: RunOptions = {}): Promise<Output> {
    options.signal?.throwIfAborted()
    // one signal may end a whole run: many scripts listen to it, and each stops listening when it is done
    if (options.signal !== undefined) setMaxListeners(0, options.signal)
    const far = await this.far()
    const become = this.changing(far, options.become)
    if (options.ownChannel || options.tty) {
      return runOnChannel(far.place, await this.withEnv(script, this.shells(far, become), options), { ...options, become })
    }
    if (options.stdin === undefined || options.stdin.length <= SMALL) return this.shells(far, become).run(script, options)
    return this.runWithMuchStdin(script, options, options.stdin)
  }

  async put(path: string, content: Content, options: As = {}): Promise<void> {
    const { name } = this.endpoint
    const { become, signal } = options
    await putFile(name, path, content, {
      small: (script, stdin) => this.run(script, { become, signal, stdin }),
      large: async (script, stdin) => {
        const far = await this.far()
        const changing = this.changing(far, become)
        // the shell shows whether a terminal is needed, which would spoil a stream
        if (changing !== undefined) await this.shells(far, changing).run(sh`:`, { signal })
        if (changing !== undefined && needsTerminal(far.place, changing)) return this.runWithMuchStdin(script, { become, signal }, stdin)
        return runOnChannel(far.place, sh`exec sh -c ${script.text}`, { become: changing, stdin, signal })
      },
    })
  }

  async get(path: string, options: As = {}): Promise<Uint8Array> {
    return getFile(this.endpoint.name, path, (script) => this.run(script, options))
  }

  async scratch(become?: Become): Promise<string> {
    const far = await this.far()
    return this.shells(far, this.changing(far, become)).scratch()
  }

  async leave(user: string): Promise<void> {
    const far = await this.connecting?.catch(() => undefined)
    if (far === undefined || far.link.lost !== undefined) return
    const left = [...far.shells].filter(([key]) => key !== '' && (JSON.parse(key) as Become).user === user)
    for (const [key] of left) far.shells.delete(key)
    await Promise.all(left.map(([, shells]) => shells.end(FAREWELL)))
  }

  async reset(): Promise<void> {
    await this.close()
  }

  async close(): Promise<void> {
    const connecting = this.connecting?.catch(() => undefined)
    this.connecting = undefined
    const far = await Promise.race([connecting, new Promise<undefined>((resolve) => setTimeout(resolve, FAREWELL, undefined).unref())])
    if (far === undefined) {
      connecting?.then((late) => late?.link.close())
      return
    }
    if (far.link.lost === undefined) await this.removeOrphans(far)
    if (far.link.lost === undefined) await Promise.all([...far.shells.values()].map((shells) => shells.end(FAREWELL)))
    far.link.close()
  }

  /** The connection; a lost one is replaced. */
  private async far(): Promise<Far> {
    for (;;) {
      this.connecting ??= this.open()
      const connecting = this.connecting
      const forget = (): void => {
        if (this.connecting === connecting) this.connecting = undefined
      }
      const far = await connecting.catch((error: unknown) => {
        forget()
        throw error
      })
      if (far.link.lost === undefined) return far
      this.adopt(far)
      forget()
    }
  }

  /** What a lost connection leaves behind, if its shells could not remove it. */
  private adopt(far: Far): void {
    for (const [key, { kept }] of far.shells) this.addOrphans(key, kept)
  }

  private addOrphans(key: string, paths: Iterable<string>): void {
    const known = this.orphans.get(key) ?? new Set()
    for (const path of paths) known.add(path)
    if (known.size > 0) this.orphans.set(key, known)
  }

  private async removeOrphans(far: Far): Promise<void> {
    for (const [key, { abandoned }] of far.shells) this.addOrphans(key, abandoned)
    const removing = [...this.orphans].map(([key, paths]) => {
      const shells = this.shells(far, key === '' ? undefined : (JSON.parse(key) as Become))
      return shells.run(sh`rm -rf -- ${[...paths]}`, { timeoutSeconds: FAREWELL / 1000 })
    })
    this.orphans.clear()
    await Promise.allSettled(removing)
  }

  private async open(): Promise<Far> {
    const link = await this.connect(this.endpoint)
    this.tell(`ESTABLISH ${this.endpoint.kind === 'local' ? 'LOCAL' : 'SSH'} CONNECTION FOR USER: ${link.user}`)
    const shells = new Map<string, Shells>()
    const place: Place = {
      link,
      meter: this.meter,
      host: this.endpoint.name,
      becomeSeconds: BECOME_SECONDS,
      terminals: new Set(),
      tell: this.tell,
      spill: this.spill,
      makeRoom: () => void [...shells.values()].some((each) => each.spare()),
    }
    return { link, place, shells }
  }

  /** Nobody needs to become who they are, unless that is wanted. */
  private changing(far: Far, become: Become | undefined): Become | undefined {
    if (become === undefined) return undefined
    if (!becomeMethods.includes(become.method))
      throw new Problem(`there is no become method “${become.method}”`, {
        kind: 'parameter',
        hint: `known are ${becomeMethods.join(', ')}`,
      })
    return become.user === far.link.user && !become.always ? undefined : become
  }

  private shells(far: Far, become: Become | undefined): Shells {
    const key = become === undefined ? '' : JSON.stringify(become)
    const known = far.shells.get(key)
    if (known !== undefined) return known
    const shells = new Shells(far.place, become)
    far.shells.set(key, shells)
    return shells
  }

  /** Variables for a channel of its own travel in a file: no process list and no terminal's echo shows them. The login shell then is sh. */
  private async withEnv(script: Script, shells: Shells, { env, signal }: RunOptions): Promise<Script> {
    if (env === undefined || env.size === 0) return script
    const path = `${await shells.scratch()}/env-${randomBytes(6).toString('hex')}`
    const output = await shells.run(sh`umask 077; cat >${path}`, { stdin: Buffer.from(exportsOf(env)), signal })
    if (output.code !== 0)
      throw new TransferFailed(`${this.endpoint.name}: ${path} could not be written`, { notes: [textOf(output.stderr)] })
    return sh`exec sh -c ${joinScripts([sh`. ${path}; rm -f ${path}`, script]).text}`
  }

  /** More than a frame takes well goes to a file first, which the script reads and which is gone by the time it does. */
  private async runWithMuchStdin(script: Script, options: RunOptions, stdin: Uint8Array | Readable): Promise<Output> {
    const { become, signal } = options
    const path = `${await this.scratch(become)}/stdin-${randomBytes(6).toString('hex')}`
    await this.fill(path, stdin, { become, signal })
    const far = await this.far()
    return this.shells(far, this.changing(far, become)).run(joinScripts([sh`rm -f ${path}`, script]), { ...options, stdin: { path } })
  }

  private async fill(path: string, content: Uint8Array | Readable, options: As): Promise<void> {
    const far = await this.far()
    const become = this.changing(far, options.become)
    if (content instanceof Uint8Array && (become === undefined || !needsTerminal(far.place, become)))
      return this.put(path, content, options)
    for await (const piece of piecesOf(content)) {
      const output = await this.shells(far, become).run(sh`umask 077; cat >>${path}`, { signal: options.signal, stdin: piece })
      if (output.code !== 0)
        throw new TransferFailed(`${this.endpoint.name}: ${path} could not be written`, { notes: [textOf(output.stderr)] })
    }
  }
}

/** Content in pieces that a frame takes well. */
async function* piecesOf(content: Uint8Array | Readable): AsyncGenerator<Uint8Array> {
  for await (const chunk of content instanceof Uint8Array ? [content] : (content as AsyncIterable<Buffer>))
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE)
}
