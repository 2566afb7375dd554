import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askInAnotherThread } from '../../../src/template/lookups/another-thread.ts'
import { COMMAND_LOOKUPS } from '../../../src/template/lookups/commands.ts'
import { isResolvable } from '../../../src/template/lookups/dns.ts'

// a server of its own process: this one stands still while it asks
const SERVER = `
require('node:http').createServer((request, response) => {
  if (request.url === '/gone') response.writeHead(404, 'Not here').end()
  else response.end([request.headers.authorization, request.headers['x-one'], 'last'].join('\\n'))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

let server: ChildProcess
let base = ''
beforeAll(async () => {
  server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve) => server.stdout!.once('data', (chunk) => resolve(String(chunk).trim())))
  base = `http://127.0.0.1:${port}`
})
afterAll(() => void server.kill())

const url = (path: string, options: Record<string, string>) =>
  COMMAND_LOOKUPS['url']!({} as never, [`${base}${path}`], new Map(Object.entries(options)) as never)

describe('a question asked in another thread', () => {
  it('is answered at once', () => {
    expect(askInAnotherThread('return [...input.words, typeof require]', { words: ['a'] })).toEqual(['a', 'function'])
  })
  it('fails with the message of what went wrong', () => {
    expect(() => askInAnotherThread('await null; throw new Error("no " + input)', 'luck')).toThrow('no luck')
  })
  it('fetches a page, with a password that no list of processes shows', () => {
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`
    expect(url('/', { username: 'me', password: 'secret' })).toEqual([basic, '', 'last'])
  })
  it('tells what a server refuses', () => {
    expect(() => url('/gone', {})).toThrow('HTTP Error 404: Not here')
  })
  it('knows this machine', () => {
    expect([isResolvable('localhost'), isResolvable('no.such.name.invalid')]).toEqual([true, false])
  })
})
