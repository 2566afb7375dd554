/** This machine, reached without SSH. */
import type { Endpoint } from '../../src/connect/index.ts'

export const LOCAL: Endpoint = {
  kind: 'local',
  name: 'here',
  hops: [],
  connectTimeoutSeconds: 3,
  retries: 0,
  keepaliveSeconds: 1,
  configFiles: [],
}
