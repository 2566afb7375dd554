// Lends the hosts the machine's Debian mirrors: a caching HTTP proxy, reached through a unix socket, which no network namespace bounds.
//   node aptproxy.mjs serve SOCKET CACHE ORIGIN…   the proxy, in the machine's own network; ORIGIN is a mirror's URL
//   node aptproxy.mjs relay ADDRESS PORT SOCKET    a TCP port of a lab network that leads to it
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'

const FRESH_MS = 600_000
const REDIRECTS = 3
const agents = { 'http:': [http, new http.Agent({ keepAlive: true, maxSockets: 8 })], 'https:': [https, new https.Agent({ keepAlive: true, maxSockets: 8 })] }

const [role, ...args] = process.argv.slice(2)
if (role === 'serve') serve(...args)
else if (role === 'relay') relay(...args)
else process.exit(2)

function serve(socket, cache, ...origins) {
  // A host asks for http; the request leaves in the scheme of the mirror.
  const mirrors = new Map(origins.map((origin) => [new URL(origin).host, new URL(origin).protocol]))
  const running = new Map()
  fs.mkdirSync(cache, { recursive: true })
  fs.rmSync(socket, { force: true })
  http
    .createServer((request, response) => {
      answer(request, response).catch((error) => {
        if (!response.headersSent) response.writeHead(502)
        response.end(`${error}\n`)
      })
    })
    .listen(socket)

  async function answer(request, response) {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined
    if (request.method !== 'GET' || !url || !mirrors.has(url.host)) return void response.writeHead(403).end('not a mirror of this lab\n')
    const file = path.join(cache, createHash('sha1').update(url.href).digest('hex'))
    const status = isFresh(url, file) ? 200 : await once(file, () => download(url, file, REDIRECTS))
    if (status !== 200) return void response.writeHead(status).end()
    const { size, mtime } = fs.statSync(file)
    response.writeHead(200, { 'content-length': size, 'last-modified': mtime.toUTCString() })
    fs.createReadStream(file).pipe(response)
  }

  function isFresh(url, file) {
    const found = fs.statSync(file, { throwIfNoEntry: false })
    return found !== undefined && (/\.deb$|\/by-hash\//.test(url.pathname) || Date.now() - found.mtimeMs < FRESH_MS)
  }

  function once(file, start) {
    if (!running.has(file)) running.set(file, start().finally(() => running.delete(file)))
    return running.get(file)
  }

  function download(url, file, redirects) {
    const target = new URL(url)
    target.protocol = mirrors.get(target.host) ?? target.protocol
    const [client, agent] = agents[target.protocol]
    return new Promise((resolve, reject) => {
      const request = client.get(target, { agent }, (reply) => {
        if (reply.statusCode >= 300 && reply.statusCode < 400 && reply.headers.location) {
          reply.resume()
          const next = new URL(reply.headers.location, target)
          if (redirects === 0 || !mirrors.has(next.host)) return reject(new Error('redirected away from the mirrors'))
          return resolve(download(next, file, redirects - 1))
        }
        if (reply.statusCode !== 200) {
          reply.resume()
          return resolve(reply.statusCode)
        }
        const partial = `${file}.part${process.pid}`
        const out = fs.createWriteStream(partial)
        reply.on('error', reject).pipe(out)
        out.on('error', reject).on('finish', () => {
          fs.renameSync(partial, file)
          resolve(200)
        })
      })
      request.on('error', reject)
    })
  }
}

function relay(address, port, socket) {
  net
    .createServer((near) => {
      const far = net.connect(socket)
      near.pipe(far).pipe(near)
      near.on('error', () => far.destroy())
      far.on('error', () => near.destroy())
    })
    .listen(Number(port), address)
}
