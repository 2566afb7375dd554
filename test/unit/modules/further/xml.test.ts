import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xml-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = (): string => join(folder, 'f.xml')
const HEAD = "<?xml version='1.0' encoding='UTF-8'?>\n"
const run = async (args: JsonObject, more: object = {}) =>
  (await runModule('community.general.xml', { path: file(), ...args }, more)).result

/** What becomes of the text; lxml 6 wrote each of these. */
const written: readonly (readonly [string, string, JsonObject, string])[] = [
  ['a text', '<a><b>1</b> <c/></a>', { xpath: '/a/b', value: '<2>' }, '<a><b>&lt;2&gt;</b> <c/></a>'],
  ['an attribute', "<a><b x='1'/></a>", { xpath: '/a/b', attribute: 'x', value: '"\n' }, '<a><b x="&quot;&#10;"/></a>'],
  ['elements on the way', '<a/>', { xpath: '/a/b/c', value: 'x' }, '<a><b><c>x</c></b></a>'],
  ['a text by its path', '<a/>', { xpath: "/a/b/text()='x'" }, '<a><b>x</b></a>'],
  ['an element gone, with what follows it', '<a>1<b/>2<c/>3</a>', { xpath: '/a/b', state: 'absent' }, '<a>1<c/>3</a>'],
  ['an attribute gone', '<a x="1" y="2"/>', { xpath: '/a/@x', state: 'absent' }, '<a y="2"/>'],
  [
    'children added',
    '<a><b/></a>',
    { xpath: '/a', add_children: ['c', { d: 't' }, { e: { x: '1', _: ['f'] } }] },
    '<a><b/><c/><d>t</d><e x="1"><f/></e></a>',
  ],
  ['children before', '<a> <b/> <b/></a>', { xpath: '/a/b', add_children: ['c'], insertbefore: true }, '<a> <c/><b/> <b/></a>'],
  ['children behind', '<a> <b/> <b/> </a>', { xpath: '/a/b[1]', add_children: ['c'], insertafter: true }, '<a> <b/> <c/><b/> </a>'],
  ['children set', '<a>t<b/>u</a>', { xpath: '/a', set_children: [{ c: '1' }] }, '<a>t<c>1</c></a>'],
  [
    'children as XML',
    '<a xmlns="u"/>',
    { xpath: '/*', add_children: ['<b xmlns="u"/>', '<x:c xmlns:x="u" x:y="1"/>'], input_type: 'xml' },
    '<a xmlns="u"><b/><x:c xmlns:x="u" x:y="1"/></a>',
  ],
  [
    'names with addresses',
    '<a xmlns="u"><b xmlns="v"/></a>',
    { xpath: '/p:a/q:b/q:c', value: '1', namespaces: { p: 'u', q: 'v' } },
    '<a xmlns="u"><b xmlns="v"><c>1</c></b></a>',
  ],
  [
    'CDATA, comments, entities and ends of lines',
    '<!DOCTYPE a [<!ENTITY e "é">]>\n<!--x--><a>&e;<![CDATA[<]]>\r\n<b/></a>',
    { xpath: '/a/b', value: '1' },
    '<!DOCTYPE a [\n<!ENTITY e "é">\n]>\n<!--x--><a>é<![CDATA[<]]>\n<b>1</b></a>',
  ],
  [
    'all of it pretty',
    '<a><b> <c/>\n</b><d>t <e/></d></a>',
    { pretty_print: true },
    '<a>\n  <b>\n    <c/>\n  </b>\n  <d>t <e/></d>\n</a>\n',
  ],
]

describe('writes', () => {
  test.each(written)('%s', async (_, before, args, after) => {
    writeFileSync(file(), before)
    expect(await run(args, { check: true })).toMatchObject({ changed: true })
    expect(readFileSync(file(), 'utf8')).toBe(before)
    expect(await run(args)).toMatchObject({ changed: true })
    expect(readFileSync(file(), 'utf8')).toBe(HEAD + after)
    if (!('add_children' in args)) expect(await run(args)).toMatchObject({ changed: false })
  })
})

const DOC = '<shop xmlns:x="u"><item n="1">a</item><item n="2">b<sub/></item><x:item>c</x:item><!--k--></shop>'

const paths: readonly (readonly [string, string[]])[] = [
  ['//item', ['/shop/item[1]', '/shop/item[2]']],
  ['/shop/item[2]', ['/shop/item[2]']],
  ['/shop/*[last()]', ['/shop/x:item']],
  ['//item[@n="1" or sub]', ['/shop/item[1]', '/shop/item[2]']],
  ['//item[@n>1]', ['/shop/item[2]']],
  ['//sub/..', ['/shop/item[2]']],
  ['//sub/ancestor::*', ['/shop', '/shop/item[2]']],
  ['//p:item', ['/shop/x:item']],
  ['//p:item/preceding-sibling::item[1]', ['/shop/item[2]']],
  ['//item[contains(., "a")] | //sub', ['/shop/item[1]', '/shop/item[2]/sub']],
  ['//*[local-name()="item" and namespace-uri()="u"]', ['/shop/x:item']],
  ['//comment()', ['/shop/comment()']],
  ['//item[not(sub)][string-length(normalize-space(.)) = 3 - 2]', ['/shop/item[1]']],
  ['//item[position() mod 2 = 0]', ['/shop/item[2]']],
  ['descendant::item[substring(@n, 1, 1) = translate("3", "3", "2")]', ['/shop/item[2]']],
  ['//nothing', []],
]

test.each(paths)('finds %s', async (xpath, matches) => {
  writeFileSync(file(), DOC)
  const { msg } = await run({ xpath, print_match: true, namespaces: { p: 'u' } })
  expect(msg).toBe(`selector '${xpath}' match: [${matches.map((one) => JSON.stringify(one)).join(', ')}]`)
})

test('tells texts, attributes and counts; keeps a copy; takes a text instead of a file', async () => {
  writeFileSync(file(), DOC)
  expect(await run({ xpath: '/shop/item', content: 'text' })).toMatchObject({
    changed: false,
    count: 2,
    msg: 2,
    matches: [{ item: 'a' }, { item: 'b' }],
  })
  expect(await run({ xpath: '/shop/item', content: 'attribute' })).toMatchObject({ matches: [{ item: { n: '1' } }, { item: { n: '2' } }] })
  expect(await run({ xpath: '/shop/item', count: true })).toMatchObject({ count: 2, msg: 'found 2 nodes' })
  const { backup_file: copy } = await run({ xpath: '/shop/item', value: 'z', backup: true })
  expect(readdirSync(folder)).toHaveLength(2)
  expect(readFileSync(String(copy), 'utf8')).toBe(DOC)
  expect((await runModule('community.general.xml', { xmlstring: '<a/>', xpath: '/a', value: '1' })).result).toMatchObject({
    changed: true,
    xmlstring: `${HEAD}<a>1</a>`,
  })
})

const wrong: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['<a>', { xpath: '/a', value: '1' }, /^Error while parsing document: .*Premature end of data in tag a line 1/],
  ['<a/>', { xpath: '/a[', value: '1' }, /^Syntax error in xpath expression: \/a\[ \(Invalid expression\)/],
  ['<a/>', { xpath: '/p:a', value: '1' }, /^Xpath \/p:a causes a failure: Undefined namespace prefix/],
  ['<a/>', { xpath: '/a', add_children: [{ b: '1', c: '2' }] }, /^Can only create children from hashes with one key$/],
  ['<a/>', { xpath: '/a/b', content: 'text' }, /^Xpath \/a\/b does not reference a node!$/],
]

test.each(wrong)('fails for %s and %j', async (text, args, message) => {
  writeFileSync(file(), text)
  expect(await run(args)).toMatchObject({ failed: true, msg: expect.stringMatching(message) })
})
