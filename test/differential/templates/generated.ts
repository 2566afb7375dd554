/** Random expressions over the corpus' variables: well formed ones, of any type, so that results and errors of all operations come up. */
import { type Random, randomFrom } from '../../unit/template/random.ts'

/** Always the same templates for the same seed. */
export function generatedTemplates(seed: number, count: number): string[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => template(random))
}

function template(random: Random): string {
  const kind = random.below(10)
  if (kind < 6) return `{{ ${expression(random, 3)} }}`
  if (kind < 8) return `x {{ ${expression(random, 3)} }}`
  if (kind === 8) return `{% if ${expression(random, 2)} %}yes{% else %}{{ ${expression(random, 2)} }}{% endif %}`
  return `[{% for x in ${sequence(random, 1)} %}{{ ${expression(random, 1, 'x')} }},{% endfor %}]`
}

const ATOMS = [
  ...[
    '0',
    '1',
    '-2',
    '7',
    '2.5',
    '-0.5',
    '1e3',
    'true',
    'false',
    'none',
    "'ab'",
    "''",
    "'7'",
    "'a,b'",
    '[1, 2]',
    '[]',
    "['x', 1]",
    '(1, 2)',
    "{'k': 1}",
    '{}',
  ],
  ...[
    'i',
    'zero',
    'neg',
    'f',
    't',
    'n',
    's',
    'e',
    'u',
    'big',
    'l',
    'el',
    'ls',
    'ml',
    'd',
    'ed',
    'users',
    'ref',
    'expr',
    'reflist',
    'inner',
    'quoted',
    'ml_text',
    'numtext',
  ],
  ...[
    'path',
    'listtext',
    'deep',
    'nowhere',
    'd.a',
    'd.b.c',
    'd.nope',
    'users[0].name',
    "inner['ref']",
    'l[0]',
    'l[9]',
    's[1:3]',
    'deep.a.b',
  ],
]
const SEQUENCES = [
  'l',
  'ls',
  'ml',
  'users',
  'el',
  'reflist',
  'd',
  '[1, 2, 3]',
  "'abc'",
  'range(4)',
  'd.keys()',
  'd.items()',
  "s.split(',')",
  "['b', 'a', 'b']",
]
const OPERATORS = ['+', '-', '*', '/', '//', '%', '~', '==', '!=', '<', '>=', 'in', 'not in', 'and', 'or']
const FILTERS = [
  ...[
    'upper',
    'lower',
    'title',
    'capitalize',
    'length',
    'int',
    'float',
    'string',
    'bool',
    'list',
    'first',
    'last',
    'sort',
    'unique',
    'reverse',
    'sum',
    'min',
    'max',
    'abs',
    'trim',
  ],
  ...[
    'to_json',
    'to_yaml',
    'to_nice_yaml',
    'to_nice_json',
    'default("d")',
    'default("d", true)',
    'join("-")',
    'replace("a", "b")',
    'round(1)',
    'type_debug',
    'dict2items',
    'flatten',
  ],
  ...[
    'split(",")',
    'regex_replace("[a-c]", "x")',
    'regex_search("[0-9]+")',
    'regex_findall("[a-z]")',
    'ternary("y", "n")',
    'union([1, 9]) | map("string") | sort',
    'difference([1]) | map("string") | sort',
    'intersect([1, 2])',
  ],
  ...[
    'combine({"z": 1})',
    'b64encode',
    'hash("md5")',
    'quote',
    'basename',
    'dirname',
    'splitext',
    'indent(2)',
    'truncate(5)',
    'wordcount',
    'center(9)',
    'batch(2) | list',
    'slice(2) | list',
  ],
  ...[
    'map("string") | list',
    'map("upper") | list',
    'select("defined") | list',
    'reject("none") | list',
    'map(attribute="name") | list',
    'items | list',
    'zip([1, 2]) | list',
    'urlencode',
  ],
  ...[
    'pprint',
    'mandatory',
    'human_readable',
    'log',
    'pow(2)',
    'root',
    'from_json',
    'from_yaml',
    'comment',
    'checksum',
    'wordwrap(6)',
    'format(1)',
    'extract(d)',
    'dictsort',
    'e',
  ],
]
const TESTS = [
  ...[
    'defined',
    'undefined',
    'none',
    'string',
    'number',
    'mapping',
    'iterable',
    'sequence',
    'integer',
    'float',
    'boolean',
    'odd',
    'even',
    'lower',
    'upper',
    'true',
    'false',
    'callable',
  ],
  ...[
    'divisibleby(2)',
    'in([1, "ab"])',
    'eq(1)',
    'gt(1)',
    'match("a")',
    'search("[0-9]")',
    'version("2.0", "<")',
    'subset([1, 2, 3])',
    'contains(1)',
    'all',
    'any',
    'sameas(none)',
  ],
]
const METHODS = [
  ...[
    'upper()',
    'split()',
    "split(',')",
    "replace('a', 'b')",
    "startswith('a')",
    'strip()',
    "find('b')",
    "count('a')",
    'items()',
    'keys()',
    'values()',
    "get('a')",
    "get('zz', 1)",
    'index(1)',
  ],
  ...['copy()', "join(['x', 'y'])", 'zfill(4)', 'splitlines()', 'title()', "format('q')", 'isdigit()', "partition(',')", 'nope()'],
]

function expression(random: Random, depth: number, name?: string): string {
  if (depth === 0) return name !== undefined && random.chance(0.5) ? name : random.pick(ATOMS)
  const inner = (): string => expression(random, depth - 1, name)
  const operand = (): string => (random.chance(0.4) ? `(${inner()})` : expression(random, 0, name))
  switch (random.below(12)) {
    case 0:
      return inner()
    case 1:
    case 2:
      return `${operand()} ${random.pick(OPERATORS)} ${operand()}`
    case 3:
    case 4:
    case 5:
      return `${operand()} | ${random.pick(FILTERS)}`
    case 6:
      return `${operand()} is ${random.chance(0.2) ? 'not ' : ''}${random.pick(TESTS)}`
    case 7:
      return `${operand()}.${random.pick(METHODS)}`
    case 8:
      return `${operand()} if ${operand()} else ${operand()}`
    case 9:
      return random.chance(0.5) ? `[${inner()}, ${inner()}]` : `{'a': ${inner()}, 'b': ${inner()}}`
    case 10:
      return `${operand()}[${random.pick(['0', '-1', '1:', ':2', '::-1', "'a'", "'name'", 'i', '5'])}]`
    default:
      return random.chance(0.5) ? `not ${operand()}` : `${operand()} ~ ${operand()}`
  }
}

const sequence = (random: Random, depth: number): string => (random.chance(0.6) ? random.pick(SEQUENCES) : `(${expression(random, depth)})`)
