/** argv → the command that is meant, run to its end; its exit code is the program's. */
import { COMMANDS, commandOf } from './commands.ts'
import { openTerminal } from './terminal.ts'
import { exitCodeOf, tellError } from './trouble.ts'

export async function dispatch(argv: readonly string[]): Promise<void> {
  const terminal = openTerminal(process)
  const { load, rest } = commandOf(argv)
  // connections do not hold the process by themselves; a run that waits for one must not end as if it were done
  const keepAlive = setInterval(() => undefined, 1 << 30)
  let code: number
  try {
    const { run } = await load()
    code = await run(rest, terminal, COMMANDS)
  } catch (error) {
    await tellError(error, terminal)
    code = exitCodeOf(error)
  }
  clearInterval(keepAlive)
  await terminal.flush()
  process.exit(code)
}
