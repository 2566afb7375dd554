/** A module → what is looked at when a playbook is loaded. */
import type { Module, Outline } from './api.ts'

export const outlineOf = (module: Module): Outline => module.outline ?? outlined(module)

/** The outline by the declaration itself; the build asks for it, too. */
export const outlined = ({ params, freeForm, openArgs }: Pick<Module, 'params' | 'freeForm' | 'openArgs'>): Outline => ({
  freeForm: freeForm === true,
  openArgs: openArgs === true,
  parameters: Object.entries(params).flatMap(([name, { aliases = [] }]) => [name, ...aliases]),
})
