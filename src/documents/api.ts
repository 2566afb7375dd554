/**
 * What the documents room does for the others. The functions live in yaml.ts, values.ts, files.ts and are exported by index.ts:
 *
 *   parseYaml(source: Source, options?: { unvault?: Unvault, multi?: boolean }): Node | undefined     undefined: an empty document
 *   nodeToRaw(node: Node, options: { unvault?: Unvault }): Raw     strings that look like templates become Template with their span, `!vault` Vaulted, `!unsafe` stays text
 *   readDocument(path, options): Node | undefined      reads a file (a whole-file vault is opened), names it in every problem
 *   readVars(path, options): Map<string, Raw>          a vars file: must be a mapping (or empty); a duplicate key warns and the last wins
 *
 * All throw Problems with places: kind 'syntax' for YAML mistakes (several at once as Problems), 'file' for files, 'vault' for sealed ones.
 */

/** Opens vaulted text; throws a Problem of kind 'vault' when no secret fits. */
export type Unvault = (ciphertext: string) => string

export interface DocumentOptions {
  readonly unvault?: Unvault | undefined
  /** told about duplicate keys and the like: message with its place */
  readonly warn?: ((message: string) => void) | undefined
  /** texts that stand for files, by absolute path: they are read instead */
  readonly texts?: ReadonlyMap<string, string> | undefined
  /** told of every file that is read, with its text as it is on disk */
  readonly onRead?: ((path: string, text: string) => void) | undefined
}
