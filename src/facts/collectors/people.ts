/** The user who looks, the host's public keys and the time. */
import { sh } from '../../remote/index.ts'
import type { Collector, Facts } from '../collector.ts'
import { linesOf, wordsOf } from '../look.ts'

export const user: Collector = {
  name: 'user',
  ids: [
    'user_id',
    'user_uid',
    'user_gid',
    'user_gecos',
    'user_dir',
    'user_shell',
    'real_user_id',
    'effective_user_id',
    'effective_group_ids',
  ],
  requires: [],
  minimal: true,
  script: () => sh`
u=$(id -u); printf '\036ids\n%s %s\n' "$u" "$(id -g)"
if w getent; then c passwd getent passwd "$u"
else c passwd awk -F: -v u="$u" '$3==u{print;exit}' /etc/passwd; fi`,
  parse(look) {
    // whom sudo or su made us is who we are, both really and effectively
    const [effective = 0, group = 0] = wordsOf(look.section('ids')).map(Number)
    const [name = '', , uid = '', gid = '', gecos = '', dir = '', shell = ''] = (linesOf(look.command('passwd'))[0] ?? '').split(':')
    return {
      user_id: name || String(effective),
      user_uid: uid === '' ? effective : Number(uid),
      user_gid: gid === '' ? group : Number(gid),
      user_gecos: gecos,
      user_dir: dir,
      user_shell: shell,
      real_user_id: effective,
      effective_user_id: effective,
      real_group_id: group,
      effective_group_id: group,
    }
  },
}

const algorithms = ['dsa', 'rsa', 'ecdsa', 'ed25519']
const keyFolders = ['/etc/ssh', '/etc/openssh', '/etc']
const keyFile = (folder: string, algorithm: string): string => `${folder}/ssh_host_${algorithm}_key.pub`

export const sshPubKeys: Collector = {
  name: 'ssh_pub_keys',
  ids: ['ssh_host_pub_keys', ...algorithms.map((algorithm) => `ssh_host_key_${algorithm}_public`)],
  requires: [],
  minimal: true,
  script: () => sh`r ${keyFolders.flatMap((folder) => algorithms.map((algorithm) => keyFile(folder, algorithm)))}`,
  parse(look) {
    for (const folder of keyFolders) {
      const facts: Facts = {}
      for (const algorithm of algorithms) {
        const [type, key] = wordsOf(look.file(keyFile(folder, algorithm)))
        if (key === undefined) continue
        facts[`ssh_host_key_${algorithm}_public`] = key
        facts[`ssh_host_key_${algorithm}_public_keytype`] = type!
      }
      if (Object.keys(facts).length > 0) return facts
    }
    return {}
  },
}

export const dateTime: Collector = {
  name: 'date_time',
  ids: [],
  requires: [],
  minimal: true,
  script: () => sh`
n=$(date '+%s %N'); t=$(set -- $n; printf %s "$1")
printf '\036date\n'; date -d "@$t" '+%Y|%m|%A|%w|%W|%d|%H|%M|%S|%Z|%z'; date -u -d "@$t" '+%Y-%m-%dT%H:%M:%S'
y=31557600; j=$((t / y * y)); printf '%s|%s\n' "$(date -d "@$j" '+%Z|%z')" "$(date -d "@$((j + y / 2))" '+%Z|%z')"
printf '%s\n' "$n"`,
  parse(look) {
    const [local = '', utc = '', zones = '', moment = ''] = linesOf(look.section('date'))
    const [epoch = '', nano = ''] = wordsOf(moment)
    const [year, month, weekday, weekday_number, weeknumber, day, hour, minute, second, tz, tz_offset] = local.split('|') as string[]
    const micro = /^\d{9}$/.test(nano) ? nano.slice(0, 6) : '000000'
    return {
      date_time: {
        year: year!,
        month: month!,
        weekday: weekday!,
        weekday_number: weekday_number!,
        weeknumber: weeknumber!,
        day: day!,
        hour: hour!,
        minute: minute!,
        second: second!,
        epoch,
        epoch_int: epoch,
        date: `${year}-${month}-${day}`,
        time: `${hour}:${minute}:${second}`,
        iso8601_micro: `${utc}.${micro}Z`,
        iso8601: `${utc}Z`,
        iso8601_basic: `${year}${month}${day}T${hour}${minute}${second}${micro}`,
        iso8601_basic_short: `${year}${month}${day}T${hour}${minute}${second}`,
        tz: tz!,
        tz_dst: summerZone(zones),
        tz_offset: tz_offset!,
      },
    }
  },
}

/** The zone's name in summer: of January and July, that with the greater offset. */
function summerZone(zones: string): string {
  const [january = '', januaryOffset = '', july = '', julyOffset = ''] = zones.split('|')
  return Number(januaryOffset) > Number(julyOffset) ? january : july
}
