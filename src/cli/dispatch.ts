/** argv → the command that is meant, run to its end; its exit code is the program's. */
import { commandOf } from './commands.ts'
import { openTerminal } from './terminal.ts'
import { exitCodeOf, tellError } from './trouble.ts'

export async function dispatch(argv: readonly string[]): Promise<void> {
  const terminal = openTerminal(process)
  const { load, rest } = commandOf(argv)
  let code: number
  try {
    const { run } = await load()
    code = await run(rest, terminal)
  } catch (error) {
    tellError(error, terminal)
    code = exitCodeOf(error)
  }
  await terminal.flush()
  process.exit(code)
}
