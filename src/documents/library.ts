/** The YAML library, loaded when a text needs it: most are read without. */
import { createRequire } from 'node:module'

type Library = typeof import('yaml')

let library: Library | undefined

export const yamlLibrary = (): Library => (library ??= createRequire(import.meta.url)('yaml') as Library)
