/** Filters that exist only as Python, or that belong to a service's own library: their use is an error that says so. */
import { filterError } from '../python/index.ts'
import type { FilterFunction } from '../registry.ts'
import type { FilterTable } from './define.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'ansible.netcommon': ['parse_cli', 'parse_cli_textfsm', 'parse_xml', 'pop_ace'],
  'ansible.utils': ['fact_diff', 'validate'],
  'community.crypto': ['acme_dns_persist_record', 'acme_dns_persist_record_parse', 'gpg_fingerprint'],
  'community.general': ['from_toml', 'hashids_decode', 'hashids_encode', 'jc', 'json_diff', 'to_prettytable', 'to_toml'],
}

const missing =
  (name: string): FilterFunction =>
  () => {
    throw filterError(`the filter ${name} needs a library of Python's and does not exist here`)
  }

export const ELSEWHERE: FilterTable = Object.fromEntries(
  Object.entries(NAMES).flatMap(([collection, names]) => names.map((name) => [`${collection}.${name}`, missing(`${collection}.${name}`)])),
)
