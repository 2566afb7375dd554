/** A custom module's file → how it wants to be run, told by marks in its text as Ansible tells it. */

export type ModuleKind =
  /** imports ansible.module_utils: bundled and run by Python */
  | 'new-style'
  /** holds a mark where its arguments are put in as JSON text */
  | 'json-args'
  /** is given the path of a JSON file */
  | 'want-json'
  /** is given the path of a file of k=v words */
  | 'old-style'
  /** a program: is given the path of a JSON file */
  | 'binary'

const MARKS: readonly (readonly [ModuleKind, RegExp])[] = [
  [
    'new-style',
    /#<<INCLUDE_ANSIBLE_MODULE_COMMON>>|^\s*(?:from\s+ansible\.module_utils|import\s+ansible\.module_utils|from\s+ansible_collections\.\S+\.plugins\.module_utils|from\s+\.+module_utils)/m,
  ],
  ['json-args', /<<INCLUDE_ANSIBLE_MODULE_JSON_ARGS>>/],
  ['want-json', /WANT_JSON/],
]

export function moduleKind(bytes: Uint8Array): ModuleKind {
  if (bytes.subarray(0, 8000).includes(0)) return 'binary'
  const text = new TextDecoder().decode(bytes)
  return MARKS.find(([, mark]) => mark.test(text))?.[0] ?? 'old-style'
}

/** The interpreter of a `#!` line; undefined where there is none. */
export function shebang(bytes: Uint8Array): string | undefined {
  const line = new TextDecoder().decode(bytes.subarray(0, 200)).split('\n')[0]!
  return line.startsWith('#!') ? line.slice(2).trim() : undefined
}
