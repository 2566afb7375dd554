// Bundles src/ into dist/: one small entry for the command line, everything else in chunks loaded when they are needed.
import { readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts', demo: 'src/cli/demo.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  banner: { js: '#!/usr/bin/env node' },
  define: { TSSPRAY_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) },
  logLevel: 'warning',
})
