/** Every filter, test and lookup that Kubespray names is there, under the names it uses. */
import { expect, test } from 'vitest'
import { FILTERS } from '../../../src/template/filters/index.ts'
import { hashPassword } from '../../../src/template/filters/password-hash.ts'
import { LOOKUPS } from '../../../src/template/lookups/index.ts'
import { TESTS } from '../../../src/template/tests/index.ts'

const filters =
  'default lower length bool indent string to_json to_nice_yaml join ansible.utils.ipaddr regex_replace first combine map ansible.utils.ipwrap ternary int replace list dict2items random selectattr trim select d from_json flatten to_yaml unique b64decode b64encode dirname intersect urlsplit json_query difference type_debug basename union float from_yaml regex_search reject checksum split format sort quote last product items2dict min password_hash regex_findall zip community.crypto.x509_certificate_info community.general.dict rejectattr ipaddr extract capitalize'
const tests =
  'defined version succeeded skipped string failed success match search sameas undefined mapping equalto changed divisibleby number ansible.utils.ipv4 boolean iterable regex subset true version_compare == in ne eq ansible.builtin.all'
const lookups = 'env template vars password fileglob inventory_hostnames varnames first_found items nested dict'

test.each([
  ['filters', FILTERS, filters],
  ['tests', TESTS, tests],
  ['lookups', LOOKUPS, lookups],
] as const)('%s', (_, table, names) => {
  expect(names.split(' ').filter((name) => !table.has(name))).toEqual([])
})

test('bcrypt with a salt gives the hash that every bcrypt gives', () => {
  expect(hashPassword('U*U', 'bcrypt', { salt: 'CCCCCCCCCCCCCCCCCCCCC.', rounds: 5, ident: '2a' })).toBe(
    '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  )
  expect(hashPassword('x', 'blowfish', { rounds: 4 })).toMatch(/^\$2b\$04\$[./A-Za-z0-9]{53}$/)
})
