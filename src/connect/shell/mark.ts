/** Nothing → a word that no output holds by chance. */
import { randomBytes } from 'node:crypto'

export const newMark = (): string => `<${randomBytes(15).toString('base64url')}>`
