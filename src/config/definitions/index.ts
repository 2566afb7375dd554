/** All settings in one table, by Ansible's names. */
import { become } from './become.ts'
import { callback } from './callback.ts'
import { connection } from './connection.ts'
import { inventory } from './inventory.ts'
import { output } from './output.ts'
import { own } from './own.ts'
import { paths } from './paths.ts'
import { run } from './run.ts'
import { vault } from './vault.ts'

export const definitions = { ...paths, ...run, ...connection, ...become, ...inventory, ...vault, ...output, ...callback, ...own } as const
