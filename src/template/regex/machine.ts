/** Instructions and a text → where they match, by trying one way after the other with a stack of its own. */
import { before, type Instruction, type Machine } from './program.ts'

export interface Attempt {
  /** may the match take nothing? */
  readonly mustAdvance?: boolean
  /** must it reach the text's end? */
  readonly whole?: boolean
}

export interface MachineMatch {
  readonly end: number
  /** starts and ends of the groups, in turn; -1 where one took no part */
  readonly places: readonly number[]
}

const UNSET = -1
/** Entries of the stack: what to do, and two numbers. Anything from 0 up is an instruction to go on at. */
const UNDO = -1
const FEWER = -2

/** Tries to match at one place. */
export function runMachine(machine: Machine, text: string, start: number, attempt: Attempt = {}): MachineMatch | undefined {
  const end = new Run(machine, text, start, attempt)
  return end.go() ? { end: end.at, places: end.registers.slice(0, machine.groups * 2) } : undefined
}

class Run {
  at: number
  readonly registers: number[]
  private pc = 0
  private readonly stack: number[] = []

  constructor(
    private readonly machine: Machine,
    private readonly text: string,
    private readonly start: number,
    private readonly attempt: Attempt,
  ) {
    this.at = start
    this.registers = new Array<number>(machine.registers).fill(UNSET)
  }

  go(): boolean {
    const { code } = this.machine
    for (;;) {
      const instruction = code[this.pc]!
      if (instruction.op === 'done') {
        if (this.accepts()) return true
        if (!this.retreat()) return false
        continue
      }
      this.pc++
      if (!this.step(instruction) && !this.retreat()) return false
    }
  }

  private accepts(): boolean {
    if (this.attempt.mustAdvance && this.at === this.start) return false
    return !this.attempt.whole || this.at === this.text.length
  }

  private set(register: number, value: number): void {
    this.stack.push(UNDO, register, this.registers[register]!)
    this.registers[register] = value
  }

  private way(pc: number): void {
    this.stack.push(pc, this.at, 0)
  }

  /** Takes back what was done since the last fork, and takes the other way. */
  private retreat(): boolean {
    const { stack } = this
    while (stack.length > 0) {
      const second = stack.pop()!
      const first = stack.pop()!
      const kind = stack.pop()!
      if (kind === UNDO) this.registers[first] = second
      else if (kind === FEWER) {
        const least = stack.pop()!
        this.pc = second
        this.at = before(this.text, first)
        if (this.at > least) stack.push(least, FEWER, this.at, second)
        return true
      } else {
        this.pc = kind
        this.at = first
        return true
      }
    }
    return false
  }

  private step(instruction: Exclude<Instruction, { op: 'done' }>): boolean {
    switch (instruction.op) {
      case 'char': {
        if (this.at >= this.text.length) return false
        const code = this.text.codePointAt(this.at)!
        this.at += code > 0xffff ? 2 : 1
        return instruction.test(code)
      }
      case 'many':
        return this.many(instruction)
      case 'place':
        return instruction.test(this.text, this.at)
      case 'save':
        this.set(instruction.register, this.at)
        return true
      case 'split':
        this.way(instruction.other)
        return true
      case 'jump':
        this.pc = instruction.to
        return true
      case 'reference':
        return this.reference(instruction)
      case 'unless':
        if (!this.hasGroup(instruction.group)) this.pc = instruction.to
        return true
      case 'start':
        this.set(instruction.registers, 0)
        this.set(instruction.registers + 1, UNSET)
        return true
      case 'loop':
        return this.loop(instruction)
      case 'more':
        return this.more(instruction)
      case 'mark':
        this.mark(instruction.registers)
        return true
      case 'commit':
        this.commit(this.registers[instruction.registers]!)
        if (instruction.back) this.at = this.registers[instruction.registers + 1]!
        return true
      case 'guard':
        this.mark(instruction.registers)
        this.way(instruction.other)
        return true
      case 'refuse':
        this.forget(this.registers[instruction.registers]!)
        return false
      case 'back':
        return this.back(instruction.width)
    }
  }

  private many({ test, min, max, possessive }: Extract<Instruction, { op: 'many' }>): boolean {
    const { text } = this
    let count = 0
    let least = this.at
    while (count < max && this.at < text.length) {
      const code = text.codePointAt(this.at)!
      if (!test(code)) break
      this.at += code > 0xffff ? 2 : 1
      count++
      if (count === min) least = this.at
    }
    if (count < min) return false
    if (!possessive && this.at > least) this.stack.push(least, FEWER, this.at, this.pc)
    return true
  }

  private hasGroup(group: number): boolean {
    return this.registers[group * 2 - 2]! >= 0 && this.registers[group * 2 - 1]! >= 0
  }

  private reference({ group, fold }: Extract<Instruction, { op: 'reference' }>): boolean {
    if (!this.hasGroup(group)) return false
    const wanted = this.text.slice(this.registers[group * 2 - 2]!, this.registers[group * 2 - 1]!)
    if (!fold) {
      if (!this.text.startsWith(wanted, this.at)) return false
      this.at += wanted.length
      return true
    }
    for (const char of wanted) {
      const code = this.text.codePointAt(this.at)
      if (code === undefined || fold(code) !== fold(char.codePointAt(0)!)) return false
      this.at += code > 0xffff ? 2 : 1
    }
    return true
  }

  /** At a loop's head: once more, or on. What matched nothing is not tried at the same place again. */
  private loop({ registers, min, max, kind, exit }: Extract<Instruction, { op: 'loop' }>): boolean {
    const count = this.registers[registers]!
    const body = this.pc + 1
    if (kind === 'possessive') return this.possessive(registers, count, min, max, exit)
    if (count < min) {
      this.set(registers, count + 1)
      this.pc = body
      return true
    }
    if (kind === 'lazy') {
      this.way(this.pc)
      this.pc = exit
      return true
    }
    if (count < max && this.at !== this.registers[registers + 1]) {
      this.way(exit)
      this.again(registers, count)
      this.pc = body
    } else this.pc = exit
    return true
  }

  private possessive(registers: number, count: number, min: number, max: number, exit: number): boolean {
    if (count >= min && (count >= max || this.at === this.registers[registers + 1])) {
      this.pc = exit
      return true
    }
    this.mark(registers + 2)
    if (count >= min) this.way(exit)
    this.again(registers, count)
    this.pc++
    return true
  }

  private more({ registers, max }: Extract<Instruction, { op: 'more' }>): boolean {
    const count = this.registers[registers]!
    if (count >= max || this.at === this.registers[registers + 1]) return false
    this.again(registers, count)
    return true
  }

  private again(registers: number, count: number): void {
    this.set(registers, count + 1)
    this.set(registers + 1, this.at)
  }

  private mark(registers: number): void {
    this.set(registers, this.stack.length + 6)
    this.set(registers + 1, this.at)
  }

  /** Drops the other ways above a height of the stack; what is to be undone stays. */
  private commit(height: number): void {
    const { stack } = this
    const undone: number[] = []
    for (let top = stack.length; top > height; ) {
      const size = stack[top - 3] === FEWER ? 4 : 3
      if (stack[top - 3] === UNDO) undone.push(stack[top - 1]!, stack[top - 2]!, UNDO)
      top -= size
    }
    stack.length = height
    for (let index = undone.length - 1; index >= 0; index--) stack.push(undone[index]!)
  }

  /** Takes everything back down to a height of the stack. */
  private forget(height: number): void {
    const { stack } = this
    while (stack.length > height) {
      const second = stack.pop()!
      const first = stack.pop()!
      const kind = stack.pop()!
      if (kind === UNDO) this.registers[first] = second
      else if (kind === FEWER) stack.pop()
    }
  }

  private back(width: number): boolean {
    let at = this.at
    for (let step = 0; step < width; step++) {
      if (at === 0) return false
      at = before(this.text, at)
    }
    this.at = at
    return true
  }
}
