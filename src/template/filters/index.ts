/** Every filter by its names, short and full. */
import type { FilterFunction } from '../registry.ts'
import { ANSIBLE_LISTS } from './ansible-lists.ts'
import { ANSIBLE_MISC } from './ansible-misc.ts'
import { certificateInfo } from './certificate.ts'
import { COMMUNITY_GENERAL } from './community.ts'
import { COMMUNITY_CRYPTO, COMMUNITY_KEYS } from './community-keys.ts'
import { COMMUNITY_YAML, DATA } from './data.ts'
import { full, named } from './define.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { ENCODING } from './encode.ts'
import { INI_TEXT } from './ini-text.ts'
import { JINJA_NUMBERS } from './jinja-numbers.ts'
import { JINJA_SEQUENCES } from './jinja-sequences.ts'
import { JINJA_TEXT } from './jinja-text.ts'
import { JSON_PATCH } from './json-patch.ts'
import { ADDRESS_FORMS } from './net/forms.ts'
import { NETWORK_FILTERS } from './net/networks.ts'
import { PATHS } from './paths.ts'
import { requestInfo } from './request.ts'
import { revocationsInfo } from './revocations.ts'
import { SERIALS } from './serials.ts'
import { UTILS_DATA } from './utils-data.ts'
import { NETCOMMON } from './vlans.ts'
import { XML } from './xml.ts'

export const FILTERS: ReadonlyMap<string, FilterFunction> = new Map(
  Object.entries({
    ...JINJA_TEXT,
    ...JINJA_NUMBERS,
    ...JINJA_SEQUENCES,
    ...named('ansible.builtin', { ...DATA, ...ENCODING, ...PATHS, ...ANSIBLE_MISC, ...ANSIBLE_LISTS }),
    ...named('community.general', { ...COMMUNITY_GENERAL, ...INI_TEXT, ...JSON_PATCH }),
    ...full('community.general', { ...COMMUNITY_KEYS, ...COMMUNITY_YAML }),
    ...named('ansible.utils', { ...NETWORK_FILTERS, ...ADDRESS_FORMS, ...UTILS_DATA, ...XML }),
    ...named('community.crypto', {
      ...COMMUNITY_CRYPTO,
      ...SERIALS,
      x509_certificate_info: certificateInfo,
      openssl_csr_info: requestInfo,
      x509_crl_info: revocationsInfo,
    }),
    ...named('ansible.netcommon', { ...NETWORK_FILTERS, ...NETCOMMON }),
    ...ELSEWHERE,
  }),
)
