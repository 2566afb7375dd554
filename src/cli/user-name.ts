/** Who runs this program, by name where there is one. */
import { userInfo } from 'node:os'

export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid=${process.getuid?.()}`
  }
}
