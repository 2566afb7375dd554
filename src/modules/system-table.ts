/** The native modules that look after the system: facts, packages, services, users, kernel and mounts. */
import type { Params } from '../params/index.ts'
import type { Module } from './api.ts'
import apk from './packages/apk.ts'
import apt from './packages/apt.ts'
import aptKey from './packages/apt-key.ts'
import aptRepository from './packages/apt-repository.ts'
import deb822Repository from './packages/deb822-repository.ts'
import debconf from './packages/debconf.ts'
import dnf from './packages/dnf.ts'
import dpkgSelections from './packages/dpkg-selections.ts'
import git from './packages/git.ts'
import packageModule from './packages/package.ts'
import packageFacts from './packages/package-facts.ts'
import pacman from './packages/pacman.ts'
import pip from './packages/pip.ts'
import redhatSubscription from './packages/redhat-subscription.ts'
import rhsmRepository from './packages/rhsm-repository.ts'
import rpmKey from './packages/rpm-key.ts'
import subversion from './packages/subversion.ts'
import yumRepository from './packages/yum-repository.ts'
import zypper from './packages/zypper.ts'
import alternatives from './system/alternatives.ts'
import authorizedKey from './system/authorized-key.ts'
import cron from './system/cron.ts'
import gatherFacts from './system/gather-facts.ts'
import getent from './system/getent.ts'
import group from './system/group.ts'
import hostname from './system/hostname.ts'
import iptables from './system/iptables.ts'
import knownHosts from './system/known-hosts.ts'
import localeGen from './system/locale-gen.ts'
import modprobe from './system/modprobe.ts'
import mount from './system/mount.ts'
import mountFacts from './system/mount-facts.ts'
import pamLimits from './system/pam-limits.ts'
import reboot from './system/reboot.ts'
import seboolean from './system/seboolean.ts'
import selinux from './system/selinux.ts'
import service from './system/service.ts'
import serviceFacts from './system/service-facts.ts'
import setup from './system/setup.ts'
import sysctl from './system/sysctl.ts'
import systemd from './system/systemd.ts'
import sysvinit from './system/sysvinit.ts'
import timezone from './system/timezone.ts'
import ufw from './system/ufw.ts'
import user from './system/user.ts'
import waitForConnection from './system/wait-for-connection.ts'

const plain = <P extends Params>(module: Module<P>): Module => module as unknown as Module

export const SYSTEM_MODULES: readonly Module[] = [
  // facts
  plain(mountFacts),
  plain(gatherFacts),
  plain(packageFacts),
  plain(serviceFacts),
  plain(setup),
  // packages
  plain(subversion),
  plain(deb822Repository),
  plain(zypper),
  plain(yumRepository),
  plain(rpmKey),
  plain(rhsmRepository),
  plain(redhatSubscription),
  plain(pip),
  plain(pacman),
  plain(git),
  plain(dnf),
  plain(debconf),
  plain(aptKey),
  plain(apk),
  plain(aptRepository),
  plain(dpkgSelections),
  plain(apt),
  plain(packageModule),
  // services
  plain(service),
  plain(systemd),
  plain(sysvinit),
  // the kernel and the machine
  plain(ufw),
  plain(selinux),
  plain(seboolean),
  plain(localeGen),
  plain(iptables),
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
  plain(knownHosts),
  plain(authorizedKey),
  plain(getent),
  plain(group),
  plain(user),
]
