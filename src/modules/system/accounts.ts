/** passwd, shadow and group entries → one user's account and the groups of the host. */
import { type Look, linesOf } from '../../facts/index.ts'
import { type Script, sh } from '../../remote/index.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
  readonly comment: string
  readonly home: string
  readonly shell: string
  /** the sealed password; empty where it may not be read */
  readonly password: string
  /** days: last change, minimum, maximum, warning, inactive, expiry; undefined where nothing is set */
  readonly shadow: readonly (number | undefined)[]
  readonly homeExists: boolean
}

export interface Group {
  readonly name: string
  readonly gid: number
  readonly members: readonly string[]
}

/** The look at one user and all groups; local: the host's own files alone, no directory services. */
export const accountLook = (name: string, local: boolean): Script => sh`
n=${name}
if ${local ? sh`false` : sh`w getent`}; then
  x=$(getent passwd "$n" 2>/dev/null); s=$(getent shadow "$n" 2>/dev/null); g=$(getent group 2>/dev/null)
else
  x=$(awk -F: -v n="$n" '$1==n{print;exit}' /etc/passwd); s=; g=$(cat /etc/group)
fi
if [ -z "$s" ]; then s=$(awk -F: -v n="$n" '$1==n{print;exit}' /etc/shadow 2>/dev/null); fi
printf '\036passwd\n%s\n\036shadow\n%s\n\036group\n%s\n' "$x" "$s" "$g"
h=$(printf '%s\n' "$x" | cut -d: -f6); if [ -n "$h" ]; then e "$h"; fi
for t in useradd adduser luseradd chage; do if w $t; then printf '\036e:%s\n' $t; fi; done`

/** The account, or undefined when there is no such user. */
export function accountOf(look: Look, name: string): Account | undefined {
  const entry = linesOf(look.section('passwd')).find((line) => line.startsWith(`${name}:`))
  if (entry === undefined) return undefined
  const [, hidden = '', uid, gid, comment = '', home = '', shell = ''] = entry.split(':')
  const shadow =
    linesOf(look.section('shadow'))
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':') ?? []
  return {
    uid: Number(uid),
    gid: Number(gid),
    comment,
    home,
    shell,
    password: shadow[1] ?? hidden,
    shadow: shadow.slice(2).map((days) => (/^-?\d+$/.test(days) ? Number(days) : undefined)),
    homeExists: home !== '' && look.exists(home),
  }
}

export function groupsOf(look: Look): readonly Group[] {
  return linesOf(look.section('group')).flatMap((line) => {
    const [name, , gid, members = ''] = line.split(':')
    return name && gid !== undefined ? [{ name, gid: Number(gid), members: members.split(',').filter(Boolean) }] : []
  })
}

/** A group by its name, or by its number as text. */
export const findGroup = (groups: readonly Group[], word: string): Group | undefined =>
  groups.find((group) => group.name === word) ?? (/^\d+$/.test(word) ? groups.find((group) => group.gid === Number(word)) : undefined)
