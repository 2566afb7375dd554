/** Says whether a text can name a variable. */
import { ModuleFailure } from '../api.ts'

export function checkVariableName(name: string): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return
  throw new ModuleFailure(
    `The variable name '${name}' is not valid. Variables must start with a letter or underscore character, and contain only letters, numbers and underscores.`,
  )
}
