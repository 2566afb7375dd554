// For the build: the tables of native modules → the same tables, in which a module's own file is loaded when the module is first looked at.
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const TABLES = ['table', 'system-table', 'further-table'].map((name) => resolve(`src/modules/${name}.ts`))
const IMPORT = /^import (\w+) from '(\.\/[^']+)'$/gm

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

/** The names of each module by its file, asked of the modules themselves. */
async function namesOf(options, folder) {
  const files = TABLES.flatMap((table) => [...readFileSync(table, 'utf8').matchAll(IMPORT)].map(([, , path]) => join(dirname(table), path)))
  const contents = files.map((file, i) => `export { default as module${i} } from '${file}'`).join('\n')
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
  return new Map(files.map((file, i) => [file, namesIn(modules[`module${i}`])]))
}

const namesIn = ({ name, aliases = [] }) => ({ name, aliases })
