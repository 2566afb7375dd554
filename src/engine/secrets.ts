/** Tells the run's masks about the passwords of a connection. */
import type { Value } from '../base/index.ts'
import type { Become } from '../become/index.ts'
import type { Secrets } from '../events/index.ts'

const SECRET_VARIABLES = [
  'ansible_password',
  'ansible_ssh_pass',
  'ansible_ssh_password',
  'ansible_become_password',
  'ansible_become_pass',
  'ansible_sudo_pass',
]

export function rememberSecrets(secrets: Secrets, variable: (name: string) => Value | undefined, become: Become | undefined): void {
  for (const name of SECRET_VARIABLES) {
    const value = variable(name)
    if (typeof value === 'string') secrets.add(value)
  }
  if (become?.password) secrets.add(become.password)
}
