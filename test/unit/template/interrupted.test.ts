/** Ctrl-C while a template computes: it ends, and whoever waits for the signal hears of it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'interrupted-'))
const program = join(folder, 'program.mjs')

beforeAll(async () => {
  await build({
    stdin: { contents: PROGRAM, resolveDir: join(import.meta.dirname, '../../..'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    logLevel: 'error',
    banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PROGRAM = `
import { Template } from './src/base/index.ts'
import { createTemplar } from './src/template/index.ts'
process.on('SIGINT', () => console.log('heard'))
const timer = setTimeout(() => {}, 20_000)
const nothing = { get: () => undefined, has: () => false, names: () => [], fromHost: () => false }
console.log('begins')
try {
  createTemplar({ native: false, extensions: [] }).render(new Template(process.argv[2]), nothing)
  console.log('came to its end')
} catch (error) {
  console.log(error.message)
}
setTimeout(() => clearTimeout(timer), 300)
`

const LONG = {
  'a long loop': '{% for i in range(10**10) %}{% endfor %}',
  'loops in loops': '{% for i in range(10**5) %}{% for j in range(10**3) %}{% for k in range(100) %}{% endfor %}{% endfor %}{% endfor %}',
  'macros that call each other':
    '{% macro f(n) %}{% if n < 2 %}{{ n }}{% else %}{{ f(n - 1) }}{{ f(n - 2) }}{% endif %}{% endmacro %}{% set x = f(45) %}',
  'a filter over a long range': '{{ range(10**11) | sum }}',
  'filters over a long range': '{{ range(10**11) | reject("odd") | sum }}',
}

describe.concurrent('a template that is interrupted', () => {
  test.each(Object.entries(LONG))('%s', { timeout: 60_000 }, async (_, template) => {
    expect(await interrupted(template)).toMatch(/^begins\n.*the template was interrupted.*\nheard\n$/s)
  })
})

/** What the program says when it is interrupted, again and again until it ends. */
function interrupted(template: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, template], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    let again: NodeJS.Timeout | undefined
    child.stdout.on('data', (chunk) => {
      said += chunk
      if (said === 'begins\n') again = setTimeout(() => child.kill('SIGINT'), 4000)
    })
    const late = setTimeout(() => child.kill('SIGKILL'), 40_000)
    child.on('close', () => {
      clearTimeout(again)
      clearTimeout(late)
      resolve(said)
    })
  })
}
