import { describe, expect, it } from 'vitest'
import { Float, fromJson, type JsonObject, type Value } from '../../../src/base/index.ts'
import {
  bool,
  bytes,
  checkArgs,
  checkNames,
  choice,
  dict,
  dictOf,
  fallback,
  float,
  int,
  list,
  listOf,
  type Params,
  paramsFromSpec,
  path,
  raw,
  required,
  str,
} from '../../../src/params/index.ts'

const params = {
  name: required(str({ aliases: ['pkg'] })),
  state: choice(['present', 'absent'], 'present'),
  count: int(),
  ratio: float(),
  on: fallback(bool(), false),
  items: list('str'),
  numbers: list<number>('int'),
  opts: dict(),
  size: bytes(),
  mode: raw(),
  file: path(),
  sub: dictOf({ a: required(int()), b: fallback(str(), 'x') }, { mutuallyExclusive: [['a', 'b']] }),
  subs: listOf({ k: required(str()) }),
  secret: str({ noLog: true }),
} satisfies Params

const check = (given: JsonObject, rules = {}) => checkArgs(params, rules, fromJson(given) as Map<string, Value>, 'thing')

describe('coercion', () => {
  const cases: readonly [string, JsonObject, string, unknown][] = [
    ['text of a number', { name: 5 }, 'name', '5'],
    ['text of a boolean', { name: true }, 'name', 'True'],
    ['text of a list', { name: ['a', 1, null] }, 'name', "['a', 1, None]"],
    ['int of text', { name: 'x', count: '42' }, 'count', 42],
    ['int of a round float', { name: 'x', count: '42.0' }, 'count', 42],
    ['float', { name: 'x', ratio: '1.5' }, 'ratio', 1.5],
    ['yes', { name: 'x', on: 'Yes' }, 'on', true],
    ['off', { name: 'x', on: 'off' }, 'on', false],
    ['1', { name: 'x', on: 1 }, 'on', true],
    ['a list of text', { name: 'x', items: 'a,b' }, 'items', ['a', 'b']],
    ['a list of one', { name: 'x', items: 3 }, 'items', ['3']],
    ['elements', { name: 'x', numbers: ['1', 2] }, 'numbers', [1, 2]],
    [
      'a dict of pairs',
      { name: 'x', opts: 'a=1, b="two words"' },
      'opts',
      new Map([
        ['a', '1'],
        ['b', 'two words'],
      ]),
    ],
    ['a dict of JSON', { name: 'x', opts: '{"a": 1}' }, 'opts', new Map([['a', 1]])],
    ['a dict of Python', { name: 'x', opts: "{'a': True}" }, 'opts', new Map([['a', true]])],
    ['a size', { name: 'x', size: '1.5K' }, 'size', 1536],
    ['a mode stays a number', { name: 'x', mode: 420 }, 'mode', 420],
    ['an alias', { pkg: 'p' }, 'name', 'p'],
    ['a default', { name: 'x' }, 'state', 'present'],
    ['null is absent', { name: 'x', count: null }, 'count', undefined],
    [
      'a default inside',
      { name: 'x', sub: { a: '1' } },
      'sub',
      new Map<string, unknown>([
        ['a', 1],
        ['b', 'x'],
      ]),
    ],
  ]
  it.each(cases)('%s', (_name, given, key, want) => {
    const { args, problems } = check(given)
    expect(problems.map((p) => p.message).filter((m) => !m.includes('mutually exclusive'))).toEqual([])
    expect((args as Record<string, unknown>)[key]).toEqual(want)
  })
})

describe('problems', () => {
  const cases: readonly [string, JsonObject, string][] = [
    ['required', {}, 'missing required arguments: name'],
    ['a choice', { name: 'x', state: 'there' }, 'value of state must be one of: present, absent, got: there'],
    [
      'no int',
      { name: 'x', count: 'abc' },
      `argument 'count' is of type <class 'str'> and we were unable to convert to int: "'abc'" cannot be converted to an int`,
    ],
    [
      'no dict',
      { name: 'x', opts: 'abc' },
      "argument 'opts' is of type <class 'str'> and we were unable to convert to dict: dictionary requested, could not parse JSON or key=value",
    ],
    [
      'no element',
      { name: 'x', numbers: ['a'] },
      `Elements value for option 'numbers' is of type <class 'str'> and we were unable to convert to int: "'a'" cannot be converted to an int`,
    ],
    ['required inside', { name: 'x', subs: [{}] }, 'missing required arguments: k found in subs'],
    ['exclusive inside', { name: 'x', sub: { a: 1, b: '2' } }, 'parameters are mutually exclusive: a|b found in sub'],
    [
      'unknown',
      { name: 'x', nmae: 1 },
      'Unsupported parameters for (thing) module: nmae. Supported parameters include: count, file, items, mode, name, numbers, on, opts, ratio, secret, size, state, sub, subs (pkg).',
    ],
    [
      'unknown inside',
      { name: 'x', subs: [{ k: '1', z: 1 }] },
      'Unsupported parameters for (thing) module: subs.z. Supported parameters include: k.',
    ],
  ]
  it.each(cases)('%s', (_name, given, want) => expect(check(given).problems[0]?.message).toBe(want))

  const ruled: readonly [string, object, JsonObject, string | undefined][] = [
    [
      'exclusive',
      { mutuallyExclusive: [['count', 'ratio']] },
      { name: 'x', count: 1, ratio: 1 },
      'parameters are mutually exclusive: count|ratio',
    ],
    ['together', { requiredTogether: [['count', 'ratio']] }, { name: 'x', count: 1 }, 'parameters are required together: count, ratio'],
    ['one of', { requiredOneOf: [['count', 'ratio']] }, { name: 'x' }, 'one of the following is required: count, ratio'],
    [
      'if',
      { requiredIf: [['state', 'absent', ['count']]] },
      { name: 'x', state: 'absent' },
      'state is absent but all of the following are missing: count',
    ],
    ['if any', { requiredIf: [['state', 'absent', ['count', 'ratio'], true]] }, { name: 'x', state: 'absent', ratio: 1 }, undefined],
    ['by', { requiredBy: { count: ['ratio'] } }, { name: 'x', count: 1 }, "missing parameter(s) required by 'count': ratio"],
  ]
  it.each(ruled)('rule: %s', (_name, rules, given, want) => expect(check(given, rules).problems[0]?.message).toBe(want))
})

it('tells secrets and near names', () => {
  expect(check({ name: 'x', secret: 's3' }).secrets).toEqual(['s3'])
  expect(check({ name: 'x', sate: 1 }).problems[0]?.hint).toBe("did you mean 'state' or 'size'?".replace(" or 'size'", ''))
  expect(checkNames(params, ['name', 'pkg', 'stat'], 'thing').map((p) => p.hint)).toEqual(["did you mean 'state'?"])
})

it('takes open arguments', () => {
  const { problems } = checkArgs({}, undefined, new Map<string, Value>([['anything', new Float(1)]]), 'set_fact', { openArgs: true })
  expect(problems).toEqual([])
})

it('reads argument_specs', () => {
  const spec = paramsFromSpec(
    fromJson({
      port: { type: 'int', required: true },
      kind: { choices: ['a', 'b'], default: 'a' },
      more: { type: 'list', elements: 'dict', options: { x: { type: 'bool' } } },
    }) as Map<Value, Value>,
  )
  const { args, problems } = checkArgs(spec, undefined, fromJson({ port: '80', more: [{ x: 'no' }] }) as Map<string, Value>, 'role')
  expect(problems).toEqual([])
  expect(args).toEqual({ port: 80, kind: 'a', more: [new Map([['x', false]])] })
})
