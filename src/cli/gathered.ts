/** Many small texts → few writes to a stream. */

export interface Gathered {
  write(text: string): void
  /** writes what waits */
  flush(): void
}

/** How long a text may wait where nobody sits and looks, in ms. */
const A_WHILE = 15

/** On a terminal a text waits for no longer than its turn. */
export function gathered(stream: NodeJS.WriteStream): Gathered {
  let waiting = ''
  let planned = false
  const flush = (): void => {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    stream.write(text)
  }
  const onTime = (): void => {
    planned = false
    flush()
  }
  return {
    write: (text) => {
      waiting += text
      if (planned) return
      planned = true
      if (stream.isTTY) setImmediate(onTime)
      else setTimeout(onTime, A_WHILE)
    },
    flush,
  }
}
