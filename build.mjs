// Bundles src/ into dist/: one small entry for the command line, everything else in chunks loaded when they are needed.
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const fresh = `dist.${process.pid}.new`
const old = `dist.${process.pid}.old`
await build({
  entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts', demo: 'src/cli/demo.ts' },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  loader: { '.py': 'text' },
  banner: { js: '#!/usr/bin/env node' },
  define: { TSSPRAY_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
})
// swapped by rename, so that whoever runs the program meanwhile has a whole one
try {
  renameSync('dist', old)
} catch (error) {
  if (error.code !== 'ENOENT') throw error
}
renameSync(fresh, 'dist')
rmSync(old, { recursive: true, force: true })
