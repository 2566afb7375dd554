/** What `systemctl show` and its kin say of a unit → its state as the systemd module needs it. */
import { type JsonObject, record } from '../../base/index.ts'
import { type Look, linesOf } from '../../facts/index.ts'
import { type Script, sh } from '../../remote/index.ts'

export interface Unit {
  /** the properties as systemctl shows them */
  readonly status: Record<string, string>
  readonly isInitScript: boolean
  /** links of the init script in the runlevels */
  readonly initEnabled: boolean
  readonly isUnit: boolean
  /** the word of is-enabled: enabled, static, masked … */
  readonly enabledWord: string
  readonly enabledCode: number
  /** in a chroot, or told not to speak to the manager */
  readonly isOffline: boolean
}

/** The look at one unit; `systemctl` is the program with its options. */
export const unitLook = (systemctl: Script, unit: string): Script => sh`
printf '\036show\n'; ${systemctl} show ${unit} 2>/dev/null
x=$(${systemctl} is-enabled ${unit} 2>/dev/null); printf '\036enabled\n%s %s\n' $? "$x"
e ${`/etc/init.d/${unit}`}
for x in ${`/etc/rc`}[0-6S].d/S??${unit}; do if [ -e "$x" ]; then printf '\036e:initlinks\n'; fi; done
if [ "$SYSTEMD_OFFLINE" = 1 ]; then printf '\036e:offline\n'
elif x=$(stat -c '%d %i' /proc/1/root/. 2>/dev/null) && [ "$x" != "$(stat -c '%d %i' /)" ]; then printf '\036e:offline\n'; fi
if ! ${systemctl} show-environment >/dev/null 2>&1; then printf '\036files\n'; ${systemctl} list-unit-files --no-legend ${unit} 2>/dev/null; fi`

export function readUnit(look: Look, unit: string): Unit {
  const status = parseShow(look.section('show') ?? '')
  const [code = '1', ...words] = (look.section('enabled') ?? '').trim().split(/\s+/)
  const enabledWord = words[0] ?? ''
  const listed = linesOf(look.section('files')).length > 0
  const shown = 'LoadState' in status
  return {
    status,
    isInitScript: look.exists(`/etc/init.d/${unit}`),
    initEnabled: look.exists('initlinks'),
    isUnit: shown ? status.LoadState !== 'not-found' : known.has(enabledWord) || listed,
    enabledWord,
    enabledCode: Number(code),
    isOffline: look.exists('offline'),
  }
}

/** States that is-enabled knows only of units that exist. */
const known = new Set(
  'enabled enabled-runtime linked linked-runtime masked masked-runtime static indirect disabled generated transient'.split(' '),
)

/** `Key=value` lines; an Exec value may span lines until its closing brace. */
export function parseShow(text: string): Record<string, string> {
  const status: Record<string, string> = record()
  let open: string | undefined
  for (const line of linesOf(text)) {
    if (open !== undefined) {
      status[open] += `\n${line}`
      if (line.trimEnd().endsWith('}')) open = undefined
      continue
    }
    const equals = line.indexOf('=')
    if (equals < 0) continue
    const key = line.slice(0, equals)
    status[key] = line.slice(equals + 1).trim()
    if (key.startsWith('Exec') && status[key].startsWith('{') && !status[key].endsWith('}')) open = key
  }
  return status
}

export const isRunning = (status: JsonObject): boolean => status.ActiveState === 'active' || status.ActiveState === 'activating'
export const isStopping = (status: JsonObject): boolean => status.ActiveState === 'deactivating'
