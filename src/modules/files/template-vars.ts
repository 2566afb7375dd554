/** The variables that a template sees about itself, for the template module: its source, its destination → name and value. */
import type { Value } from '../../base/index.ts'
import { templateVariables } from '../../template/index.ts'
import type { Host } from '../api.ts'

export function templateVars(name: string, fullPath: string, destination: string, host: Host): ReadonlyMap<string, Value> {
  return templateVariables({ name, fullPath, destination, now: host.now(), managed: host.controller.setting?.('DEFAULT_MANAGED_STR') })
}
