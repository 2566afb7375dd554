import { expect, test } from 'vitest'
import { parseDistribution } from '../../../src/facts/collectors/distribution.ts'
import { lookOf } from './looks.ts'

/** name, release files, then: distribution, version, major, release, family */
const cases: readonly (readonly [string, Record<string, string>, string])[] = [
  [
    'Debian 12',
    {
      '/etc/os-release':
        'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nVERSION="12 (bookworm)"\nVERSION_CODENAME=bookworm\nID=debian\n',
      '/etc/debian_version': '12.15\n',
    },
    'Debian 12.15 12 bookworm Debian',
  ],
  [
    'Debian testing',
    {
      '/etc/os-release': 'PRETTY_NAME="Debian GNU/Linux forky/sid"\nNAME="Debian GNU/Linux"\nVERSION_CODENAME=forky\nID=debian\n',
      '/etc/debian_version': 'forky/sid\n',
    },
    'Debian forky/sid forky/sid forky Debian',
  ],
  [
    'Ubuntu 22.04',
    {
      '/etc/os-release':
        'PRETTY_NAME="Ubuntu 22.04.4 LTS"\nNAME="Ubuntu"\nVERSION_ID="22.04"\nVERSION="22.04.4 LTS (Jammy Jellyfish)"\nVERSION_CODENAME=jammy\nID=ubuntu\nID_LIKE=debian\nUBUNTU_CODENAME=jammy\n',
      '/etc/lsb-release': 'DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=22.04\nDISTRIB_CODENAME=jammy\nDISTRIB_DESCRIPTION="Ubuntu 22.04.4 LTS"\n',
      '/etc/debian_version': 'bookworm/sid\n',
    },
    'Ubuntu 22.04 22 jammy Debian',
  ],
  [
    'Rocky 9',
    {
      '/etc/os-release': 'NAME="Rocky Linux"\nVERSION="9.3 (Blue Onyx)"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.3"\n',
      '/etc/redhat-release': 'Rocky Linux release 9.3 (Blue Onyx)\n',
      '/etc/system-release': 'Rocky Linux release 9.3 (Blue Onyx)\n',
    },
    'Rocky 9.3 9 Blue Onyx RedHat',
  ],
  [
    'AlmaLinux 8',
    {
      '/etc/os-release': 'NAME="AlmaLinux"\nVERSION="8.9 (Midnight Oncilla)"\nID="almalinux"\nVERSION_ID="8.9"\n',
      '/etc/redhat-release': 'AlmaLinux release 8.9 (Midnight Oncilla)\n',
    },
    'AlmaLinux 8.9 8 Midnight Oncilla RedHat',
  ],
  [
    'RHEL 9',
    {
      '/etc/os-release': 'NAME="Red Hat Enterprise Linux"\nVERSION="9.2 (Plow)"\nID="rhel"\nVERSION_ID="9.2"\n',
      '/etc/redhat-release': 'Red Hat Enterprise Linux release 9.2 (Plow)\n',
    },
    'RedHat 9.2 9 Plow RedHat',
  ],
  [
    'CentOS 7',
    {
      '/etc/os-release': 'NAME="CentOS Linux"\nVERSION="7 (Core)"\nID="centos"\nVERSION_ID="7"\n',
      '/etc/centos-release': 'CentOS Linux release 7.9.2009 (Core)\n',
      '/etc/redhat-release': 'CentOS Linux release 7.9.2009 (Core)\n',
    },
    'CentOS 7.9 7 Core RedHat',
  ],
  [
    'CentOS Stream 9',
    {
      '/etc/os-release': 'NAME="CentOS Stream"\nVERSION="9"\nID="centos"\nVERSION_ID="9"\n',
      '/etc/centos-release': 'CentOS Stream release 9\n',
      '/etc/redhat-release': 'CentOS Stream release 9\n',
    },
    'CentOS 9 9 Stream RedHat',
  ],
  [
    'Oracle Linux 8',
    {
      '/etc/os-release': 'NAME="Oracle Linux Server"\nVERSION="8.8"\nID="ol"\nVERSION_ID="8.8"\n',
      '/etc/oracle-release': 'Oracle Linux Server release 8.8\n',
      '/etc/redhat-release': 'Red Hat Enterprise Linux release 8.8 (Ootpa)\n',
    },
    'OracleLinux 8.8 8 NA RedHat',
  ],
  [
    'Fedora 39',
    {
      '/etc/os-release': 'NAME="Fedora Linux"\nVERSION="39 (Server Edition)"\nID=fedora\nVERSION_ID=39\nVERSION_CODENAME=""\n',
      '/etc/redhat-release': 'Fedora release 39 (Thirty Nine)\n',
    },
    'Fedora 39 39  RedHat',
  ],
  [
    'Amazon Linux 2',
    {
      '/etc/os-release': 'NAME="Amazon Linux"\nVERSION="2"\nID="amzn"\nVERSION_ID="2"\n',
      '/etc/system-release': 'Amazon Linux release 2 (Karoo)\n',
    },
    'Amazon 2 2 NA RedHat',
  ],
  [
    'openSUSE Leap',
    { '/etc/os-release': 'NAME="openSUSE Leap"\nVERSION="15.5"\nID="opensuse-leap"\nID_LIKE="suse opensuse"\nVERSION_ID="15.5"\n' },
    'openSUSE Leap 15.5 15 5 Suse',
  ],
  [
    'SLES 15',
    {
      '/etc/os-release': 'NAME="SLES"\nVERSION="15-SP5"\nVERSION_ID="15.5"\nPRETTY_NAME="SUSE Linux Enterprise Server 15 SP5"\nID="sles"\n',
    },
    'SLES 15.5 15 5 Suse',
  ],
  [
    'Alpine',
    { '/etc/os-release': 'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.19.1\n', '/etc/alpine-release': '3.19.1\n' },
    'Alpine 3.19.1 3 NA Alpine',
  ],
  [
    'Arch',
    { '/etc/os-release': 'NAME="Arch Linux"\nID=arch\nBUILD_ID=rolling\n', '/etc/arch-release': '' },
    'Archlinux NA NA NA Archlinux',
  ],
  [
    'Flatcar',
    {
      '/etc/os-release': 'NAME="Flatcar Container Linux by Kinvolk"\nID=flatcar\nID_LIKE=coreos\nVERSION=3602.2.0\nVERSION_ID=3602.2.0\n',
    },
    'Flatcar 3602.2.0 3602 NA Flatcar',
  ],
  [
    'Linux Mint',
    { '/etc/os-release': 'NAME="Linux Mint"\nVERSION="21.2 (Victoria)"\nID=linuxmint\nVERSION_ID="21.2"\nVERSION_CODENAME=victoria\n' },
    'Linux Mint 21.2 21 victoria Debian',
  ],
  [
    'openEuler',
    {
      '/etc/os-release': 'NAME="openEuler"\nVERSION="22.03 (LTS-SP2)"\nID="openEuler"\nVERSION_ID="22.03"\n',
      '/etc/openEuler-release': 'openEuler release 22.03 (LTS-SP2)\n',
    },
    'openEuler 22.03 22 LTS-SP2 RedHat',
  ],
]

test.each(cases)('%s', (_name, files, expected) => {
  const facts = parseDistribution(lookOf({ files }))
  const {
    distribution,
    distribution_version: version,
    distribution_major_version: major,
    distribution_release: release,
    os_family: family,
  } = facts
  expect([distribution, version, major, release, family].join(' ')).toBe(expected)
})
