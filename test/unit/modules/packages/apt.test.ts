import { describe, expect, test } from 'vitest'
import { Look } from '../../../../src/facts/index.ts'
import { AptState, parsePolicies, parseSpec, providersOf } from '../../../../src/modules/packages/apt-look.ts'
import { originsOf } from '../../../../src/modules/packages/apt-origins.ts'
import { expandGlobs, installPlan, removePlan } from '../../../../src/modules/packages/apt-plan.ts'
import { listName, parseSource, withoutSource, withSource } from '../../../../src/modules/packages/apt-sources.ts'
import { compareVersions } from '../../../../src/modules/packages/debian-version.ts'

const policy = `casepkg:
  Installed: 1.0-1
  Candidate: 2.0-1
  Version table:
     2.0-1 500
        500 file:/srv/repo ./ Packages
     1.1-1 500
        500 file:/srv/repo ./ Packages
 *** 1.0-1 500
        500 file:/srv/repo ./ Packages
        100 /var/lib/dpkg/status
mail-transport-agent:
  Installed: (none)
  Candidate: (none)
  Version table:
fresh:
  Installed: (none)
  Candidate: 3.1
  Version table:
     3.1 500
        500 http://deb.example bookworm/main amd64 Packages
`

const look = new Look(
  `\u001earch\namd64\n\u001edpkg\ncasepkg|all|ii |1.0-1\ngone|amd64|rc |0.9\nheld|amd64|hi |5.0\n\u001epolicy\n${policy}held:
  Installed: 5.0
  Candidate: 6.0
  Version table:
     6.0 500
        500 x
 *** 5.0 100
        100 /var/lib/dpkg/status
\u001eauto\ncasepkg\n\u001elists\n1796000000\n\u001enow\n1796000100\n`,
)
const apt = new AptState(look)

test('policies by their form', () => {
  expect(parsePolicies(policy)).toEqual(
    new Map([
      ['casepkg', { candidate: '2.0-1', versions: ['2.0-1', '1.1-1', '1.0-1'], line: expect.any(Number) }],
      ['mail-transport-agent', { candidate: undefined, versions: [], line: expect.any(Number) }],
      ['fresh', { candidate: '3.1', versions: ['3.1'], line: expect.any(Number) }],
    ]),
  )
})

test('what is there', () => {
  expect(apt.installed('casepkg')).toEqual({ installed: true, version: '1.0-1', hasFiles: true })
  expect(apt.installed('casepkg:amd64')).toMatchObject({ installed: true })
  expect(apt.installed('gone')).toEqual({ installed: false, version: '0.9', hasFiles: true })
  expect(apt.installed('nothing')).toEqual({ installed: false, version: '', hasFiles: false })
  expect(apt.automatic).toEqual(new Set(['casepkg']))
})

describe('plans', () => {
  const plan = (text: string, options: { latest?: boolean; onlyUpgrade?: boolean } = {}) => {
    const specs = text.split(' ').map(parseSpec)
    const { words, problem } = installPlan(specs, apt, {
      latest: false,
      onlyUpgrade: false,
      providers: (name) => (name === 'mail-transport-agent' ? ['a', 'b'] : []),
      ...options,
    })
    return problem ?? words.join(' ')
  }
  test.each([
    ['casepkg', ''],
    ['casepkg=1.0-1', ''],
    ['casepkg=1.1*', 'casepkg=1.1-1'],
    ['casepkg=2.0-1 fresh', 'casepkg=2.0-1 fresh=3.1'],
    ['casepkg>=1.0', ''],
    ['casepkg>=1.5', 'casepkg=2.0-1'],
    ['casepkg=9.9', 'no available installation candidate for casepkg=9.9'],
    ['mail-transport-agent', 'mail-transport-agent'],
  ])('present: %s', (specs, words) => expect(plan(specs)).toBe(words))
  test('latest', () => expect(plan('casepkg held fresh', { latest: true })).toBe('casepkg=2.0-1 held=6.0 fresh=3.1'))
  test('only upgrade leaves out what is not there', () =>
    expect(plan('fresh casepkg', { onlyUpgrade: true, latest: true })).toBe('casepkg=2.0-1'))
  test('unknown', () => expect(() => plan('unknown')).toThrow("No package matching 'unknown' is available"))
  test('removal, and purging what was removed', () => {
    const specs = ['casepkg', 'gone', 'nothing'].map(parseSpec)
    expect(removePlan(specs, apt, false)).toEqual(['casepkg'])
    expect(removePlan(specs, apt, true)).toEqual(['casepkg', 'gone'])
  })
  test('globs', () => {
    expect(expandGlobs([parseSpec('case*'), parseSpec('x')], ['casepkg', 'casedep', 'y'], parseSpec).map((spec) => spec.name)).toEqual([
      'casepkg',
      'casedep',
      'x',
    ])
    expect(() => expandGlobs([parseSpec('z*')], ['y'], parseSpec)).toThrow("No package(s) matching 'z*' available")
  })
})

test('providers of a name', () => {
  const text =
    'Package: awk\nVersions: \n\nReverse Depends: \n  base,awk\nDependencies: \nProvides: \nReverse Provides: \nmawk 1.3.4-1 (= )\ngawk 1:5 (= )\ngawk 1:5 (= )\n'
  expect(providersOf(new Look(`\u001eprovides:awk\n${text}`), 'awk')).toEqual(['mawk', 'gawk'])
})

test('origins', () => {
  const sources =
    'Package files:\n 100 /var/lib/dpkg/status\n     release a=now\n 500 http://deb.example bookworm/main amd64 Packages\n     release v=12.15,o=Debian,a=oldstable,n=bookworm,l=Debian,c=main,b=amd64\n     origin deb.example\n'
  const origin = originsOf(
    sources,
    'fresh:\n  Installed: 3.1\n  Candidate: 3.1\n  Version table:\n *** 3.1 500\n        500 http://deb.example bookworm/main amd64 Packages\n        100 /var/lib/dpkg/status\n',
  )
  expect([origin('fresh', '3.1'), origin('fresh', '3.0'), origin('other', '1')]).toEqual(['Debian', '', ''])
})

test.each([
  ['1.0', '1.0', 0],
  ['1.0~rc1', '1.0', -1],
  ['1:0.5', '2.0', 1],
  ['2.0-1', '2.0-1+b1', -1],
  ['1.10', '1.9', 1],
  ['1.0a', '1.0+', -1],
  ['1.0-1', '1.0', 1],
])('%s and %s', (a, b, order) => {
  expect(Math.sign(compareVersions(a, b))).toBe(order)
  expect(Math.sign(compareVersions(b, a))).toBe(0 - order)
})

describe('source lists', () => {
  const lists = new Map([
    ['/etc/apt/sources.list', '# comment\ndeb http://a x main\n# deb http://b x main # off\n'],
    ['/etc/apt/sources.list.d/c.list', 'deb http://c x main\n'],
  ])
  const changes = (map: ReadonlyMap<string, string | undefined>) => Object.fromEntries(map)
  test('lines', () => {
    expect(parseSource('deb   [arch=amd64]  http://a x  main  # hello')).toEqual({
      valid: true,
      enabled: true,
      source: 'deb [arch=amd64] http://a x main',
      comment: 'hello',
    })
    expect(parseSource('# just words')).toMatchObject({ valid: false, enabled: false })
  })
  test('there already', () => expect(changes(withSource(lists, 'deb http://a x main', '/n.list'))).toEqual({}))
  test('new', () => expect(changes(withSource(lists, 'deb http://n x main', '/n.list'))).toEqual({ '/n.list': 'deb http://n x main\n' }))
  test('comes to life', () =>
    expect(changes(withSource(lists, 'deb http://b x main', '/n.list'))).toEqual({
      '/etc/apt/sources.list': '# comment\ndeb http://a x main\ndeb http://b x main # off\n',
    }))
  test('goes, and takes its empty list along', () =>
    expect(changes(withoutSource(lists, 'deb http://c x main'))).toEqual({ '/etc/apt/sources.list.d/c.list': undefined }))
  test.each([
    ['deb [trusted=yes] file:/srv/case/repo ./', undefined, 'file_srv_case_repo.list'],
    ['deb https://user:pw@download.docker.com/linux/debian bookworm stable', undefined, 'download_docker_com_linux_debian.list'],
    ['deb http://x y z', 'mine', 'mine.list'],
  ])('the list of %s', (source, given, name) => expect(listName(source, given)).toBe(name))
})
