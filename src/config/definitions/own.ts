/** Settings: what only this program has. One row each: type(default, ini keys, environment, what it is). */
import { bool, maybePath, str } from '../kinds.ts'

export const own = {
  COMPAT_VERSION: str(
    '2.18.8',
    ['tsspray.compat_version', 'defaults.compat_version'],
    ['TSSPRAY_COMPAT_VERSION'],
    'the Ansible release whose behaviour is kept, and that ansible_version reports',
  ),
  PREFER_NATIVE: bool(
    false,
    ['tsspray.prefer_native', 'defaults.prefer_native'],
    ['TSSPRAY_PREFER_NATIVE'],
    'whether a module of this program goes before one of the same name in Python',
  ),
  JOURNAL: maybePath(['tsspray.journal'], ['TSSPRAY_JOURNAL'], 'a file the run’s events are kept in, for resuming and reports'),
} as const
