import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gathering } from '../../../src/facts/index.ts'

/**
 * What our probe printed on a Debian 12 host with systemd, and what Ansible's own setup told of the same host seconds before: they are to agree key by key
 * but for the differences that are named here.
 */
const folder = new URL('../../golden/facts/', import.meta.url)
const probe = readFileSync(new URL('debian12.probe.txt', folder), 'utf8')
const theirs = JSON.parse(readFileSync(new URL('debian12.setup.json', folder), 'utf8')) as Record<string, unknown>

const reasons: Readonly<Record<string, string>> = {
  ansible_date_time: 'seconds have passed',
  ansible_uptime_seconds: 'seconds have passed',
  ansible_loadavg: 'seconds have passed; /proc tells two digits only',
  ansible_memfree_mb: 'seconds have passed',
  ansible_memory_mb: 'seconds have passed',
  ansible_env: 'another login: no terminal, another session',
  ansible_interfaces: 'in order of names, not of the folder',
  ansible_devices: 'sectors are numbers of the device’s own sector size since 2.17; this record is of 2.14',
  ansible_mounts: 'dump and passno are told since 2.18; free space moves',
  ansible_distribution_version: 'this record is of Debian’s 2.14, whose distro library knows no point release; 2.18 tells 12.15',
  ansible_flags: 'told since 2.17',
  ansible_locally_reachable_ips: 'told since 2.15',
  ansible_systemd: 'told since 2.17',
  discovered_interpreter_python: 'comes from looking for an interpreter, which nothing here needs',
}

const ours = gathering({ subset: ['all'], filter: [], factPath: '/etc/ansible/facts.d', timeoutSeconds: 10 }).parse(probe).facts

test('every fact is the same, or the difference has a reason', () => {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].sort()
  const different = names.filter((name) => JSON.stringify(sorted(ours[name])) !== JSON.stringify(sorted(theirs[name])))
  expect(different.filter((name) => !(name in reasons))).toEqual([])
})

test('no reason is left over', () => {
  for (const name of Object.keys(reasons))
    expect([name, JSON.stringify(sorted(ours[name])) === JSON.stringify(sorted(theirs[name]))]).toEqual([name, false])
})

test('the same keys inside what differs', () => {
  const keys = (value: unknown) => Object.keys(value as object).sort()
  expect(keys(ours.ansible_date_time)).toEqual(keys(theirs.ansible_date_time))
  expect(keys(ours.ansible_memory_mb)).toEqual(keys(theirs.ansible_memory_mb))
  expect(keys(ours.ansible_loadavg)).toEqual(keys(theirs.ansible_loadavg))
  const [device, other] = [ours, theirs].map((facts) => Object.values(facts.ansible_devices as object)[0] as object)
  expect(keys(device)).toEqual(keys(other))
  const [mount, known] = [ours, theirs].map((facts) => (facts.ansible_mounts as object[])[0]!)
  expect(keys(mount)).toEqual([...keys(known), 'dump', 'passno'].sort())
})

/** Objects with their keys in order, so that only contents count. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, own]) => [key, sorted(own)]),
  )
}
