/** Expands `~` and `$VAR` in paths as Python's expandvars and expanduser do on the host. */
import { type Probe, together } from './probe.ts'
import { sh, userScript } from './script.ts'

const VARIABLE = /\$(?:([A-Za-z0-9_]+)|\{([^}]*)\})/g
const HOME = /^~([^/]*)/

/** Is there something in the path that only the host can expand? */
export const needsExpansion = (path: string): boolean => path.startsWith('~') || path.includes('$')

/** Asks for what the paths need; the answer is a function that expands them. */
export function expansionProbe(paths: readonly string[]): Probe<(path: string) => string> {
  const variables = new Set<string>()
  const users = new Set<string>()
  for (const path of paths) {
    for (const [, plain, braced] of path.matchAll(VARIABLE)) variables.add(plain ?? braced ?? '')
    // a variable may bring the tilde, so the asker's own home is always told
    users.add('')
    const user = HOME.exec(path)?.[1]
    if (user) users.add(user)
  }
  const names = [...variables].filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  const people = [...users].filter((user) => /^[A-Za-z0-9_.-]*$/.test(user))
  const asked = together({
    variables: {
      // only names of letters, digits and underscores stand here unquoted
      script: userScript(names.map((name) => `printf '%s\\0%s\\0' "\${${name}+1}" "\${${name}-}"`).join('\n')),
      read: (fields) => new Map(names.map((name) => [name, fields.text() === '1' ? fields.text() : void fields.text()])),
    },
    homes: {
      script: userScript(people.map((user) => (user === '' ? OWN_HOME.text : `h=~${user}; printf '%s\\0' "$h"`)).join('\n')),
      read: (fields) => new Map(people.map((user) => [user, fields.text()])),
    },
  })
  return { script: asked.script, read: (fields) => expander(asked.read(fields)) }
}

const OWN_HOME = sh`h=\${HOME-}; [ -n "$h" ] || h=~; printf '%s\0' "$h"`

function expander(answer: { variables: Map<string, string | undefined>; homes: Map<string, string> }): (path: string) => string {
  return (path) => {
    const withVariables = path.replace(VARIABLE, (whole, plain, braced) => answer.variables.get(plain ?? braced) ?? whole)
    return withVariables.replace(HOME, (whole, user: string) => {
      const home = answer.homes.get(user)
      return home === undefined || home.startsWith('~') ? whole : home.replace(/\/+$/, '') || '/'
    })
  }
}
