/** What programs that change the user say, in whatever language, and what comes of it: success, a wrong password told at once, a time-out. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { localLink } from '../../../src/connect/local.ts'
import { BecomeFailed } from '../../../src/connect/lost.ts'
import { Meter } from '../../../src/connect/meter.ts'
import { type Place, runOnChannel } from '../../../src/connect/shell/own-channel.ts'
import { Spill } from '../../../src/connect/spill.ts'
import { sh, textOf } from '../../../src/remote/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'become-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that asks in its own words, twice if need be, and then runs what stands last in its arguments. */
function program(name: string, prompt: string, sorry: string): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    `#!/bin/sh
for last; do :; done
for try in 1 2 3; do
  printf %s '${prompt}' >&2
  IFS= read -r word || exit 1
  [ "$word" = right ] && exec sh -c "$last"
  echo '${sorry}' >&2
done
exit 1
`,
  )
  chmodSync(path, 0o755)
  return path
}

const place = (becomeSeconds: number): Place => ({
  link: localLink(), meter: new Meter(), host: 'here', becomeSeconds, terminals: new Set(), makeRoom: () => {}, spill: new Spill(),
}) // biome-ignore format: a list

const languages = [
  {
    name: 'sudo in German',
    method: 'sudo',
    prompt: '[sudo] Passwort für admin: ',
    sorry: 'Das hat nicht funktioniert, bitte nochmal probieren.',
  },
  { name: 'sudo in Japanese', method: 'sudo', prompt: '[sudo] admin のパスワード: ', sorry: '残念、また試してください。' },
  { name: 'su in French', method: 'su', prompt: 'Mot de passe : ', sorry: 'su : Échec d’authentification' },
  { name: 'su in Russian', method: 'su', prompt: 'Пароль: ', sorry: 'su: Сбой при проверке подлинности' },
  { name: 'a login module without a colon', method: 'sudo', prompt: 'Verification code', sorry: 'no' },
]

describe.each(languages)('$name', ({ name, method, prompt, sorry }) => {
  const exe = program(name.replaceAll(' ', '-'), prompt, sorry)
  const become = (password?: string) => ({ method, user: 'root', exe, password })

  test('is answered', async () => {
    const output = await runOnChannel(place(20), sh`echo done`, { become: become('right') })
    expect([textOf(output.stdout), output.code]).toEqual(['done\n', 0])
  })

  test('a wrong password is told at once, and not shown', async () => {
    const from = performance.now()
    const failure = await runOnChannel(place(60), sh`echo done`, { become: become('wr0ng-one') }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(BecomeFailed)
    expect((failure as BecomeFailed).message).toBe(`here: cannot become root with ${method}: the password is wrong`)
    expect(JSON.stringify([(failure as BecomeFailed).message, (failure as BecomeFailed).notes])).not.toContain('wr0ng-one')
    expect(performance.now() - from).toBeLessThan(15_000)
  })

  test('none is told at once', async () => {
    const from = performance.now()
    await expect(runOnChannel(place(60), sh`echo done`, { become: become() })).rejects.toThrow('a password is asked for, and there is none')
    expect(performance.now() - from).toBeLessThan(15_000)
  })
})

test('a program that says nothing is not waited for any longer than a time', async () => {
  const exe = join(folder, 'silent')
  writeFileSync(exe, '#!/bin/sh\nexec sleep 30\n')
  chmodSync(exe, 0o755)
  const from = performance.now()
  const become = { method: 'sudo', user: 'root', exe }
  await expect(runOnChannel(place(1), sh`:`, { become })).rejects.toThrow('here: cannot become root with sudo: no answer within 1 s')
  expect(performance.now() - from).toBeLessThan(15_000)
})
