/** The table of collectors, in the order in which they look. */
import type { Collector } from '../collector.ts'
import { distribution } from './distribution.ts'
import { hardware } from './hardware.ts'
import { fibreChannel, iscsi, nvme } from './initiators.ts'
import { local } from './local.ts'
import { pkgMgr, serviceMgr, systemd } from './managers.ts'
import { network } from './network.ts'
import { dateTime, sshPubKeys, user } from './people.ts'
import { platform } from './platform.ts'
import { apparmor, caps, chroot, cmdline, dns, env, fips, loadavg, lsb, python, selinux } from './system.ts'
import { virtual } from './virtual.ts'

/** `env` first: what it shows is the environment before our own settings. */
export const collectors: readonly Collector[] = [
  platform,
  distribution,
  lsb,
  selinux,
  apparmor,
  chroot,
  fips,
  python,
  caps,
  pkgMgr,
  serviceMgr,
  cmdline,
  dateTime,
  env,
  loadavg,
  sshPubKeys,
  user,
  systemd,
  virtual,
  hardware,
  dns,
  fibreChannel,
  network,
  iscsi,
  nvme,
  local,
]
