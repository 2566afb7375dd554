/** Names that a host has in storage networks: iSCSI, fibre channel, NVMe. */
import { sh } from '../../remote/index.ts'
import type { Collector } from '../collector.ts'
import { linesOf } from '../look.ts'

const network = { ids: [], requires: [], minimal: false } as const

export const iscsi: Collector = {
  ...network,
  name: 'iscsi',
  script: () => sh`f /etc/iscsi/initiatorname.iscsi`,
  parse: (look) => ({
    iscsi_iqn:
      linesOf(look.file('/etc/iscsi/initiatorname.iscsi'))
        .find((line) => line.startsWith('InitiatorName='))
        ?.slice(14) ?? '',
  }),
}

export const nvme: Collector = {
  ...network,
  name: 'nvme',
  script: () => sh`f /etc/nvme/hostnqn`,
  parse: (look) => ({ hostnqn: linesOf(look.file('/etc/nvme/hostnqn')).find((line) => line.startsWith('nqn.')) ?? '' }),
}

export const fibreChannel: Collector = {
  ...network,
  name: 'fibre_channel_wwn',
  script: () => sh`r /sys/class/fc_host/*/port_name`,
  parse: (look) => ({
    fibre_channel_wwn: look.names('f:/sys/class/fc_host/').map((name) => look.file(`/sys/class/fc_host/${name}`)!.slice(2)),
  }),
}
