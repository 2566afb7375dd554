import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
const at = (name: string): string => join(folder, name)

/** What NetworkManager 1.42 shows of a connection, as far as it matters. */
const SHOWN = `connection.id:                          dum0
connection.type:                        dummy
connection.interface-name:              dum0
connection.autoconnect:                 yes
connection.zone:                        --
connection.master:                      --
connection.slave-type:                  --
802-3-ethernet.mtu:                     1400
ipv4.method:                            manual
ipv4.dns:                               10.99.0.4,10.99.0.3
ipv4.dns-search:                        --
ipv4.dns-options:                       --
ipv4.addresses:                         10.99.0.1/24, 10.99.0.2/32
ipv4.gateway:                           --
ipv4.routes:                            { ip = 10.97.0.0/16, nh = 10.98.0.9, mt = 5, mtu=1300 onlink=true table=77 }; { ip = 10.96.0.0/16 }
ipv4.route-metric:                      -1
ipv4.routing-rules:                     --
ipv4.ignore-auto-routes:                no
ipv4.ignore-auto-dns:                   no
ipv4.never-default:                     no
ipv4.may-fail:                          yes
ipv6.method:                            manual
ipv6.dns:                               --
ipv6.addresses:                         fd00:99::1/128
ipv6.ignore-auto-routes:                no
ipv6.ignore-auto-dns:                   no
ipv6.ip6-privacy:                       2 (enabled, prefer temporary IP)
ipv6.addr-gen-mode:                     eui64
bond.options:                           mode=active-backup,downdelay=300,miimon=100
`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nmcli-'))
  mkdirSync(at('bin'))
  writeFileSync(at('names'), "lo\ndum0\nit's: $(id) é\n")
  writeFileSync(at('active'), 'lo\n')
  writeFileSync(at('shown'), SHOWN)
  const body = `#!/bin/sh
case "$*" in
*--active) cat '${at('active')}' ;;
--escape*) cat '${at('names')}' ;;
--show-secrets*) cat '${at('shown')}' ;;
*edit\\ type*) printf '802-11-wireless.ssid: x\\n802-11-wireless.hidden: no\\n' ;;
*) for w; do printf '[%s]' "$w" >>'${at('log')}'; done; echo >>'${at('log')}'
   case "$*" in *edit*) cat >>'${at('log')}' ;; esac
   echo done ;;
esac
`
  writeFileSync(at('bin/nmcli'), body, { mode: 0o755 })
})
afterEach(() => rmSync(folder, { recursive: true }))

const calls = (): string[] => {
  const all = existsSync(at('log')) ? readFileSync(at('log'), 'utf8').trim().split('\n') : []
  rmSync(at('log'), { force: true })
  return all
}

describe.each([['dash'], ['bash'], ['busybox sh']])('in %s', (name) => {
  const run = async (args: JsonObject, more: object = {}) =>
    (
      await runModule('community.general.nmcli', args, {
        shell: name.split(' '),
        path: `${at('bin')}:${process.env['PATH']}`,
        ...more,
      })
    ).result

  const asIs = {
    conn_name: 'dum0',
    ifname: 'dum0',
    type: 'dummy',
    state: 'present',
    ip4: ['10.99.0.1/24', '10.99.0.2'],
    ip6: 'fd00:99::1',
    dns4: ['10.99.0.3', '10.99.0.4'],
    mtu: 1400,
    routes4_extended: [
      { ip: '10.96.0.0/16' },
      { ip: '10.97.0.0/16', next_hop: '10.98.0.9', metric: 5, table: 77, onlink: true, mtu: 1300 },
    ],
    ip_privacy6: 'prefer-temp-addr',
    addr_gen_mode6: 'eui64',
  }

  test('a connection as it is is left alone', async () => {
    expect(await run(asIs)).toEqual({
      changed: false,
      failed: false,
      conn_name: 'dum0',
      state: 'present',
      Exists: 'Connections already exist and no changes made',
    })
    expect(calls()).toEqual([])
  })

  test('what differs is told and set', async () => {
    const other = { ...asIs, ip4: ['10.99.0.2', '10.99.0.1/24'], zone: "h'ome", mtu: 1300 }
    const checked = await run(other, { check: true, diff: true })
    expect(checked).toMatchObject({ changed: true, Exists: 'Connections do exist so we are modifying them' })
    expect(checked.diff).toMatchObject({
      before: { 'ipv4.addresses': ['10.99.0.1/24', '10.99.0.2/32'], 'connection.zone': null, '802-3-ethernet.mtu': '1400' },
      after: { 'ipv4.addresses': ['10.99.0.2/32', '10.99.0.1/24'], 'connection.zone': "h'ome", '802-3-ethernet.mtu': '1300' },
    })
    expect(calls()).toEqual([])
    expect(await run(other)).toMatchObject({ changed: true, stdout: 'done\n' })
    expect(calls()).toEqual([
      expect.stringMatching(
        /^\[con\]\[modify\]\[dum0\]\[connection\.interface-name\]\[dum0\]\[connection\.autoconnect\]\[yes\]\[connection\.zone\]\[h'ome\]\[ipv4\.addresses\]\[10\.99\.0\.2\/32,10\.99\.0\.1\/24\]/,
      ),
    ])
    // of a connection whose kind is not said the addresses' way stays as it is
    expect(await run({ conn_name: 'dum0', state: 'present', autoconnect: false })).toMatchObject({ changed: true })
    expect(calls()[0]).not.toContain('method')
  })

  test('a size of packets that nobody asked for and nobody shows is no change', async () => {
    writeFileSync(at('shown'), SHOWN.replace(/^802-3-ethernet\.mtu.*\n/m, ''))
    const bond = { conn_name: 'dum0', ifname: 'dum0', type: 'bond', mode: 'active-backup', autoconnect: false, state: 'present' }
    expect((await run(bond, { check: true, diff: true })).diff).toMatchObject({ after: { '802-3-ethernet.mtu': null } })
  })

  test('new ones, with secrets by stdin', async () => {
    const wifi = { conn_name: 'air', type: 'wifi', ssid: "$(id) 'x", wifi: { hidden: true }, state: 'present', autoconnect: false }
    expect(await run(wifi, { check: true })).toMatchObject({ changed: true, Connection: 'Connection air of Type wifi is being added' })
    expect(calls()).toEqual([])
    expect((await run(wifi)).changed).toBe(true)
    expect(calls()[0]).toContain("[802-11-wireless.ssid][$(id) 'x]")
    expect(await run({ ...wifi, wifi: { nonsense: 1 } })).toMatchObject({
      failed: true,
      msg: 'Invalid or unsupported option(s): "wifi.nonsense"',
    })
    writeFileSync(
      at('bin/nmcli'),
      readFileSync(at('bin/nmcli'), 'utf8').replace('802-11-wireless.ssid: x', '802-11-wireless-security.psk: x'),
    )
    expect((await run({ ...wifi, wifi: null, wifi_sec: { psk: 'very secret' } })).changed).toBe(true)
    expect(calls().slice(1)).toEqual(['[con][edit][air]', 'set 802-11-wireless-security.psk very secret', 'save', 'quit'])
    await run({ conn_name: 'gre9', type: 'gre', ip_tunnel_remote: '10.0.0.1', state: 'present', dns4: [] })
    expect(calls()[0]).toMatch(/^\[con\]\[add\]\[type\]\[ip-tunnel\]\[con-name\]\[gre9\]\[connection\.interface-name\]\[gre9\]/)
    await run({ conn_name: 'e', type: 'ethernet', mtu: 1400, state: 'present' })
    expect(calls().at(-1)).toBe('[con][up][e]')
  })

  test('gone, up and down', async () => {
    expect(await run({ conn_name: "it's: $(id) é", state: 'absent' }, { check: true })).toMatchObject({ changed: true })
    expect((await run({ conn_name: "it's: $(id) é", state: 'absent' })).changed).toBe(true)
    expect(calls()).toEqual(["[con][down][it's: $(id) é]", "[con][del][it's: $(id) é]"])
    expect((await run({ conn_name: 'none', state: 'absent' })).changed).toBe(false)
    expect((await run({ conn_name: 'dum0', state: 'down' })).changed).toBe(false)
    expect((await run({ conn_name: 'dum0', state: 'up' })).changed).toBe(true)
    expect(calls()).toEqual(['[con][up][dum0]'])
    expect((await run({ conn_name: 'none', state: 'up' })).failed).toBe(true)
  })

  test.each([
    [{ type: 'macvlan' }, 'type is macvlan but all of the following are missing: macvlan'],
    [{ type: 'team', runner_fast_rate: true }, 'runner-fast-rate is only allowed for runner lacp'],
    [{ type: 'vlan', slave_type: 'bond' }, "'master' option is required when 'slave_type' is specified."],
    [{ type: 'wifi' }, 'type is wifi but all of the following are missing: ssid'],
  ])('%j is refused', async (args, msg) => {
    expect(await run({ conn_name: 'new', state: 'present', ...args } as JsonObject)).toMatchObject({ failed: true, msg })
  })
})
