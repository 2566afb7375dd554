/** The native modules that look after the system: facts, packages, services, users, kernel and mounts. */
import type { Params } from '../params/index.ts'
import type { Module } from './api.ts'
import apt from './packages/apt.ts'
import gatherFacts from './system/gather-facts.ts'
import service from './system/service.ts'
import setup from './system/setup.ts'
import systemd from './system/systemd.ts'
import sysvinit from './system/sysvinit.ts'

const plain = <P extends Params>(module: Module<P>): Module => module as unknown as Module

export const SYSTEM_MODULES: readonly Module[] = [
  // facts
  plain(gatherFacts),
  plain(setup),
  // packages
  plain(apt),
  // services
  plain(service),
  plain(systemd),
  plain(sysvinit),
]
