/** ansible.utils' lookups that do what its filters do, on their first term. */
import type { Value } from '../../base/index.ts'
import type { LookupFunction } from '../registry.ts'
import type { LookupTable } from './define.ts'

const asLookup =
  (filter: string): LookupFunction =>
  (context, [value = null, ...rest], kwargs) => {
    const found: Value = context.callFilter(`ansible.utils.${filter}`, value, rest, new Map([...kwargs, ['wantlist', true]]))
    return Array.isArray(found) ? found : [found]
  }

export const OF_FILTERS: LookupTable = { get_path: asLookup('get_path'), index_of: asLookup('index_of'), to_paths: asLookup('to_paths') }
