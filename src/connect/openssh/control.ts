/** The control socket of an ssh that is logged in → its connection, on which we speak SSH's own messages about channels (PROTOCOL.mux, proxy). */
import { connect, type Socket } from 'node:net'
import { ConnectionLost } from '../lost.ts'
import { type Field, Fields, pack, Splitter } from '../wire.ts'

export interface Control {
  /** false: the other side does not keep up; `drained` says when it does */
  send(type: number, ...fields: readonly Field[]): boolean
  readonly drained: () => Promise<void>
  /** every message that comes, once someone listens */
  listen(take: (type: number, fields: Fields) => void): void
  readonly closed: Promise<void>
  close(): void
}

const HELLO = 0x00000001
const VERSION = 4
const PROXY = 0x1000000f
const PROXY_GRANTED = 0x8000000f
/** In ms. */
const PATIENCE = 10_000

export function openControl(path: string, name: string): Promise<Control> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path })
    const splitter = new Splitter()
    const fail = (why: string): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(new ConnectionLost(`${name}: ssh does not share its connection: ${why}`))
    }
    const timer = setTimeout(() => fail('its control socket does not answer'), PATIENCE)
    const granted = (): void => {
      clearTimeout(timer)
      socket.removeAllListeners()
      resolve(controlOf(socket, splitter))
    }
    const greet = (chunk: Buffer): void => {
      for (const message of splitter.push(chunk)) {
        const type = new Fields(message).number()
        if (type === PROXY_GRANTED) granted()
        else if (type !== HELLO) fail('it does not know how to be a proxy')
      }
    }
    socket.on('data', greet)
    socket.on('error', (error) => fail(error.message))
    socket.on('close', () => fail('it closed its control socket'))
    socket.on('connect', () => socket.write(Buffer.concat([pack(pack(HELLO, VERSION)), pack(pack(PROXY, 1))])))
  })
}

function controlOf(socket: Socket, splitter: Splitter): Control {
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => {})
  return {
    send: (type, ...fields) => socket.write(pack(pack({ byte: 0 }, { byte: type }, ...fields))),
    drained: () =>
      new Promise((resolve) => {
        if (!socket.writableNeedDrain) return resolve()
        socket.once('drain', resolve)
        closed.then(resolve)
      }),
    listen: (take) =>
      void socket.on('data', (chunk: Buffer) => {
        for (const message of splitter.push(chunk)) {
          const fields = new Fields(message)
          fields.byte()
          take(fields.byte(), fields)
        }
      }),
    closed,
    close: () => socket.destroy(),
  }
}
