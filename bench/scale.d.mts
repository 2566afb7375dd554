/** The types of scale.mjs, for tests. */
export interface Fleet {
  readonly root: string
  readonly inventory: (count: number) => string
  readonly stop: () => Promise<void>
}

export interface FleetRun {
  readonly hosts: number
  readonly forks?: number
  readonly playbook?: string
  readonly env?: Readonly<Record<string, string>>
}

export function startFleet(servers?: number): Promise<Fleet>
export function runOnFleet(
  fleet: Fleet,
  argv: readonly string[],
  how: FleetRun,
): Promise<{ readonly seconds: number; readonly megabytes: number; readonly code: number | null; readonly text: string }>
