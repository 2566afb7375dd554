/** Tells what a YAML 1.1 reader takes a text without quotes for. */

export type YamlTag = 'str' | 'bool' | 'float' | 'int' | 'merge' | 'null' | 'timestamp' | 'value' | 'yaml'

const RULES: readonly (readonly [tag: YamlTag, first: string, form: RegExp])[] = [
  ['bool', 'yYnNtTfFoO', /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)\n?$/],
  [
    'float',
    '-+0123456789.',
    /^(?:[-+]?(?:\d[\d_]*)\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\n?$/,
  ],
  [
    'int',
    '-+0123456789',
    /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][\d_]*)|[-+]?0x[\da-fA-F_]+|[-+]?[1-9][\d_]*(?::[0-5]?\d)+)\n?$/,
  ],
  ['merge', '<', /^<<\n?$/],
  ['null', '~nN', /^(?:~|null|Null|NULL)\n?$/],
  [
    'timestamp',
    '0123456789',
    /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)\n?$/,
  ],
  ['value', '=', /^=\n?$/],
  ['yaml', '!&*', /^[!&*]\n?$/],
]

export function resolvePlain(text: string): YamlTag {
  if (text === '') return 'null'
  const first = text[0]!
  for (const [tag, firsts, form] of RULES) if (firsts.includes(first) && form.test(text)) return tag
  return 'str'
}
