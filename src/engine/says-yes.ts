/** A keyword that is not rendered yet → whether it counts as yes. */
import type { Raw } from '../base/index.ts'

/** A keyword as it is written: a template that is still to be rendered counts as yes. */
export function saysYes(written: Raw | undefined, otherwise: boolean): boolean {
  return written === undefined ? otherwise : written !== null && written !== false && written !== 0 && written !== ''
}
