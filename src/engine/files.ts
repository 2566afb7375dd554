/** Where a task finds its files, templates and vars: the roles first, then the folder of the task's own file, then the playbook's. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { Problem } from '../base/index.ts'
import type { Role, Task } from '../playbook/index.ts'
import { expandUser, type TemplateFiles } from '../template/index.ts'

/** The folders of a task in order, each once: `ansible_search_path`. */
export function searchPath(task: Task | undefined, playbookDir: string): string[] {
  const out: string[] = []
  const add = (folder: string) => {
    if (!out.includes(folder)) out.push(folder)
  }
  if (task) {
    const roles: Role[] = task.role ? [task.role, ...[...task.role.parents].reverse()] : []
    for (const role of roles) add(role.path)
    add(dirname(task.file))
  }
  add(playbookDir)
  return out
}

/** The files in reach of a search path; `readText` opens vaulted ones. */
export function filesOn(path: readonly string[], readText: (path: string) => string): TemplateFiles {
  const candidates = (kind: string): string[] => path.flatMap((folder) => [join(folder, kind), folder])
  return {
    find(kind, name) {
      const wanted = expandHome(name)
      if (isAbsolute(wanted)) return existsSync(wanted) ? wanted : undefined
      for (const folder of candidates(kind)) {
        const file = normalize(join(folder, wanted))
        if (existsSync(file)) return file
      }
      return undefined
    },
    folders: candidates,
    read: readText,
    readBytes(file) {
      try {
        return readFileSync(file)
      } catch (error) {
        throw new Problem(`cannot read ${file}: ${(error as Error).message}`, { kind: 'file', cause: error })
      }
    },
  }
}

/** `~` and `~user` at the start of a path of this machine. */
export const expandHome = (path: string): string => expandUser(path, process.env)
