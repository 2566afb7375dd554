export type { DocumentOptions, Unvault } from './api.ts'
export { type Entry, entry, type MappingNode, type Node, type ScalarNode, type SequenceNode } from './node.ts'
