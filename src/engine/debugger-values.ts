/** What the keyword `debugger` may say. */
export const DEBUGGER_VALUES = ['always', 'on_failed', 'on_unreachable', 'on_skipped', 'never'] as const
