/** The parts of a pattern → instructions for the matching machine. */
import { type CharacterTest, characterTest, isWord, lowerBy } from './characters.ts'
import { isCharacter, type NodeOf, type ParsedRegex, type RegexNode, widthOf } from './node.ts'

/** A test of a place in the text. */
export type PlaceTest = (text: string, at: number) => boolean

/** One step of the machine; `to` and its kin are places among the instructions. */
export type Instruction =
  | { readonly op: 'char'; readonly test: CharacterTest }
  | { readonly op: 'many'; readonly test: CharacterTest; readonly min: number; readonly max: number; readonly possessive: boolean }
  | { readonly op: 'place'; readonly test: PlaceTest }
  | { readonly op: 'save'; readonly register: number }
  | { readonly op: 'split'; other: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'reference'; readonly group: number; readonly fold: ((code: number) => number) | undefined }
  | { readonly op: 'unless'; readonly group: number; to: number }
  | { readonly op: 'start'; readonly registers: number }
  | { readonly op: 'loop'; readonly registers: number; readonly min: number; readonly max: number; readonly kind: LoopKind; exit: number }
  | { readonly op: 'more'; readonly registers: number; readonly max: number }
  | { readonly op: 'mark'; readonly registers: number }
  /** forgets the ways not taken since the mark; a lookahead goes back to where it began */
  | { readonly op: 'commit'; readonly registers: number; readonly back: boolean }
  | { readonly op: 'guard'; readonly registers: number; other: number }
  | { readonly op: 'refuse'; readonly registers: number }
  | { readonly op: 'back'; readonly width: number; other: number }
  | { readonly op: 'done' }

export type LoopKind = 'greedy' | 'lazy' | 'possessive'

export interface Machine {
  readonly code: readonly Instruction[]
  readonly groups: number
  readonly registers: number
}

/** Registers 2n and 2n + 1 are group n + 1's start and end; loops and marks have theirs behind. */
export function programOf(parsed: ParsedRegex): Machine {
  const builder = new Builder(parsed.groups * 2)
  builder.node(parsed.root)
  builder.code.push({ op: 'done' })
  return { code: builder.code, groups: parsed.groups, registers: builder.registers }
}

class Builder {
  readonly code: Instruction[] = []
  registers: number

  constructor(registers: number) {
    this.registers = registers
  }

  node(node: RegexNode): void {
    const build = BUILDERS[node.kind] as (this: Builder, node: RegexNode) => void
    build.call(this, node)
  }

  private take(count: number): number {
    const first = this.registers
    this.registers += count
    return first
  }

  character(node: NodeOf<'char' | 'any' | 'class' | 'set'>): void {
    this.code.push({ op: 'char', test: characterTest(node) })
  }

  anchor(node: NodeOf<'anchor'>): void {
    this.code.push({ op: 'place', test: placeTest(node) })
  }

  sequence(node: NodeOf<'sequence'>): void {
    for (const part of node.parts) this.node(part)
  }

  choice(node: NodeOf<'choice'>): void {
    const jumps: { to: number }[] = []
    node.branches.forEach((branch, index) => {
      if (index === node.branches.length - 1) {
        this.node(branch)
        return
      }
      const split = { op: 'split' as const, other: 0 }
      const jump = { op: 'jump' as const, to: 0 }
      this.code.push(split)
      this.node(branch)
      this.code.push(jump)
      jumps.push(jump)
      split.other = this.code.length
    })
    for (const jump of jumps) jump.to = this.code.length
  }

  group(node: NodeOf<'group'>): void {
    this.code.push({ op: 'save', register: node.number * 2 - 2 })
    this.node(node.body)
    this.code.push({ op: 'save', register: node.number * 2 - 1 })
  }

  atomic(node: NodeOf<'atomic'>): void {
    const registers = this.take(2)
    this.code.push({ op: 'mark', registers })
    this.node(node.body)
    this.code.push({ op: 'commit', registers, back: false })
  }

  look(node: NodeOf<'look'>): void {
    const registers = this.take(2)
    const guard = { op: 'guard' as const, registers, other: 0 }
    const back = { op: 'back' as const, width: node.behind ? widthOf(node.body)[0] : 0, other: -1 }
    this.code.push(node.negated ? guard : { op: 'mark', registers })
    if (back.width > 0) this.code.push(back)
    this.node(node.body)
    this.code.push(node.negated ? { op: 'refuse', registers } : { op: 'commit', registers, back: true })
    guard.other = this.code.length
  }

  reference(node: NodeOf<'reference'>): void {
    this.code.push({ op: 'reference', group: node.number, fold: node.flags.ignoreCase ? lowerBy(node.flags) : undefined })
  }

  conditional(node: NodeOf<'conditional'>): void {
    const unless = { op: 'unless' as const, group: node.number, to: 0 }
    const jump = { op: 'jump' as const, to: 0 }
    this.code.push(unless)
    this.node(node.then)
    this.code.push(jump)
    unless.to = this.code.length
    this.node(node.otherwise)
    jump.to = this.code.length
  }

  repeat(node: NodeOf<'repeat'>): void {
    const { body, min, max, how } = node
    const single = onlyCharacter(body)
    if (single && how !== 'lazy') {
      this.code.push({ op: 'many', test: characterTest(single), min, max, possessive: how === 'possessive' })
      return
    }
    const registers = this.take(4)
    this.code.push({ op: 'start', registers })
    const head = this.code.length
    const loop = { op: 'loop' as const, registers, min, max, kind: how, exit: 0 }
    this.code.push(loop, { op: 'more', registers, max })
    this.node(body)
    if (how === 'possessive') this.code.push({ op: 'commit', registers: registers + 2, back: false })
    this.code.push({ op: 'jump', to: head })
    loop.exit = this.code.length
  }
}

const BUILDERS = {
  char: Builder.prototype.character,
  any: Builder.prototype.character,
  class: Builder.prototype.character,
  set: Builder.prototype.character,
  anchor: Builder.prototype.anchor,
  sequence: Builder.prototype.sequence,
  choice: Builder.prototype.choice,
  group: Builder.prototype.group,
  atomic: Builder.prototype.atomic,
  look: Builder.prototype.look,
  reference: Builder.prototype.reference,
  conditional: Builder.prototype.conditional,
  repeat: Builder.prototype.repeat,
} as const

function onlyCharacter(node: RegexNode): NodeOf<'char' | 'any' | 'class' | 'set'> | undefined {
  if (isCharacter(node)) return node
  return node.kind === 'sequence' && node.parts.length === 1 ? onlyCharacter(node.parts[0]!) : undefined
}

function placeTest({ at, flags }: NodeOf<'anchor'>): PlaceTest {
  const { multiline, ascii } = flags
  if (at === 'A' || (at === '^' && !multiline)) return (_, place) => place === 0
  if (at === 'Z') return (text, place) => place === text.length
  if (at === '^') return (text, place) => place === 0 || text.charCodeAt(place - 1) === 10
  if (at === '$' && multiline) return (text, place) => place === text.length || text.charCodeAt(place) === 10
  if (at === '$') return (text, place) => place >= text.length - 1 && (place === text.length || text.charCodeAt(place) === 10)
  const edge: PlaceTest = (text, place) => wordBefore(text, place, ascii) !== wordAt(text, place, ascii)
  return at === 'b' ? (text, place) => text !== '' && edge(text, place) : (text, place) => text !== '' && !edge(text, place)
}

function wordAt(text: string, at: number, ascii: boolean): boolean {
  return at < text.length && isWord(text.codePointAt(at)!, ascii)
}

function wordBefore(text: string, at: number, ascii: boolean): boolean {
  return at > 0 && isWord(text.codePointAt(before(text, at))!, ascii)
}

/** Where the character before a place begins. */
export function before(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  const isTail = unit >= 0xdc00 && unit <= 0xdfff && at > 1
  if (!isTail) return at - 1
  const lead = text.charCodeAt(at - 2)
  return lead >= 0xd800 && lead <= 0xdbff ? at - 2 : at - 1
}

/** Where the character after that at a place begins; beyond the text's end one further. */
export function after(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}
