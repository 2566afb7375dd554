/** Results of modules → the same without what is another each time and what belongs to Python or the file system. */
import { join } from 'node:path'
import type { Data, Dict } from './case.ts'

const VOLATILE = new Set(
  'atime ctime mtime dev inode start end stop delta elapsed invocation warnings deprecations exception action attributes attr_flags blocks block_size device_type version ansible_job_id pid _ansible_no_log ansible_delegated_vars cookies date server connection keep_alive transfer_encoding module_stdout module_stderr'.split(
    ' ',
  ),
)
/** Only root can have other than its own. */
const OWNERS = new Set('owner group uid gid pw_name gr_name'.split(' '))
/** Lists in the order of the file system: of `file`, `find`, `archive`. */
const UNORDERED = new Set(['files', 'directories', 'archived', 'expanded_paths'])

/** A text without the case's folder and what is random in it. */
export function masked(text: string, folder: string): string {
  return text
    .replaceAll(folder, 'DIR')
    .replaceAll(join(folder, '../../home'), 'HOME')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replace(/\.\d+\.\d{4}-\d\d-\d\d@\d\d:\d\d:\d\d~/g, '.BACKUP~')
    .replace(/[^\s'"]*\/\.?ansible[-_.][^\s'"]*/g, 'TMP')
    .replace(/(Request failed: ).*/, '$1…')
    .replace(/( executable "[^"]*") in paths.*/, '$1')
    .replace(/\nat \S+:\d+:\d+$/, '')
}

/** A task's result as it is compared. */
export function essence(result: Dict, folder: string, ignore: readonly string[]): Dict {
  const root = process.getuid?.() === 0
  const strip = (value: Data): Data => {
    if (typeof value === 'string') return masked(value, folder)
    if (Array.isArray(value)) return value.map(strip)
    if (value === null || typeof value !== 'object') return value
    const entries = Object.entries(value as Dict)
    const isFolder = entries.some(([key, of]) => (key === 'state' && of === 'directory') || (key === 'isdir' && of === true))
    return Object.fromEntries(
      entries
        .filter(([key, of]) => !(key.endsWith('_header') && !String(of).includes(' (')))
        .filter(([key]) => !VOLATILE.has(key) && (root || !OWNERS.has(key)) && !(isFolder && (key === 'size' || key === 'nlink')))
        .map(([key, of]) => [masked(key, folder), sorted(key, strip(of))]),
    )
  }
  const kept = Object.fromEntries(
    Object.entries(result).filter(
      ([key, value]) =>
        !ignore.includes(key) &&
        !(key === 'diff' && isEmpty(value)) &&
        !(key === 'failed' && value === false) &&
        !key.startsWith('_ansible'),
    ),
  )
  return strip({ changed: false, ...kept }) as Dict
}

const isEmpty = (value: Data): boolean => value !== null && typeof value === 'object' && Object.keys(value).length === 0

/** What is found in a folder comes as the file system has it. */
const sorted = (key: string, value: Data): Data =>
  UNORDERED.has(key) && Array.isArray(value) ? [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value

/** Of a result, what tells how it went. */
export function status(result: Dict): Dict {
  const told = ['changed', 'failed', 'skipped'].map((key) => [key, result[key] === true] as const)
  return Object.fromEntries(told.filter(([key, is]) => key === 'changed' || is))
}
