// For the build: tables of native modules, filters, tests and lookups → the same tables, of which a part is loaded when it is first looked at.
import { readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const TABLES = ['table', 'system-table', 'further-table'].map((name) => resolve(`src/modules/${name}.ts`))
const IMPORT = /^import (\w+) from '(\.\/[^']+)'$/gm

/** What no listing takes: a run's walk, connections, the modules' own files, other commands. */
const OF_RUNS = [/\/src\/engine\/run\.ts$/, /\/src\/(?:connect|python|facts|lint)\/index\.ts$/, /\/commands\/(?!playbook)[\w-]+\.ts$/]

/** In the place of those: asked for anything, it gives what can be made but does nothing, and fails when it is called. */
const NOT_HERE = `
const absent = (name) => function () { throw new Error(name + ' is no part of listings') }
class Nothing {}
const made = { createPool: () => ({ session: absent('session'), closeAll: async () => {} }), Spill: Nothing }
module.exports = Object.create(new Proxy({}, { get: (_, name) => (name === '__esModule' ? true : made[name] ?? absent(String(name))) }))
`

/** A plugin for esbuild: what only runs take is left out. */
export const listingOnly = {
  name: 'listing-only',
  setup(plugin) {
    plugin.onResolve({ filter: /\.ts$/ }, ({ path, importer, kind }) => {
      const file = resolve(dirname(importer), path)
      const isModule = kind === 'require-call' && TABLES.includes(importer)
      return isModule || (kind !== 'entry-point' && OF_RUNS.some((pattern) => pattern.test(file)))
        ? { path: file, namespace: 'not-here' }
        : undefined
    })
    plugin.onLoad({ filter: /.*/, namespace: 'not-here' }, () => ({ contents: NOT_HERE, loader: 'js' }))
  },
}

/** What stands for a module: its names are known, for the rest it is loaded. */
const LATER = `
function later(known, load) {
  return new Proxy({}, {
    get: (_, key) => (Object.hasOwn(known, key) ? known[key] : load()[key]),
    ownKeys: () => Reflect.ownKeys(load()),
    getOwnPropertyDescriptor: (_, key) => ({ ...Reflect.getOwnPropertyDescriptor(load(), key), configurable: true }),
  })
}
`

/** What stands for a table: it is loaded when something in it is asked for. */
const tableLater = (name, file) => `
let table
const all = () => (table ??= require('${file}').${name})
export const ${name} = {
  get: (key) => all().get(key),
  has: (key) => all().has(key),
  keys: () => all().keys(),
  values: () => all().values(),
  entries: () => all().entries(),
  forEach: (work) => all().forEach(work),
  get size() { return all().size },
  [Symbol.iterator]: () => all()[Symbol.iterator](),
}
`

/** A plugin for esbuild: what templates can call is loaded with the first template that calls something. */
export const templateTablesLater = {
  name: 'template-tables-later',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.\/(?:filters|tests|lookups)\/index\.ts$/ }, ({ path, importer }) =>
      importer.endsWith('/template/templar.ts') ? { path: resolve(dirname(importer), path), namespace: 'table' } : undefined,
    )
    plugin.onLoad({ filter: /.*/, namespace: 'table' }, ({ path }) => ({
      loader: 'js',
      resolveDir: dirname(path),
      contents: tableLater(basename(dirname(path)).toUpperCase(), path),
    }))
  },
}

/** A plugin for esbuild; `options` are those of the build, `folder` is for a file in between. */
export async function modulesLater(options, folder) {
  const names = await namesOf(options, folder)
  return {
    name: 'modules-later',
    setup(plugin) {
      plugin.onLoad({ filter: /[\\/]modules[\\/][\w-]*table\.ts$/ }, ({ path }) => ({
        loader: 'ts',
        contents: withoutImports(path, names),
      }))
    },
  }
}

function withoutImports(table, names) {
  const text = readFileSync(table, 'utf8').replace(IMPORT, (_, local, path) => {
    const known = JSON.stringify(names.get(join(dirname(table), path)))
    return `const ${local} = later(${known}, () => require('${path}').default)`
  })
  return text + LATER
}

/** The names and outline of each module by its file, asked of the modules themselves. */
async function namesOf(options, folder) {
  const files = TABLES.flatMap((table) => [...readFileSync(table, 'utf8').matchAll(IMPORT)].map(([, , path]) => join(dirname(table), path)))
  const outline = `export { outlined } from '${resolve('src/modules/outline.ts')}'`
  const contents = [outline, ...files.map((file, i) => `export { default as module${i} } from '${file}'`)].join('\n')
  const outfile = resolve(folder, 'modules.mjs')
  await build({
    ...options,
    outdir: undefined,
    outfile,
    stdin: { contents, resolveDir: process.cwd() },
    format: 'esm',
    packages: 'external',
  })
  const modules = await import(pathToFileURL(outfile).href)
  rmSync(outfile)
  const knownOf = (module) => ({ name: module.name, aliases: module.aliases ?? [], outline: modules.outlined(module) })
  return new Map(files.map((file, i) => [file, knownOf(modules[`module${i}`])]))
}
