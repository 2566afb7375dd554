/** The native modules that look after the system: facts, packages, services, users, kernel and mounts. */
import type { Params } from '../params/index.ts'
import type { Module } from './api.ts'
import apt from './packages/apt.ts'
import aptRepository from './packages/apt-repository.ts'
import dpkgSelections from './packages/dpkg-selections.ts'
import packageModule from './packages/package.ts'
import packageFacts from './packages/package-facts.ts'
import alternatives from './system/alternatives.ts'
import cron from './system/cron.ts'
import gatherFacts from './system/gather-facts.ts'
import getent from './system/getent.ts'
import group from './system/group.ts'
import hostname from './system/hostname.ts'
import modprobe from './system/modprobe.ts'
import mount from './system/mount.ts'
import pamLimits from './system/pam-limits.ts'
import reboot from './system/reboot.ts'
import service from './system/service.ts'
import serviceFacts from './system/service-facts.ts'
import setup from './system/setup.ts'
import sysctl from './system/sysctl.ts'
import systemd from './system/systemd.ts'
import sysvinit from './system/sysvinit.ts'
import timezone from './system/timezone.ts'
import user from './system/user.ts'
import waitForConnection from './system/wait-for-connection.ts'

const plain = <P extends Params>(module: Module<P>): Module => module as unknown as Module

export const SYSTEM_MODULES: readonly Module[] = [
  // facts
  plain(gatherFacts),
  plain(packageFacts),
  plain(serviceFacts),
  plain(setup),
  // packages
  plain(aptRepository),
  plain(dpkgSelections),
  plain(apt),
  plain(packageModule),
  // services
  plain(service),
  plain(systemd),
  plain(sysvinit),
  // the kernel and the machine
  plain(timezone),
  plain(pamLimits),
  plain(alternatives),
  plain(cron),
  plain(hostname),
  plain(modprobe),
  plain(mount),
  plain(reboot),
  plain(sysctl),
  plain(waitForConnection),
  // people
  plain(getent),
  plain(group),
  plain(user),
]
