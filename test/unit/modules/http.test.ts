import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
import { runModule } from '../../harness/local-host.ts'

let dir: string
let base: string
let server: Server
const FILE = 'content of the file\n'

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tsspray-http-'))
  chmodSync(dir, 0o755)
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (c: Buffer) => parts.push(c))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const answer = (status: number, headers: Record<string, string>, text: string): void => {
        response.writeHead(status, { 'content-length': String(Buffer.byteLength(text)), ...headers })
        response.end(request.method === 'HEAD' ? '' : text)
      }
      if (request.url === '/json') answer(200, { 'content-type': 'application/json', 'x-one': 'a' }, '{"a": [1, "ü"]}')
      else if (request.url === '/echo')
        answer(
          200,
          { 'content-type': 'text/plain' },
          `${request.method} ${request.headers['content-type'] ?? '-'} ${request.headers['x-mine'] ?? '-'} ${body}`,
        )
      else if (request.url === '/redirect') answer(302, { location: '/json' }, '')
      else if (request.url === '/auth')
        if (request.headers.authorization === `Basic ${Buffer.from('me:s p').toString('base64')}`) answer(200, {}, 'in')
        else answer(401, { 'www-authenticate': 'Basic realm="x"' }, 'out')
      else if (request.url === '/file') {
        const since = request.headers['if-modified-since']
        if (since && Date.parse(since) > Date.parse('2020-01-01')) answer(304, {}, '')
        else answer(200, { 'content-type': 'application/octet-stream' }, FILE)
      } else if (request.url === '/sums') answer(200, {}, `${createHash('sha256').update(FILE).digest('hex')}  file\n0123  other\n`)
      else answer(404, { 'content-type': 'text/plain' }, 'nothing here')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(dir, { recursive: true, force: true })
})

const TOOLS = [
  'sh',
  'cat',
  'chmod',
  'chown',
  'cp',
  'date',
  'grep',
  'head',
  'id',
  'ls',
  'mkdir',
  'mktemp',
  'mv',
  'readlink',
  'rm',
  'sed',
  'sha1sum',
  'sha256sum',
  'md5sum',
  'stat',
  'tail',
  'timeout',
  'tr',
  'wc',
  'getent',
  'find',
  'cut',
]

/** A PATH with the plain tools and one client. */
function pathWith(client: string): string | undefined {
  const at = ['/usr/bin', '/bin', '/usr/local/bin'].map((d) => `${d}/${client}`).find((p) => existsSync(p))
  if (!at) return undefined
  const folder = `${dir}/bin-${client}`
  if (!existsSync(folder)) {
    mkdirSync(folder)
    for (const tool of [...TOOLS, client]) {
      const found = ['/usr/bin', '/bin'].map((d) => `${d}/${tool}`).find((p) => existsSync(p))
      if (found && !existsSync(`${folder}/${tool}`)) symlinkSync(found, `${folder}/${tool}`)
    }
    if (client === 'busybox') symlinkSync(at, `${folder}/nc`)
  }
  return folder
}

const fill = (value: unknown): never => JSON.parse(JSON.stringify(value).replaceAll('BASE', base).replaceAll('DIR', dir)) as never

const URI_CASES: readonly [string, JsonObject, JsonObject][] = [
  [
    'a GET',
    { url: 'BASE/json', return_content: true },
    {
      status: 200,
      changed: false,
      json: { a: [1, 'ü'] },
      content: '{"a": [1, "ü"]}',
      content_type: 'application/json',
      x_one: 'a',
      redirected: false,
      msg: 'OK (16 bytes)',
    },
  ],
  [
    'a body as JSON',
    { url: 'BASE/echo', method: 'POST', body: { a: 1 }, body_format: 'json', return_content: true, headers: { 'X-Mine': 'y "z"' } },
    { status: 200, changed: false, content: 'POST application/json y "z" {"a": 1}' },
  ],
  [
    'a body as a form',
    { url: 'BASE/echo', method: 'PUT', body: { a: 'b c', d: ['1', '2'] }, body_format: 'form-urlencoded', return_content: true },
    { content: 'PUT application/x-www-form-urlencoded - a=b+c&d=1&d=2' },
  ],
  ['not found', { url: 'BASE/none' }, { failed: true, status: 404, msg: 'Status code was 404 and not [200]: HTTP Error 404: Not Found' }],
  ['not found as wanted', { url: 'BASE/none', status_code: '200,404' }, { failed: false, status: 404, body: 'nothing here' }],
  [
    'a password at once',
    { url: 'BASE/auth', url_username: 'me', url_password: 's p', force_basic_auth: true, return_content: true },
    { status: 200, content: 'in' },
  ],
  ['nobody answers', { url: 'http://127.0.0.1:1/' }, { failed: true, status: -1, redirected: false, url: 'http://127.0.0.1:1/' }],
]

const CLIENTS = ['curl', 'wget', 'python3', 'bash', 'busybox'].map((client) => [client] as const)

describe.each(CLIENTS)('%s', (client) => {
  it.each(URI_CASES)('uri: %s', async (_name, args, want) => {
    const path = pathWith(client)
    if (!path) return
    expect((await runModule('uri', fill(args), { path })).result).toMatchObject(fill(want))
  })

  it('uri follows a redirect', async () => {
    const path = pathWith(client)
    if (!path) return
    expect((await runModule('uri', fill({ url: 'BASE/redirect' }), { path })).result).toMatchObject({
      status: 200,
      redirected: true,
      url: `${base}/json`,
    })
    expect(
      (await runModule('uri', fill({ url: 'BASE/redirect', follow_redirects: 'none', status_code: [302] }), { path })).result,
    ).toMatchObject({ status: 302, location: `${base}/json` })
  })

  it('get_url', async () => {
    const path = pathWith(client)
    if (!path) return
    const dest = `${dir}/got-${client}`
    const args = fill({ url: 'BASE/file', dest, mode: '0600', checksum: `sha256:${createHash('sha256').update(FILE).digest('hex')}` })
    expect((await runModule('get_url', args, { path, check: true })).result).toMatchObject({ changed: true })
    expect(existsSync(dest)).toBe(false)
    const first = await runModule('get_url', args, { path })
    expect(first.result).toMatchObject({
      changed: true,
      dest,
      mode: '0600',
      size: FILE.length,
      status_code: 200,
      msg: `OK (${FILE.length} bytes)`,
      checksum_dest: null,
    })
    expect(readFileSync(dest, 'utf8')).toBe(FILE)
    expect((await runModule('get_url', args, { path })).result).toMatchObject({ changed: false, msg: 'file already exists' })
    expect((await runModule('get_url', fill({ url: 'BASE/file', dest }), { path })).result).toMatchObject({
      changed: false,
      status_code: 304,
    })
    writeFileSync(dest, 'other')
    expect((await runModule('get_url', fill({ url: 'BASE/file', dest, checksum: 'sha256:BASE/sums' }), { path })).result).toMatchObject({
      changed: true,
    })
    expect((await runModule('get_url', fill({ url: 'BASE/file', dest, checksum: 'md5:00' }), { path })).result).toMatchObject({
      failed: true,
    })
    expect(readFileSync(dest, 'utf8')).toBe(FILE)
    expect((await runModule('get_url', fill({ url: 'BASE/file', dest: `${dir}/no/x` }), { path, check: true })).result).toMatchObject({
      failed: true,
      msg: `Destination ${dir}/no does not exist`,
    })
    expect((await runModule('get_url', fill({ url: 'BASE/none', dest: `${dest}x` }), { path })).result).toMatchObject({
      failed: true,
      msg: 'Request failed',
      status_code: 404,
    })
  })
})

it('tells of an error neither cookies nor the body, unless it is wanted', async () => {
  const { result } = await runModule('uri', fill({ url: 'BASE/none' }))
  expect(Object.keys(result)).not.toEqual(expect.arrayContaining(['cookies']))
  expect(Object.keys(result)).not.toEqual(expect.arrayContaining(['body']))
})

it('says what is missing', async () => {
  const folder = pathWith('dash')!
  expect((await runModule('uri', fill({ url: 'BASE/json' }), { path: folder })).result).toMatchObject({
    failed: true,
    status: -1,
    msg: 'the host has none of curl, wget (GNU), python3, and bash or nc for plain HTTP; install curl',
  })
})
