import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PackedFile, shippedPlaybook, unpack } from '../../../src/cli/shipped.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tsspray-shipped-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const FILES: readonly PackedFile[] = [
  ['playbooks/a.yml', 0o644, base64('- hosts: all\n')],
  ['playbooks/roles', '../roles'],
  ['roles/r/files/run.sh', 0o755, base64('#!/bin/sh\n')],
]
const packed = JSON.stringify(FILES)

describe('what is packed into the program', () => {
  it('is laid out once, with modes and links', () => {
    const path = unpack(packed, join(dir, 'cache'))
    expect(readFileSync(join(path, 'playbooks/a.yml'), 'utf8')).toBe('- hosts: all\n')
    expect(readlinkSync(join(path, 'playbooks/roles'))).toBe('../roles')
    expect(statSync(join(path, 'roles/r/files/run.sh')).mode & 0o777).toBe(0o755)
    const made = statSync(path).ctimeMs
    expect(unpack(packed, join(dir, 'cache'))).toBe(path)
    expect(statSync(path).ctimeMs).toBe(made)
    expect(readdirSync(join(dir, 'cache'))).toHaveLength(1)
  })
  it('lies in another folder when it is other content', () => {
    const paths = [packed, JSON.stringify(FILES.slice(1))].map((content) => unpack(content, dir))
    expect(existsSync(join(paths[1]!, 'playbooks/a.yml'))).toBe(false)
  })
  it('is not taken from a folder that others can write', () => {
    chmodSync(unpack(packed, dir), 0o777)
    expect(() => unpack(packed, dir)).toThrow(/can be written by others/)
  })
  it('is not taken from a folder that others can put another in the place of', () => {
    const cache = join(dir, 'open')
    unpack(packed, cache)
    chmodSync(cache, 0o777)
    expect(() => unpack(packed, cache)).toThrow(/can be written by others/)
  })
})

describe('a shipped playbook', () => {
  it.each([
    ['cluster.yml', true],
    ['no-such.yml', false],
    ['playbooks/cluster.yml', false],
    ['../playbooks/cluster.yml', false],
  ])('%s: %s', (name, known) => expect(shippedPlaybook(name) !== undefined).toBe(known))
})
