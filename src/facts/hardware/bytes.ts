/** A number of bytes as people read it: 1.50 GB. */

const units: readonly (readonly [string, number])[] = ['YB', 'ZB', 'EB', 'PB', 'TB', 'GB', 'MB', 'KB'].map(
  (unit, i) => [unit, 2 ** (80 - 10 * i)] as const,
)

export function humanBytes(size: number): string {
  const [unit, limit] = units.find(([, least]) => size >= least) ?? (['Bytes', 1] as const)
  return `${(size / limit).toFixed(2)} ${unit}`
}
