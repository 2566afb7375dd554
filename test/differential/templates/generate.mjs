// Writes generated.jsonl: what ansible-core makes of the generated templates. ANSIBLE_PYTHON: a Python that has ansible-core 2.18.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname
const { outputFiles } = await build({ entryPoints: [join(here, 'generated.ts')], bundle: true, write: false, format: 'esm', platform: 'node' })
const { generatedTemplates } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
const input = [...new Set(generatedTemplates(1, 3000))].map((t) => JSON.stringify({ m: 'text', t })).join('\n')
const done = spawnSync(process.env.ANSIBLE_PYTHON ?? 'python3', [join(here, 'record.py'), '-'], { input, encoding: 'utf8', maxBuffer: 2 ** 28 })
if (done.status !== 0) throw new Error(done.stderr)
writeFileSync(join(here, 'generated.jsonl'), done.stdout)
