/** Settings: what only this program has. One row each: type(default, ini keys, environment, what it is). */
import { bool, int, maybePath, str } from '../kinds.ts'

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
  JOURNAL: bool(true, ['tsspray.journal'], ['TSSPRAY_JOURNAL'], 'whether runs are kept, for --resume, `tsspray runs` and `tsspray show`'),
  JOURNAL_DIR: maybePath(
    ['tsspray.journal_dir'],
    ['TSSPRAY_JOURNAL_DIR'],
    'the folder they are kept in; where nobody says, tsspray/runs below $XDG_STATE_HOME or ~/.local/state',
  ),
  JOURNAL_KEEP: int(50, ['tsspray.journal_keep'], ['TSSPRAY_JOURNAL_KEEP'], 'how many runs are kept; older ones are removed'),
} as const
