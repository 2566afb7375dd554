/** A web server for the cases, on all addresses of the lab's network: `node server.mjs PORT`; ends when its stdin does. */
import { createServer } from 'node:http'

const modified = 'Tue, 01 Oct 2024 10:00:00 GMT'
const pages = {
  '/file.txt': (_, response) => response.writeHead(200, { 'content-type': 'text/plain', 'last-modified': modified }).end('a file\n'),
  '/data.json': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a": [1, 2], "b": null}'),
  '/moved': (_, response) => response.writeHead(302, { location: '/file.txt' }).end(),
  '/gone': (_, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('not here'),
  '/broken': (_, response) => response.writeHead(500).end('oh'),
  '/echo': (request, response) => {
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const { method, headers } = request
      const body = Buffer.concat(parts).toString()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ method, type: headers['content-type'] ?? null, extra: headers['x-extra'] ?? null, body }))
    })
  },
  '/private': (request, response) =>
    request.headers.authorization === `Basic ${Buffer.from('me:secret').toString('base64')}`
      ? response.writeHead(200, { 'content-type': 'text/plain' }).end('let in\n')
      : response.writeHead(401, { 'www-authenticate': 'Basic realm="here"' }).end('who?'),
}

createServer((request, response) => (pages[request.url] ?? pages['/gone'])(request, response)).listen(Number(process.argv[2]))
process.stdin.on('end', () => process.exit()).resume()
