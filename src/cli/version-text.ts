/** What -vv and --version tell of the program: which release it follows, and where it looks for things. */
import type { Settings } from '../config/index.ts'
import { VERSION } from './version.ts'

export function versionText({ get, file }: Settings): string {
  const list = (paths: readonly string[]): string => `[${paths.map((path) => `'${path}'`).join(', ')}]`
  return [
    `tsspray ${VERSION} [core ${get('COMPAT_VERSION')}]`,
    `  config file = ${file ?? 'None'}`,
    `  configured module search path = ${list(get('DEFAULT_MODULE_PATH'))}`,
    `  ansible collection location = ${get('COLLECTIONS_PATHS').join(':')}`,
    `  executable location = ${process.argv[1] ?? process.execPath}`,
    `  node version = ${process.version} (${process.execPath})`,
  ].join('\n')
}
