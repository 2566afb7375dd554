/** Every test by its names, short and full. */
import type { TestFunction } from '../registry.ts'
import { ANSIBLE_TESTS } from './ansible.ts'
import { COMMUNITY_TESTS } from './community.ts'
import { named } from './define.ts'
import { FILE_TESTS } from './files.ts'
import { JINJA_TESTS } from './jinja.ts'
import { NETWORK_TESTS } from './networks.ts'
import { RESULT_TESTS } from './results.ts'

export const TESTS: ReadonlyMap<string, TestFunction> = new Map(
  Object.entries({
    ...JINJA_TESTS,
    ...named('ansible.utils', NETWORK_TESTS),
    ...named('community.general', COMMUNITY_TESTS),
    ...named('ansible.builtin', { ...RESULT_TESTS, ...ANSIBLE_TESTS, ...FILE_TESTS }),
  }),
)
