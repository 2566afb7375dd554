// Reports on standard input → the same without what differs from run to run.
import { readFileSync } from 'node:fs'

const text = readFileSync(0, 'utf8')
const CHANGING = new Set(['id', 'start', 'end', 'delta', '_timestamp', 'invocation', 'duration'])

const still = (value, key) =>
  Array.isArray(value)
    ? value.map((one) => still(one))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([name, one]) => !CHANGING.has(name) && !(name === 'msg' && value.unreachable === true))
            .map(([name, one]) => [name, still(one, name)]),
        )
      : key === 'path'
        ? value.replace(/^.*\/(?=(roles|[a-z]+\.yml))/, '')
        : value

if (process.argv[2] === 'lines') for (const line of text.trim().split('\n')) console.log(JSON.stringify(still(JSON.parse(line))))
else if (process.argv[2] === 'document') console.log(JSON.stringify(still(JSON.parse(text)), null, 1))
else
  console.log(
    text
      .replace(/[A-Z][a-z]+day \d.*\*/g, 'THEN')
      .replace(/-+ \d+\.\d\ds$/gm, '--- 0s')
      .replace(/\d+ seconds/g, '0 seconds')
      .replace(/time="[^"]*"/g, 'time="0"')
      .replace(/&quot;(delta|start|end)&quot;: &quot;.*&quot;/g, '"$1": "TIME"')
      .replace(/^[-\d]+ [:,\d]+ p=\d+ u=\S+ n=ansible/gm, 'LOGGED')
      .replace(/\{"changed": false, "msg": .*, "unreachable": true\}/g, 'WHY')
      .replace(/^fatal: .*$/gm, (line) => line.replace(/ => .*/, '')),
  )
