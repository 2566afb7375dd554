import { describe, expect, test } from 'vitest'
import { humanBytes } from '../../../src/facts/hardware/bytes.ts'
import { deviceFacts } from '../../../src/facts/hardware/devices.ts'
import { dmiFacts } from '../../../src/facts/hardware/dmi.ts'
import { lvmFacts } from '../../../src/facts/hardware/lvm.ts'
import { memoryFacts } from '../../../src/facts/hardware/memory.ts'
import { mountFacts, mountWarnings } from '../../../src/facts/hardware/mounts.ts'
import { processorFacts } from '../../../src/facts/hardware/processors.ts'
import { lookOf } from './looks.ts'

const cpu = (n: number, socket: number, core: number, siblings: number, cores: number) =>
  `processor\t: ${n}\nvendor_id\t: GenuineIntel\nmodel name\t: Xeon\nphysical id\t: ${socket}\nsiblings\t: ${siblings}\ncore id\t\t: ${core}\ncpu cores\t: ${cores}\nflags\t\t: fpu vme\n`

const counts = (text: string, architecture = 'x86_64', nproc?: string) => {
  const facts = processorFacts(lookOf({ files: { '/proc/cpuinfo': text }, ...(nproc ? { commands: { nproc } } : {}) }), architecture)
  const names = ['processor_count', 'processor_cores', 'processor_threads_per_core', 'processor_vcpus', 'processor_nproc']
  return names.map((name) => facts[name])
}

describe('processors', () => {
  test('two sockets with hyperthreading', () => {
    const all = [0, 1].flatMap((socket) => [0, 1, 2, 3].map((i) => cpu(socket * 4 + i, socket, i % 2, 4, 2))).join('\n')
    expect(counts(all)).toEqual([2, 2, 2, 8, 8])
  })
  test('one core, nproc wins', () => expect(counts(cpu(0, 0, 0, 1, 1), 'x86_64', '1')).toEqual([1, 1, 1, 1, 1]))
  test('ARM counts processors', () => {
    const arm = [0, 1, 2, 3].map((n) => `processor\t: ${n}\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n`).join('\n')
    expect(counts(arm, 'aarch64')).toEqual([4, 1, 1, 4, 4])
  })
})

test('memory', () => {
  const text =
    'MemTotal:        2048000 kB\nMemFree:         1024000 kB\nBuffers:          102400 kB\nCached:           204800 kB\nSwapCached:            0 kB\nSwapTotal:       1024000 kB\nSwapFree:        1023000 kB\n'
  expect(memoryFacts(text)).toEqual({
    memtotal_mb: 2000,
    memfree_mb: 1000,
    swaptotal_mb: 1000,
    swapfree_mb: 999,
    memory_mb: {
      real: { total: 2000, used: 1000, free: 1000 },
      nocache: { free: 1300, used: 700 },
      swap: { total: 1000, free: 999, used: 1, cached: 0 },
    },
  })
})

test('mounts: real ones, with sizes, bind mounts, blanks in paths and one that hangs', () => {
  const look = lookOf({
    sections: {
      mtab: '/dev/sda1 / ext4 rw,relatime 0 0\nproc /proc proc rw 0 0\n/dev/sda1 /srv/with\\040blank ext4 rw 0 0\nnas:/vol /mnt/nas nfs4 rw 0 0\noverlay /var/lib/x overlay rw 0 0\n',
      'stat:/': '4096 4096 1000 400 500 200',
      'stat:/srv/with\\040blank': '4096 4096 1000 400 500 200',
      'stat:/mnt/nas': 'x 124',
    },
    files: {
      '/proc/self/mountinfo': '22 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 22 8:1 /data /srv/with\\040blank rw - ext4 /dev/sda1 rw\n',
    },
    commands: { lsblk: '/dev/sda\n/dev/sda1  1111-2222\n' },
  })
  const size = {
    size_total: 4096000,
    size_available: 1638400,
    block_size: 4096,
    block_total: 1000,
    block_available: 400,
    block_used: 600,
    inode_total: 500,
    inode_available: 200,
    inode_used: 300,
  }
  expect(mountFacts(look)).toEqual({
    mounts: [
      { mount: '/', device: '/dev/sda1', fstype: 'ext4', options: 'rw,relatime', dump: 0, passno: 0, ...size, uuid: '1111-2222' },
      { mount: '/srv/with blank', device: '/dev/sda1', fstype: 'ext4', options: 'rw,bind', dump: 0, passno: 0, ...size, uuid: '1111-2222' },
      {
        mount: '/mnt/nas',
        device: 'nas:/vol',
        fstype: 'nfs4',
        options: 'rw',
        dump: 0,
        passno: 0,
        note: 'Could not get extra information due to timeout',
        uuid: 'N/A',
      },
    ],
  })
  expect(mountWarnings(look)).toEqual(['Timeout exceeded when getting mount info for /mnt/nas'])
})

test('block devices with a partition and a volume on it', () => {
  const block = '/sys/block/sda'
  const look = lookOf({
    exists: [block, `${block}/sda1/holders/dm-0`, '/sys/block/dm-0', '/sys/block/dm-0/slaves/sda1'],
    files: {
      [`${block}/size`]: '2097152',
      [`${block}/removable`]: '0',
      [`${block}/queue/rotational`]: '1',
      [`${block}/queue/scheduler`]: 'none [mq-deadline] kyber',
      [`${block}/queue/logical_block_size`]: '512',
      [`${block}/queue/discard_granularity`]: '512',
      [`${block}/queue/discard_max_hw_bytes`]: '0',
      [`${block}/device/vendor`]: 'ATA',
      [`${block}/sda1/start`]: '2048',
      [`${block}/sda1/size`]: '1024',
      [`${block}/sda1/holders/dm-0/dm/name`]: 'vg-root',
    },
    commands: {
      'links:id': 'total 0\nlrwxrwxrwx 1 root root 9 Jan 1 00:00 wwn-0x5000 -> ../../sda\n',
      'links:uuid': 'lrwxrwxrwx 1 root root 10 Jan 1 00:00 1111-2222 -> ../../sda1\n',
      'links:block': 'lrwxrwxrwx 1 root root 0 Jan 1 00:00 sda -> ../devices/pci0000:00/0000:00:1f.2/ata1/block/sda\n',
      lspci: '0000:00:1f.2 SATA controller: Intel\n',
    },
  })
  const { devices, device_links: links } = deviceFacts(look) as { devices: Record<string, Record<string, unknown>>; device_links: unknown }
  expect(devices.sda).toMatchObject({
    host: 'SATA controller: Intel',
    model: null,
    rotational: '1',
    scheduler_mode: 'mq-deadline',
    sectors: 2097152,
    size: '1.00 GB',
    support_discard: '0',
    vendor: 'ATA',
    wwn: '0x5000',
    partitions: {
      sda1: { start: '2048', sectors: 1024, size: '512.00 KB', uuid: '1111-2222', holders: ['vg-root'], links: { masters: ['dm-0'] } },
    },
  })
  expect(links).toEqual({ ids: { sda: ['wwn-0x5000'] }, uuids: { sda1: ['1111-2222'] }, labels: {}, masters: { sda1: ['dm-0'] } })
})

test('volumes', () => {
  const commands = {
    vgs: '  vg0,1,2,0,wz--n-,19.99,9.99',
    lvs: '  root,vg0,-wi-ao----,10.00,,,,,,,,',
    pvs: '  /dev/dm-3,vg0,lvm2,a--,19.99,9.99',
    dmsetup: '254,3,luks-pv',
  }
  expect(lvmFacts(lookOf({ commands }))).toEqual({
    lvm: {
      lvs: { root: { size_g: '10.00', vg: 'vg0' } },
      vgs: { vg0: { size_g: '19.99', free_g: '9.99', num_lvs: '2', num_pvs: '1' } },
      pvs: { '/dev/mapper/luks-pv': { size_g: '19.99', free_g: '9.99', vg: 'vg0' } },
    },
  })
  expect(lvmFacts(lookOf({}))).toEqual({ lvm: 'N/A' })
})

test('firmware', () => {
  const folder = '/sys/devices/virtual/dmi/id'
  const files = { [`${folder}/product_name`]: 'Standard PC', [`${folder}/chassis_type`]: '3', [`${folder}/sys_vendor`]: 'QEMU' }
  expect(dmiFacts(lookOf({ files }), folder)).toMatchObject({
    product_name: 'Standard PC',
    form_factor: 'Desktop',
    system_vendor: 'QEMU',
    bios_date: 'NA',
  })
  expect(dmiFacts(lookOf({ commands: { 'dmi:system-uuid': '# comment\nabc\n' } }), folder)).toMatchObject({
    product_uuid: 'abc',
    product_name: 'NA',
  })
})

test.each([
  [0, '0.00 Bytes'],
  [1536, '1.50 KB'],
  [274877906944, '256.00 GB'],
])('%d bytes', (size, text) => expect(humanBytes(size)).toBe(text))
