/** What the command line of a playbook run says, as a plain record. */
import type { Parsed } from './options.ts'
import type { playbookOptions } from './tables.ts'

export type PlaybookOptions = Parsed<typeof playbookOptions> & { readonly playbooks: readonly string[] }
