/** The words for why a path cannot be reached. */
import type { Missing } from '../../remote/index.ts'

export const REASONS: Readonly<Record<Missing['why'], string>> = {
  absent: 'No such file or directory',
  'not-a-directory': 'Not a directory',
  loop: 'Too many levels of symbolic links',
  'no-permission': 'Permission denied',
}
