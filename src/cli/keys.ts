/** Keys pressed at a terminal, one by one, until one of them ends the waiting or the time is over. */

export interface Waiting {
  readonly echo: boolean
  readonly timeoutSeconds?: number | undefined
  /** keys that end the waiting; Enter where nothing is said */
  readonly done?: readonly string[] | undefined
  /** keys that interrupt it; Ctrl-C where nothing is said */
  readonly interrupt?: readonly string[] | undefined
}

export interface Pressed {
  readonly how: 'done' | 'late' | 'interrupted'
  readonly typed: string
}

const ENTER = ['\r', '\n']
const CTRL_C = ['\u0003']
const BACKSPACE = ['\u007f', '\b']

export function keysFrom(input: NodeJS.ReadStream, output: NodeJS.WriteStream, waiting: Waiting): Promise<Pressed> {
  const { echo, timeoutSeconds, done = ENTER, interrupt = CTRL_C } = waiting
  input.setRawMode(true)
  return new Promise((resolve) => {
    let typed = ''
    const finish = (how: Pressed['how']): void => {
      clearTimeout(timer)
      input.off('data', read)
      input.setRawMode(false)
      input.pause()
      if (echo) output.write('\n')
      resolve({ how, typed })
    }
    const timer = timeoutSeconds === undefined ? undefined : setTimeout(() => finish('late'), timeoutSeconds * 1000)
    const read = (chunk: Buffer): void => {
      for (const key of chunk.toString('utf8')) {
        const how = interrupt.includes(key) ? 'interrupted' : done.includes(key) ? 'done' : undefined
        if (how) {
          finish(how)
          return
        }
        if (!BACKSPACE.includes(key)) {
          typed += key
          if (echo) output.write(key)
        } else if (typed !== '') {
          typed = [...typed].slice(0, -1).join('')
          if (echo) output.write('\b \b')
        }
      }
    }
    input.on('data', read)
    input.resume()
  })
}
