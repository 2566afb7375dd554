/** Every filter by its names, short and full. */
import type { FilterFunction } from '../registry.ts'
import { ANSIBLE_LISTS } from './ansible-lists.ts'
import { ANSIBLE_MISC } from './ansible-misc.ts'
import { certificateInfo } from './certificate.ts'
import { COMMUNITY_GENERAL } from './community.ts'
import { COMMUNITY_CRYPTO, COMMUNITY_KEYS } from './community-keys.ts'
import { DATA } from './data.ts'
import { full, named } from './define.ts'
import { ENCODING } from './encode.ts'
import { JINJA_NUMBERS } from './jinja-numbers.ts'
import { JINJA_SEQUENCES } from './jinja-sequences.ts'
import { JINJA_TEXT } from './jinja-text.ts'
import { NETWORK_FILTERS } from './net/networks.ts'
import { PATHS } from './paths.ts'
import { UTILS_DATA } from './utils-data.ts'

export const FILTERS: ReadonlyMap<string, FilterFunction> = new Map(
  Object.entries({
    ...JINJA_TEXT,
    ...JINJA_NUMBERS,
    ...JINJA_SEQUENCES,
    ...named('ansible.builtin', { ...DATA, ...ENCODING, ...PATHS, ...ANSIBLE_MISC, ...ANSIBLE_LISTS }),
    ...named('community.general', COMMUNITY_GENERAL),
    ...full('community.general', COMMUNITY_KEYS),
    ...named('ansible.utils', { ...NETWORK_FILTERS, ...UTILS_DATA }),
    ...named('community.crypto', { ...COMMUNITY_CRYPTO, x509_certificate_info: certificateInfo }),
    ...named('ansible.netcommon', NETWORK_FILTERS),
  }),
)
