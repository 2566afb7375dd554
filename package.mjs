// npm run package: one executable that needs neither Node nor npm, with playbooks and roles inside, in package/.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { modulesLater } from './build-later.mjs'

/** Node looks for it to find what was put into it. https://nodejs.org/api/single-executable-applications.html */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const CONTENT = ['playbooks', 'roles', 'inventory']

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const folder = 'package'
const work = join(folder, `.${process.pid}`)
const name = `tsspray-${process.platform}-${process.arch}`
requireWholeNode()
mkdirSync(work, { recursive: true })
try {
  await bundle()
  const files = CONTENT.flatMap(filesBelow)
  writeFileSync(join(work, 'content.json'), JSON.stringify(files))
  const main = join(work, 'program.cjs')
  const output = join(work, 'program.blob')
  const assets = { content: join(work, 'content.json') }
  writeFileSync(join(work, 'sea.json'), JSON.stringify({ main, output, assets, disableExperimentalSEAWarning: true, useCodeCache: true }))
  execFileSync(process.execPath, ['--experimental-sea-config', join(work, 'sea.json')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const made = join(work, name)
  copyFileSync(process.execPath, made)
  chmodSync(made, 0o755)
  execFileSync(process.execPath, ['node_modules/postject/dist/cli.js', made, 'NODE_SEA_BLOB', output, '--sentinel-fuse', FUSE], {
    // it complains of names of sections that no one misses
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const told = execFileSync(made, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  if (told !== `tsspray ${version}`) throw new Error(`the executable says of itself: ${told}`)
  renameSync(made, join(folder, name))
  console.log(`${join(folder, name)}: ${Math.round(statSync(join(folder, name)).size / 1e6)} MB, ${files.length} files inside`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function bundle() {
  const common = {
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    loader: { '.py': 'text', '.njk': 'text', '.client.js': 'text' },
    define: {
      TSSPRAY_VERSION: JSON.stringify(version),
      TSSPRAY_PACKED: 'true',
      'import.meta.dirname': '__dirname',
      'import.meta.url': '__filename',
    },
    logLevel: 'error',
  }
  await build({
    ...common,
    entryPoints: { program: 'src/cli/packed.ts' },
    outdir: work,
    outExtension: { '.js': '.cjs' },
    plugins: [await modulesLater(common, work), { name: 'whole', setup: whole }],
  })
}

/**
 * What is asked for when it is needed cannot be looked up beside the executable: it goes inside. What ssh2 and nunjucks do without (compiled parts, a
 * watcher of files) is said to be missing, as they find it without a compiler.
 */
function whole(plugin) {
  plugin.onResolve({ filter: /\.node$|^(?:cpu-features|chokidar)$/ }, ({ path }) => ({ path, namespace: 'absent' }))
  plugin.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({ contents: `throw new Error('${path} is not here')` }))
  plugin.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
    const named = text.replace(/createRequire\(import\.meta\.url\)\('(?!node:)([\w-]+)'\)/g, "require('$1')")
    return named === text ? undefined : { contents: named, loader: 'ts' }
  })
}

/** As src/cli/shipped.ts reads them. */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    if (entry.isSymbolicLink()) return [[path, readlinkSync(path)]]
    return [[path, statSync(path).mode & 0o100 ? 0o755 : 0o644, readFileSync(path, 'base64')]]
  })
}

/** A Node whose own library lies beside it (as some distributions build it) would not run elsewhere. */
function requireWholeNode() {
  if (!readFileSync(process.execPath).includes(FUSE)) {
    throw new Error(`${process.execPath} is not a whole Node: the package needs one as nodejs.org builds it`)
  }
}
