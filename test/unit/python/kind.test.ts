import { describe, expect, it } from 'vitest'
import { type ModuleKind, moduleKind, readResult, shebang } from '../../../src/python/index.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the kind of a module', () => {
  const cases: readonly [string, ModuleKind][] = [
    ['from ansible.module_utils.basic import AnsibleModule\n', 'new-style'],
    ['if 1:\n    from ansible.module_utils.basic import *  # noqa\n', 'new-style'],
    ['import ansible.module_utils.urls\n', 'new-style'],
    ['from ansible_collections.a.b.plugins.module_utils.c import d\n', 'new-style'],
    ['#<<INCLUDE_ANSIBLE_MODULE_COMMON>>\n', 'new-style'],
    ['args = """<<INCLUDE_ANSIBLE_MODULE_JSON_ARGS>>"""\n', 'json-args'],
    ['#!/bin/sh\n# WANT_JSON\n', 'want-json'],
    ['#!/bin/sh\n. "$1"\n', 'old-style'],
    ['# talks of from ansible.module_utils in a comment\n', 'old-style'],
    ['\u007fELF\0\0', 'binary'],
  ]
  it.each(cases)('%j', (text, kind) => {
    expect(moduleKind(bytes(text))).toBe(kind)
  })

  it.each([
    ['#!/usr/bin/env python3\nx', '/usr/bin/env python3'],
    ['#! /bin/sh -e\n', '/bin/sh -e'],
    ['echo\n', undefined],
  ])('the interpreter of %j', (text, interpreter) => {
    expect(shebang(bytes(text))).toBe(interpreter)
  })
})

describe('what a module printed', () => {
  const read = (stdout: string, stderr = '', code = 0) => readResult({ stdout: bytes(stdout), stderr: bytes(stderr), code })
  const cases: readonly [string, ReturnType<typeof read>, Record<string, unknown>][] = [
    ['one line', read('{"changed": true}\n'), { changed: true }],
    ['noise around it', read('warn\n{"changed": false,\n "x": 1}\nbye\n'), { changed: false, x: 1 }],
    ['a failure keeps what it says', read('{"failed": true, "msg": "m"}', '', 1), { failed: true, msg: 'm' }],
    ['no JSON', read('oops\n', 'bad\n', 3), { failed: true, module_stdout: 'oops\n', module_stderr: 'bad\n', rc: 3 }],
    ['nothing at all', read('', '', 137), { failed: true, rc: 137 }],
    ['a list is no result', read('[1]\n'), { failed: true }],
    ['half of it', read('{"changed": tr'), { failed: true }],
    ['a traceback', read('', 'Traceback (most recent call last):\nX: y\n', 1), { exception: 'Traceback (most recent call last):\nX: y\n' }],
  ]
  it.each(cases)('%s', (_name, found, wanted) => {
    expect(found).toMatchObject(wanted)
  })
})
