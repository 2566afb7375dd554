/** A start of a task → what all starts of that task have in common, in whichever batch. */
import type { TaskRef } from '../events/index.ts'

export const taskKey = ({ id }: TaskRef): string => id.replace(/\.\d+$/, '')
