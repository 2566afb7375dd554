/** A question that takes waiting → its answer at once: templates are evaluated without waiting, so another thread waits while this one stands still. */
import { createRequire } from 'node:module'

type Answer<T> = { readonly value: T } | { readonly failure: string }
type Threads = typeof import('node:worker_threads')

/**
 * Runs the body of an async function in a thread of its own, where `input` is what is asked and `require` gives Node's own parts, and returns what it returns.
 * Nothing of the question is seen in a list of processes.
 * @throws Error with the message of what the body threw
 */
export function askInAnotherThread<T>(body: string, input: unknown): T {
  // threads are loaded by those who need them
  const { MessageChannel, receiveMessageOnPort, Worker } = createRequire(import.meta.url)('node:worker_threads') as Threads
  const done = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(`${BEFORE}${body}${AFTER}`, {
    eval: true,
    workerData: { input, port: port2, done },
    transferList: [port2],
    execArgv: [],
  })
  try {
    Atomics.wait(done, 0, 0)
    const answer: Answer<T> = receiveMessageOnPort(port1)?.message ?? { failure: 'no answer' }
    if ('failure' in answer) throw new Error(answer.failure)
    return answer.value
  } finally {
    port1.close()
    worker.terminate()
  }
}

const BEFORE = `
const { input, port, done } = require('node:worker_threads').workerData
const answer = async () => {`
const AFTER = `}
answer()
  .then((value) => port.postMessage({ value }), (error) => port.postMessage({ failure: String(error?.message ?? error) }))
  .finally(() => { Atomics.store(done, 0, 1); Atomics.notify(done, 0) })
`
