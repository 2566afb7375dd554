/** The arguments of file as its parts see them. */
import type { Value } from '../../base/index.ts'
import type { Change, Done, Result } from '../api.ts'
import type { AttributeArgs } from '../files/attributes.ts'

export interface FileArgs extends AttributeArgs {
  readonly path: string
  readonly state?: State | undefined
  readonly src?: string | undefined
  readonly recurse: boolean
  readonly force: boolean
  readonly follow: boolean
  readonly modification_time?: string | undefined
  readonly modification_time_format: string
  readonly access_time?: string | undefined
  readonly access_time_format: string
  readonly _original_basename?: string | undefined
  readonly mode?: Value | undefined
}

export type State = 'absent' | 'directory' | 'file' | 'hard' | 'link' | 'touch'
export type Run = AsyncGenerator<Change, Result, Done>
