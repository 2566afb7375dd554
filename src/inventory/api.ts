/** Hosts and groups: what was read from the sources, and what a run adds (add_host, group_by). */
import type { Raw, RawVars } from '../base/index.ts'

export interface InventoryHost {
  readonly name: string
  /** variables written in the inventory itself, ansible_port of `host:port` among them */
  readonly vars: RawVars
  /** names of the groups it stands in directly */
  readonly groups: readonly string[]
  /** made up because a play or limit named localhost */
  readonly implicit: boolean
}

export interface InventoryGroup {
  readonly name: string
  readonly vars: RawVars
  readonly children: readonly string[]
  readonly hosts: readonly string[]
  /** longest way from `all` */
  readonly depth: number
  /** ansible_group_priority, default 1 */
  readonly priority: number
}

/** One inventory of a run. Its members change only through addHost and addGroup; every change raises `version`. */
export interface Inventory {
  readonly version: number
  /** absolute paths of the sources, for inventory_dir and group_vars; empty text for host lists */
  readonly sources: readonly string[]
  hosts(): readonly string[]
  host(name: string): InventoryHost | undefined
  groups(): readonly string[]
  group(name: string): InventoryGroup | undefined
  /** every host of a group and its children, in inventory order */
  hostsOf(group: string): readonly string[]
  /** every group of a host, parents included, `all` and `ungrouped` as Ansible has them, weakest first: by depth, priority, name */
  groupsOf(host: string): readonly string[]
  /** the inventory file or folder the host came from, for inventory_file */
  sourceOf(host: string): string | undefined
  /**
   * Hosts of a pattern in Ansible's order (`:` `,` `!` `&` `[n]` `[a:b]` `~regex`, globs, lists; `all`; implicit localhost). Unmatched parts are warned
   * about through `warn`. Limit is a second pattern that is intersected.
   */
  match(
    pattern: string | readonly string[],
    options?: { limit?: string | readonly string[] | undefined; warn?: ((message: string) => void) | undefined },
  ): readonly string[]
  /** true when something changed */
  addHost(name: string, groups: readonly string[], vars: RawVars): boolean
  addGroup(name: string, parents?: readonly string[]): boolean
  addHostToGroup(host: string, group: string): boolean
  /** `meta: refresh_inventory` */
  refresh(): Promise<void>
}

export type { Raw }
