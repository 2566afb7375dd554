/** Processors, memory, firmware, block devices, volumes, mounts and uptime. */
import { sh } from '../../remote/index.ts'
import type { Collector, Facts } from '../collector.ts'
import { deviceFacts } from '../hardware/devices.ts'
import { dmiFacts, dmiFields, sysinfoFacts } from '../hardware/dmi.ts'
import { lvmFacts } from '../hardware/lvm.ts'
import { memoryFacts } from '../hardware/memory.ts'
import { mountFacts, mountWarnings } from '../hardware/mounts.ts'
import { processorFacts } from '../hardware/processors.ts'
import type { Look } from '../look.ts'

const dmi = '/sys/devices/virtual/dmi/id'

export const hardware: Collector = {
  name: 'hardware',
  ids: ['processor', 'processor_cores', 'processor_count', 'mounts', 'devices'],
  requires: ['platform'],
  minimal: false,
  script: ({ timeoutSeconds }) => sh`
f /proc/cpuinfo /proc/meminfo /proc/sysinfo; r /proc/uptime /sys/hypervisor/type; e /proc/xen
c nproc nproc
e ${dmi}/product_name; r ${dmiFields.map(([, file]) => `${dmi}/${file}`)}
if [ ! -e ${dmi}/product_name ] && w dmidecode; then for x in ${dmiFields.map(([, , word]) => word)}; do c "dmi:$x" dmidecode -s "$x"; done; fi
cd /sys/block 2>/dev/null
for n in *; do d=/sys/block/$n
  if [ -e "$d" ]; then
    e "$d" "$d"/slaves/* "$d"/holders/* "$d"/*/holders/*
    r "$d/size" "$d/removable" "$d/queue/rotational" "$d/queue/scheduler" "$d/queue/logical_block_size" "$d/queue/hw_sector_size" "$d/queue/discard_granularity" "$d/queue/discard_max_hw_bytes" "$d/device/vendor" "$d/device/model" "$d/device/sas_address" "$d/device/sas_device_handle" "$d/device/serial" "$d"/holders/*/dm/name "$d"/*/holders/*/dm/name "$d"/*/start "$d"/*/size
    if w sg_inq; then c "sg_inq:$d" sg_inq "/dev/$n"; fi
  fi
done
if w sg_inq; then printf '\036e:sg_inq\n'; fi
c links:block ls -l /sys/block
for x in id uuid label; do if [ -d "/dev/disk/by-$x" ]; then c "links:$x" ls -l "/dev/disk/by-$x"; fi; done
if w lspci; then c lspci lspci -D; fi
if w lsblk; then c lsblk lsblk --list --noheadings --paths --output NAME,UUID --exclude 2; fi
if [ "$(id -u)" = 0 ] && w vgs; then
  o='--noheadings --nosuffix --units g --separator ,'
  c vgs vgs $o; c lvs lvs $o; c pvs pvs $o
  if w dmsetup; then c dmsetup dmsetup info -C --noheadings --separator , -o major,minor,name; fi
fi
f /proc/self/mountinfo
if [ -f /etc/mtab ]; then m=/etc/mtab; else m=/proc/mounts; fi
printf '\036mtab\n'; cat "$m" 2>/dev/null
t_o=; if w timeout; then t_o='timeout ${timeoutSeconds}'; fi
while read -r x_d x_m x_t x_o; do
  case $x_d in
    /*|\\*|*:/*) if [ "$x_t" != none ]; then
      t=; case "$x_t:$x_d" in (*:*:/*|fuse*|nfs*|cifs*|smb*|ceph*|gluster*|9p*|afs*) t=$t_o ;; esac
      printf '\036stat:%s\n' "$x_m"; $t stat -f -c '%s %S %b %a %c %d' "$(printf %b "$x_m")" 2>/dev/null </dev/null || printf 'x %s\n' "$?"
    fi ;;
  esac
done <"$m"`,
  parse: (look, known) => hardwareFacts(look, known),
  warnings: mountWarnings,
}

function hardwareFacts(look: Look, known: Facts): Facts {
  const uptime = Number.parseInt(look.file('/proc/uptime') ?? '', 10)
  return {
    ...processorFacts(look, String(known.architecture ?? '')),
    ...memoryFacts(look.file('/proc/meminfo')),
    ...dmiFacts(look, dmi),
    ...sysinfoFacts(look.file('/proc/sysinfo')),
    ...deviceFacts(look),
    ...(Number.isNaN(uptime) ? {} : { uptime_seconds: uptime }),
    ...lvmFacts(look),
    ...mountFacts(look),
  }
}
