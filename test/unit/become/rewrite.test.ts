import { describe, expect, test } from 'vitest'
import { type Become, becomeCommand, promptOf, recognise, successOf } from '../../../src/become/index.ts'
import { sh } from '../../../src/remote/index.ts'

const cases: readonly { readonly name: string; readonly become: Become; readonly command: string }[] = [
  {
    name: 'sudo',
    become: { method: 'sudo', user: 'root' },
    command: `sudo -H -S -n -p BECOME-m-PASSWORD: -u root sh -c 'echo BECOME-m-OK $$; exec sh'`,
  },
  {
    name: 'sudo with a password is not told -n',
    become: { method: 'sudo', user: 'root', password: 's3cret' },
    command: `sudo -H -S -p BECOME-m-PASSWORD: -u root sh -c 'echo BECOME-m-OK $$; exec sh'`,
  },
  {
    name: 'flags in one word',
    become: { method: 'sudo', user: 'root', password: 's3cret', flags: '-HEn' },
    command: `sudo -HE -S -p BECOME-m-PASSWORD: -u root sh -c 'echo BECOME-m-OK $$; exec sh'`,
  },
  {
    name: 'flags and exe of the user',
    become: { method: 'sudo', user: 'a b', flags: '-i', exe: '/opt/sudo' },
    command: `/opt/sudo -i -p BECOME-m-PASSWORD: -u 'a b' sh -c 'echo BECOME-m-OK $$; exec sh'`,
  },
  { name: 'su', become: { method: 'su', user: 'root', password: 'x' }, command: `su -s /bin/sh root -c 'echo BECOME-m-OK $$; exec sh'` },
  { name: 'doas', become: { method: 'doas', user: 'root' }, command: `doas -n -u root sh -c 'echo BECOME-m-OK $$; exec sh'` },
  { name: 'run0', become: { method: 'run0', user: 'root' }, command: `run0 --user=root sh -c 'echo BECOME-m-OK $$; exec sh'` },
]

test.each(cases)('$name', ({ become, command }) => {
  expect(becomeCommand(become, sh`exec sh`, 'm').text).toBe(command)
})

test('an unknown method is refused', () => {
  expect(() => becomeCommand({ method: 'pbrun', user: 'root' }, sh`exec sh`, 'm')).toThrow('pbrun')
})

test('the password is never in the command', () => {
  for (const method of ['sudo', 'su', 'doas', 'run0']) {
    expect(becomeCommand({ method, user: 'root', password: 's3cret' }, sh`exec sh`, 'm').text).not.toContain('s3cret')
  }
})

describe('what the host says', () => {
  test.each([
    { name: 'nothing', said: '', what: 'wait' },
    { name: 'a lecture', said: 'We trust you have received …\n', what: 'wait' },
    { name: 'our prompt', said: `lecture\n${promptOf('m')}`, what: 'prompt' },
    { name: 'a prompt of a login module', said: 'Passwort: ', what: 'perhaps' },
    { name: 'success', said: `noise\n${successOf('m')} 17\n`, what: 'success' },
    { name: 'half of success', said: `${successOf('m')} 1`, what: 'wait' },
    { name: 'su asks, in whatever language', said: 'パスワード: ', what: 'perhaps' },
    { name: 'su complains', said: 'su: Authentication failure\n', what: 'wait' },
  ])('$name', ({ said, what }) => {
    expect(recognise('m', said)).toBe(what)
  })
})
