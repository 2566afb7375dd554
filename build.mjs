// Bundles src/ into dist/: the command line as one script with V8's compiled form of it beside; the library and the demo in chunks loaded when needed.
import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { listingOnly, modulesLater, templateTablesLater } from './build-later.mjs'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const fresh = `dist.${process.pid}.new`
const old = `dist.${process.pid}.old`
const common = {
  outdir: fresh,
  bundle: true,
  platform: 'node',
  target: 'node20',
  loader: { '.py': 'text', '.njk': 'text', '.client.js': 'text' },
  define: { TSSPRAY_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
}
const shebang = { js: '#!/usr/bin/env node' }
await build({
  ...common,
  entryPoints: { index: 'src/index.ts', demo: 'src/cli/demo.ts' },
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  splitting: true,
  packages: 'external',
  banner: shebang,
})
// Node starts a script sooner than a module
const script = {
  ...common,
  format: 'cjs',
  define: { ...common.define, 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
}
await build({ ...script, entryPoints: { main: 'src/cli/main.ts' }, banner: shebang, plugins: [{ name: 'program', setup: useProgram }] })
writeFileSync(`${fresh}/package.json`, '{"type":"commonjs"}\n')
const later = [await modulesLater(common, fresh), templateTablesLater]
// the second is the same program without all that only a run takes: what is not there need not be described to V8 at each start
for (const [name, plugins] of [
  ['program', later],
  ['listing', [listingOnly, ...later]],
]) {
  await build({
    ...script,
    entryPoints: { [name]: 'src/cli/dispatch.ts' },
    outExtension: { '.js': '.cjs' },
    external: ['ssh2', 'yaml', 'nunjucks'],
    plugins,
    // a function: src/cli/program.ts calls it
    banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
    footer: { js: '})' },
    // less to read at every start; the names stay, for errors tell them
    minifyWhitespace: true,
  })
  nameAlike(`${fresh}/${name}.cjs`)
  keepPlain(`${fresh}/${name}.cjs`)
}
keepCompiled('listing', ['playbooks/cluster.yml', '--list-tasks', '-i', 'inventory/sample/inventory.ini'])
keepCompiled('program', ['exec', 'localhost', '-i', 'localhost,', '-c', 'local', '-m', 'ansible.builtin.command', '-a', 'true'])
// swapped by rename, so that whoever runs the program meanwhile has a whole one
try {
  renameSync('dist', old)
} catch (error) {
  if (error.code !== 'ENOENT') throw error
}
renameSync(fresh, 'dist')
rmSync(old, { recursive: true, force: true })

/** In the bundle, main.ts loads the program as one script instead of its sources. */
function useProgram(plugin) {
  plugin.onResolve({ filter: /\/dispatch\.ts$/ }, () => ({ path: join(process.cwd(), 'src/cli/program.ts') }))
}

/** Each file is a function in an object under the file's name: under one name for all, these objects are of one kind, and V8 need not describe hundreds. */
function nameAlike(file) {
  const inObject = /(\b__(?:esm|commonJS)\(\{(?:async )?)"[^"]+"\(/g
  writeFileSync(file, readFileSync(file, 'utf8').replace(inObject, '$1file('))
}

/** Escapes what esbuild leaves as it is (in patterns), so that the program is read byte by byte. */
function keepPlain(file) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, escaped))
}

/** Runs the program once, so that the compiled form holds the functions it needs; without it the program only starts slower. */
function keepCompiled(name, args) {
  const env = { ...process.env, TSSPRAY_JOURNAL: 'no', TSSPRAY_KEEP_COMPILED: join(process.cwd(), fresh, `${name}.v8`) }
  const { status } = spawnSync(process.execPath, [`${fresh}/main.js`, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) console.warn(`the compiled form of the ${name} was not kept`)
}
