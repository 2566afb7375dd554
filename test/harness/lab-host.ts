/** Runs one module on a host over ssh as the engine would, for tries at the keyboard: `host module key=value…` or `host module {json}`; --check, --diff. */
import { execFileSync } from 'node:child_process'
import { fromJson, type JsonObject, type Value } from '../../src/base/index.ts'
import { smallFacts } from '../../src/facts/index.ts'
import { runModule } from './local-host.ts'

const [shell = '', module = '', ...words] = process.argv.slice(2)
const flags = words.filter((word) => word.startsWith('--'))
const rest = words.filter((word) => !word.startsWith('--'))
const args: JsonObject = rest[0]?.startsWith('{')
  ? (JSON.parse(rest[0]) as JsonObject)
  : Object.fromEntries(rest.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]))

const argv = shell.split(' ')
const small = execFileSync(argv[0]!, [...argv.slice(1), '-c', smallFacts.script.text, 'sh'], { encoding: 'utf8' })
const facts = Object.fromEntries(Object.entries(smallFacts.parse(small)).map(([name, value]) => [name, fromJson(value) as Value]))
const started = Date.now()
const ran = await runModule(module, args, { shell: argv, facts, check: flags.includes('--check'), diff: flags.includes('--diff') })
console.log(JSON.stringify(ran.result, null, 1))
console.error(`looks ${ran.looks}, changes ${ran.changes.join(' ') || 'none'}, ${Date.now() - started} ms`)
