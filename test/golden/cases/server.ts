/** A web server on the loopback for cases that fetch something. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const modified = 'Tue, 01 Oct 2024 10:00:00 GMT'

type Page = (request: IncomingMessage, response: ServerResponse) => void

const PAGES: Readonly<Record<string, Page>> = {
  '/file.txt': (_, response) => response.writeHead(200, { 'content-type': 'text/plain', 'last-modified': modified }).end('a file\n'),
  '/data.json': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a": [1, 2], "b": null}'),
  '/sums.txt': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end('8ae35d6b32ad1ad3e7ba9a2ca1fdcb8f7e1fdd6b89f6bd5cf7cde6bfbdd3f2f0  other\n'),
  '/moved': (_, response) => response.writeHead(302, { location: '/file.txt' }).end(),
  '/empty': (_, response) => response.writeHead(204).end(),
  '/gone': (_, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('not here'),
  '/broken': (_, response) => response.writeHead(500, { 'content-type': 'text/plain' }).end('oh'),
  '/echo': (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method, headers } = request
      const told = {
        method,
        type: headers['content-type'] ?? null,
        extra: headers['x-extra'] ?? null,
        body: Buffer.concat(parts).toString(),
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told))
    })
  },
  '/private': (request, response) =>
    request.headers.authorization === `Basic ${Buffer.from('me:secret').toString('base64')}`
      ? response.writeHead(200, { 'content-type': 'text/plain' }).end('let in\n')
      : response.writeHead(401, { 'www-authenticate': 'Basic realm="here"' }).end('who?'),
}

export async function serve(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => (PAGES[request.url ?? ''] ?? PAGES['/gone']!)(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
