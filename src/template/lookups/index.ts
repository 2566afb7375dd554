/** Every lookup by its names, short and full. */
import type { LookupFunction } from '../registry.ts'
import { COMMAND_LOOKUPS } from './commands.ts'
import { full, named } from './define.ts'
import { dependent } from './dependent.ts'
import { DNS_LOOKUPS } from './dns.ts'
import { ELSEWHERE_LOOKUPS } from './elsewhere.ts'
import { FILE_LOOKUPS } from './files.ts'
import { filetree } from './filetree.ts'
import { LIST_LOOKUPS } from './lists.ts'
import { mergeVariables } from './merge-variables.ts'
import { OF_FILTERS } from './of-filters.ts'
import { password } from './password.ts'
import { randomString } from './random-string.ts'
import { VARIABLE_LOOKUPS } from './variables.ts'

const { cartesian, flattened, ...LISTS } = LIST_LOOKUPS
const { binary_file, ...FILES } = FILE_LOOKUPS

export const LOOKUPS: ReadonlyMap<string, LookupFunction> = new Map(
  Object.entries({
    ...named('ansible.builtin', { ...VARIABLE_LOOKUPS, ...FILES, ...COMMAND_LOOKUPS, ...LISTS, password }),
    ...named('community.general', {
      cartesian: cartesian!,
      flattened: flattened!,
      random_string: randomString,
      dependent,
      filetree,
      ...DNS_LOOKUPS,
    }),
    ...full('community.general', { binary_file: binary_file!, merge_variables: mergeVariables }),
    ...full('ansible.utils', OF_FILTERS),
    ...ELSEWHERE_LOOKUPS,
  }),
)
