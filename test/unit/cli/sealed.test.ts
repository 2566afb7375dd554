import { expect, test } from 'vitest'
import { secretsIn } from '../../../src/cli/sealed.ts'

test.each([
  ['one value', 'hunter2', ['hunter2']],
  ['text of several lines', '-----BEGIN KEY-----\nabc\n-----END KEY-----\n', ['-----BEGIN KEY-----\nabc\n-----END KEY-----\n']],
  [
    'variables',
    `---\n# not this: comment-of-some-length\nplain: S3cretValue # why\nquoted: "with: colon and more"\nshort: abc\nyes: true\nstate: present\nurl: '{{ base }}/some/where'\nport: 8080
list:\n  - first-of-the-list\n  - name: second-of-it\nkey: |\n  -----BEGIN KEY-----\n  MIIEowIBAAKCAQEA\n`,
    ['S3cretValue', 'with: colon and more', 'first-of-the-list', 'second-of-it', '-----BEGIN KEY-----', 'MIIEowIBAAKCAQEA'],
  ],
])('%s', (_, plain, expected) => {
  expect(secretsIn(plain)).toEqual(expected)
})
