/** Tests on paths of the controller. */
import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import type { Value } from '../../base/index.ts'
import { isSealed } from '../../vault/index.ts'
import { filterError, isUndefined, PyError, repr, typeError, typeName } from '../python/index.ts'
import type { TestFunction } from '../registry.ts'
import { claim, type TestTable, test } from './define.ts'

function onPath(name: string, holds: (file: string) => boolean): TestFunction {
  return claim(name, (value) => holds(pathOf(value, name)))
}

function pathOf(value: Value, name: string): string {
  if (isUndefined(value)) value.raise()
  if (typeof value !== 'string') throw typeError(`${name}: path should be string, bytes, os.PathLike or integer, not ${typeName(value)}`)
  return value
}

const stat = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false })
const lstat = (file: string): Stats | undefined => lstatSync(file, { throwIfNoEntry: false })

/** A broken path is no path. */
function safely(look: () => boolean): boolean {
  try {
    return look()
  } catch {
    return false
  }
}

const isAbsolute = onPath('isabs', (file) => file.startsWith('/'))
const isDirectory = onPath('stat', (file) => safely(() => stat(file)?.isDirectory() ?? false))
const isFile = onPath('stat', (file) => safely(() => stat(file)?.isFile() ?? false))
const isLink = onPath('lstat', (file) => safely(() => lstat(file)?.isSymbolicLink() ?? false))
const isMount = onPath('lstat', (file) => safely(() => isMountPoint(file)))
const isSameFile = test('samefile', ['f2'], (value, [other]) => {
  const [a, b] = [present(pathOf(value, 'stat')), present(pathOf(other, 'stat'))]
  return a.ino === b.ino && a.dev === b.dev
})

export const FILE_TESTS: TestTable = {
  abs: isAbsolute,
  directory: isDirectory,
  exists: onPath('stat', (file) => safely(() => stat(file) !== undefined)),
  file: isFile,
  is_abs: isAbsolute,
  is_dir: isDirectory,
  is_file: isFile,
  is_link: isLink,
  is_mount: isMount,
  is_same_file: isSameFile,
  link: isLink,
  link_exists: onPath('lstat', (file) => safely(() => lstat(file) !== undefined)),
  mount: isMount,
  same_file: isSameFile,
  vaulted_file: claim('vaulted_file', (value) => {
    try {
      return isSealed(readFileSync(pathOf(value, 'open'), 'latin1'))
    } catch (error) {
      throw filterError(`Cannot test if the file ${typeof value === 'string' ? value : repr(value)} is a vault`, error)
    }
  }),
}

function present(file: string): Stats {
  const found = stat(file)
  if (!found) throw new PyError('ValueError', `[Errno 2] No such file or directory: ${repr(file)}`)
  return found
}

function isMountPoint(file: string): boolean {
  const own = lstat(file)
  if (!own || own.isSymbolicLink()) return false
  const parent = lstat(path.dirname(realpathSync(file)))
  return parent !== undefined && (own.dev !== parent.dev || own.ino === parent.ino)
}
