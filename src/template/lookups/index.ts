/** Every lookup by its names, short and full. */
import type { LookupFunction } from '../registry.ts'
import { COMMAND_LOOKUPS } from './commands.ts'
import { named } from './define.ts'
import { FILE_LOOKUPS } from './files.ts'
import { LIST_LOOKUPS } from './lists.ts'
import { password } from './password.ts'
import { randomString } from './random-string.ts'
import { VARIABLE_LOOKUPS } from './variables.ts'

const { cartesian, flattened, ...LISTS } = LIST_LOOKUPS

export const LOOKUPS: ReadonlyMap<string, LookupFunction> = new Map(
  Object.entries({
    ...named('ansible.builtin', { ...VARIABLE_LOOKUPS, ...FILE_LOOKUPS, ...COMMAND_LOOKUPS, ...LISTS, password }),
    ...named('community.general', { cartesian: cartesian!, flattened: flattened!, random_string: randomString }),
  }),
)
