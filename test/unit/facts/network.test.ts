import { expect, test } from 'vitest'
import { network } from '../../../src/facts/collectors/network.ts'
import { lookOf } from './looks.ts'

const addr = `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
    inet6 ::1/128 scope host
       valid_lft forever preferred_lft forever
2: eth0@if9: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff link-netnsid 0
    inet 10.0.0.5/20 brd 10.0.15.255 scope global dynamic eth0
       valid_lft 3000sec preferred_lft 3000sec
    inet 10.0.0.6/20 brd 10.0.15.255 scope global secondary eth0:1
       valid_lft forever preferred_lft forever
    inet6 fd00::9/64 scope global temporary dynamic
       valid_lft 100sec preferred_lft 100sec
    inet6 fd00::5/64 scope global
       valid_lft forever preferred_lft forever
    inet6 fe80::1/64 scope link
       valid_lft forever preferred_lft forever
3: ppp0: <POINTOPOINT,UP> mtu 1400 qdisc fq state UNKNOWN group default
    link/ppp
    inet 192.0.2.1 peer 192.0.2.2/32 scope global ppp0
       valid_lft forever preferred_lft forever
4: br-int: <BROADCAST,UP> mtu 1500 qdisc noqueue state UP
    link/ether 02:00:00:00:00:09 brd ff:ff:ff:ff:ff:ff
`

const net = '/sys/class/net'
const facts = network.parse(
  lookOf({
    exists: ['ip', `${net}/br-int/bridge`, `${net}/br-int/brif/veth1`],
    sections: { [`net:${net}/br-int`]: '', [`net:${net}/eth0`]: '', [`net:${net}/lo`]: '', [`net:${net}/ppp0`]: '' },
    files: {
      [`${net}/lo/mtu`]: '65536',
      [`${net}/lo/type`]: '772',
      [`${net}/lo/address`]: '00:00:00:00:00:00',
      [`${net}/eth0/mtu`]: '1500',
      [`${net}/eth0/type`]: '1',
      [`${net}/eth0/address`]: '02:00:00:00:00:01',
      [`${net}/eth0/operstate`]: 'up',
      [`${net}/eth0/flags`]: '0x1103',
      [`${net}/ppp0/type`]: '512',
      [`${net}/br-int/type`]: '1',
      [`${net}/br-int/bridge/bridge_id`]: '8000.020000000009',
      [`${net}/br-int/bridge/stp_state`]: '0',
    },
    commands: {
      addr,
      route4: '8.8.8.8 via 10.0.0.1 dev eth0 src 10.0.0.5 uid 0 \n    cache ',
      route6: '2404:6800:400a:800::1012 from :: via fe80::ff dev eth0 src fd00::5 metric 1024 pref medium',
      local4: 'local 10.0.0.5 dev eth0 proto kernel\nlocal 127.0.0.0/8 dev lo\nbroadcast 10.0.15.255 dev eth0',
      local6: 'local ::1 dev lo proto kernel',
    },
  }),
  {},
)

test('interfaces', () => {
  expect(facts.interfaces).toEqual(['br-int', 'eth0', 'lo', 'ppp0', 'eth0_1'])
  expect(facts['br-int']).toEqual({ device: 'br-int', type: 'bridge', interfaces: ['veth1'], id: '8000.020000000009', stp: false })
  expect(facts.lo).toMatchObject({
    mtu: 65536,
    type: 'loopback',
    ipv4: { address: '127.0.0.1', broadcast: '', netmask: '255.0.0.0', network: '127.0.0.0', prefix: '8' },
  })
  expect(facts.ppp0).toMatchObject({ type: 'ppp', ipv4: { address: '192.0.2.1', prefix: '32', netmask: '255.255.255.255', broadcast: '' } })
})

test('addresses: primary ones first, a label is an interface of its own', () => {
  const second = { address: '10.0.0.6', broadcast: '10.0.15.255', netmask: '255.255.240.0', network: '10.0.0.0', prefix: '20' }
  expect(facts.eth0).toMatchObject({
    macaddress: '02:00:00:00:00:01',
    active: true,
    promisc: true,
    ipv4: { address: '10.0.0.5', broadcast: '10.0.15.255', netmask: '255.255.240.0', network: '10.0.0.0', prefix: '20' },
    ipv4_secondaries: [second],
    ipv6: [
      { address: 'fd00::5', prefix: '64', scope: 'global' },
      { address: 'fe80::1', prefix: '64', scope: 'link' },
      { address: 'fd00::9', prefix: '64', scope: 'global' },
    ],
  })
  expect(facts.eth0_1).toEqual({ ipv4_secondaries: [second] })
  expect(facts.all_ipv4_addresses).toEqual(['10.0.0.5', '10.0.0.6', '192.0.2.1'])
  expect(facts.all_ipv6_addresses).toEqual(['fd00::5', 'fe80::1', 'fd00::9'])
})

test('default interfaces', () => {
  expect(facts.default_ipv4).toEqual({
    gateway: '10.0.0.1',
    interface: 'eth0',
    address: '10.0.0.5',
    broadcast: '10.0.15.255',
    netmask: '255.255.240.0',
    network: '10.0.0.0',
    prefix: '20',
    macaddress: '02:00:00:00:00:01',
    mtu: 1500,
    type: 'ether',
    alias: 'eth0',
  })
  expect(facts.default_ipv6).toMatchObject({ gateway: 'fe80::ff', interface: 'eth0', address: 'fd00::5', prefix: '64', scope: 'global' })
  expect(facts.locally_reachable_ips).toEqual({ ipv4: ['10.0.0.5', '127.0.0.0/8'], ipv6: ['::1'] })
})

test('nothing without the ip command', () => expect(network.parse(lookOf({}), {})).toEqual({}))
