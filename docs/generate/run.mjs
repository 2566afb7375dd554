/** Writes docs/reference anew: the modules, the schema of events; the manual and the exit codes. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const made = mkdtempSync(join(here, '.made-'))
try {
  const bundle = join(made, 'pages.mjs')
  await build({
    entryPoints: [join(here, 'pages.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    loader: { '.py': 'text', '.njk': 'text', '.client.js': 'text' },
  })
  const { pages, eventSchema, manual, exitCodes } = await import(pathToFileURL(bundle).href)
  const text = (name) => readFileSync(join(here, name), 'utf8')
  const folder = join(here, '../reference/modules')
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder)) rmSync(join(folder, file))
  for (const [name, page] of pages({ page: text('page.njk'), index: text('index.njk') })) writeFileSync(join(folder, name), page)
  writeFileSync(join(here, '../reference/events.schema.json'), eventSchema())
  const { version } = JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8'))
  writeFileSync(join(here, '../tsspray.1'), await manual(version))
  writeFileSync(join(here, '../exit-codes.md'), exitCodes())
} finally {
  rmSync(made, { recursive: true, force: true })
}
