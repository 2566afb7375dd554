/** The native modules: one line each. */
import type { Params } from '../params/index.ts'
import addHost from './add_host.ts'
import type { Module } from './api.ts'
import assemble from './assemble.ts'
import assertThat from './assert.ts'
import asyncStatus from './async_status.ts'
import blockinfile from './blockinfile.ts'
import command from './command.ts'
import copy from './copy.ts'
import debug from './debug.ts'
import expect from './expect.ts'
import fail from './fail.ts'
import fetch from './fetch.ts'
import file from './file.ts'
import find from './find.ts'
import { FURTHER_MODULES } from './further-table.ts'
import getUrl from './get_url.ts'
import groupBy from './group_by.ts'
import includeVars from './include_vars.ts'
import iniFile from './ini_file.ts'
import kube from './kube.ts'
import lineinfile from './lineinfile.ts'
import pause from './pause.ts'
import ping from './ping.ts'
import raw from './raw.ts'
import replace from './replace.ts'
import script from './script.ts'
import setFact from './set_fact.ts'
import setStats from './set_stats.ts'
import shell from './shell.ts'
import slurp from './slurp.ts'
import stat from './stat.ts'
import synchronize from './synchronize.ts'
import { SYSTEM_MODULES } from './system-table.ts'
import tempfile from './tempfile.ts'
import template from './template.ts'
import unarchive from './unarchive.ts'
import uri from './uri.ts'
import validateArgumentSpec from './validate_argument_spec.ts'
import waitFor from './wait_for.ts'

/** Takes a module of any parameters into the table. */
const plain = <P extends Params>(module: Module<P>): Module => module as unknown as Module

/** As they are declared; find-module.ts prepares them for use. */
export const DECLARED: readonly Module[] = [
  // commands
  plain(command),
  plain(expect),
  plain(raw),
  plain(script),
  plain(shell),
  // files
  plain(iniFile),
  plain(assemble),
  plain(find),
  plain(tempfile),
  plain(fetch),
  plain(slurp),
  plain(replace),
  plain(blockinfile),
  plain(lineinfile),
  plain(copy),
  plain(template),
  plain(file),
  plain(stat),
  // the net and clusters
  plain(getUrl),
  plain(synchronize),
  plain(waitFor),
  plain(unarchive),
  plain(uri),
  plain(kube),
  // the controller's own
  plain(addHost),
  plain(assertThat),
  plain(asyncStatus),
  plain(debug),
  plain(fail),
  plain(groupBy),
  plain(includeVars),
  plain(pause),
  plain(ping),
  plain(setFact),
  plain(setStats),
  plain(validateArgumentSpec),
  // the system
  ...SYSTEM_MODULES,
  ...FURTHER_MODULES,
]
