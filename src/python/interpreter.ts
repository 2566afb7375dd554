/** Finds the Python of a host: what ansible_python_interpreter says, else the first of the usual names. */
import { type Script, sh } from '../remote/index.ts'

const NAMES = [
  'python3.13',
  'python3.12',
  'python3.11',
  'python3.10',
  'python3.9',
  'python3.8',
  'python3.7',
  '/usr/bin/python3',
  '/usr/libexec/platform-python',
  'python3',
  'python',
]

/** Is it a path rather than a way of finding one (auto, auto_silent, auto_legacy)? */
export const isPath = (setting: string): boolean => !setting.startsWith('auto')

/** Prints the first interpreter that is there; nothing where there is none. The system's own python3 goes first. */
export const interpreterLook = (names: readonly string[] = ['/usr/bin/python3', ...NAMES]): Script =>
  sh`for p in ${names}; do if command -v "$p" >/dev/null 2>&1; then command -v "$p"; exit 0; fi; done; exit 0`
