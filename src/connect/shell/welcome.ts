/** What a new shell says up to the marks of its greeting → who it is; what comes after them is for the first script. */
import { textOf } from '../../remote/index.ts'
import { Catcher } from './catcher.ts'
import { selfOf } from './frame.ts'
import type { Receiver } from './intake.ts'
import { newMark } from './mark.ts'

export class Welcome {
  readonly mark = newMark()
  readonly out = new Catcher(this.mark)
  readonly err = new Catcher(this.mark)
  /** what came after the marks, in order */
  readonly early: Parameters<Receiver>[] = []

  get self(): ReturnType<typeof selfOf> {
    return selfOf(this.out.tail ?? '')
  }

  /** What start-up files and refusals have said. */
  said(): string {
    return textOf(Buffer.concat([this.out.all(), Buffer.from('\n'), this.err.all()]))
  }
}
