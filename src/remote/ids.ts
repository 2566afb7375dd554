/** Asks who somebody is: ids of users and groups by name, the one who asks, the umask. */
import type { Probe } from './probe.ts'
import { sh } from './script.ts'

/** The uid of a user by name or by number; undefined where there is no such user. */
export function userIdProbe(user: string): Probe<number | undefined> {
  if (isNumber(user)) return known(Number(user))
  return { script: sh`printf '%s\0' "$(id -u ${user} 2>/dev/null)"`, read: (fields) => fields.number() }
}

/** The gid of a group by name or by number. */
export function groupIdProbe(group: string): Probe<number | undefined> {
  if (isNumber(group)) return known(Number(group))
  const script = sh`g=$(getent group ${group} 2>/dev/null); case $g in *:*:*) g=\${g#*:*:}; g=\${g%%:*} ;; *) g=
while IFS=: read -r n x i r; do if [ "$n" = ${group} ]; then g=$i; break; fi; done </etc/group ;; esac
printf '%s\0' "$g"`
  return { script, read: (fields) => fields.number() }
}

/** What new files would get: the asker's ids and umask. */
export interface Self {
  readonly uid: number
  readonly gid: number
  readonly umask: number
}

/** Told by the kernel where it has such a file, for no program has to be started to read it. */
export const selfProbe: Probe<Self> = {
  script: sh`u=; g=
if [ -r /proc/self/status ]; then while read -r k r e x; do case $k in Uid:) u=$e ;; Gid:) g=$e; break ;; esac; done </proc/self/status; fi
[ -n "$u" ] && [ -n "$g" ] || { u=$(id -u); g=$(id -g); }
printf '%s\0%s\0' "$u" "$g"; umask; printf '\0'`,
  read: (fields) => ({ uid: fields.number()!, gid: fields.number()!, umask: Number.parseInt(fields.text(), 8) }),
}

/** A question that needs no asking. */
export function known<T>(value: T): Probe<T> {
  return { script: sh`:`, read: () => value }
}

const isNumber = (name: string): boolean => /^\s*\d+\s*$/.test(name)
