/** The kind of terminal that a command gets → its modes, as SSH sends them (RFC 4254, 8). */

/** A terminal that changes no byte: for shells whose frames must arrive as they were sent. */
export const RAW = [
  'ECHO', 'ECHOE', 'ECHOK', 'ECHONL', 'ECHOCTL', 'ICANON', 'ISIG', 'IEXTEN', 'ICRNL', 'INLCR', 'IGNCR', 'IXON', 'IXOFF', 'ISTRIP', 'PARMRK', 'OPOST', 'ONLCR',
] as const // biome-ignore format: a list

/** As a person's, but what we type does not come back as output. */
export const COOKED = ['ECHO'] as const

const numbers: Readonly<Record<(typeof RAW)[number], number>> = {
  PARMRK: 31, ISTRIP: 33, INLCR: 34, IGNCR: 35, ICRNL: 36, IXON: 38, IXOFF: 40, ISIG: 50, ICANON: 51, ECHO: 53, ECHOE: 54, ECHOK: 55, ECHONL: 56,
  IEXTEN: 59, ECHOCTL: 60, OPOST: 70, ONLCR: 72,
} // biome-ignore format: a table

/** The modes that are off, in wire form. */
export function terminalModes(kind: 'cooked' | 'raw'): Buffer {
  const off = kind === 'raw' ? RAW : COOKED
  return Buffer.concat([...off.map((mode) => Buffer.from([numbers[mode], 0, 0, 0, 0])), Buffer.of(0)])
}
