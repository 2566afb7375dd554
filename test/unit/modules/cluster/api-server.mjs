// A kubectl over a JSON file: enough of an API server to see what the modules ask for and what they write.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const file = process.env.CLUSTER
const store = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
const save = () => writeFileSync(file, JSON.stringify(store))
const flags = new Map()
const words = []
for (const word of process.argv.slice(2)) {
  const flag = /^--?([a-z-]+)(?:=(.*))?$/s.exec(word)
  if (flag && word.startsWith('-')) flags.set(flag[1], flag[2] ?? true)
  else words.push(word)
}
const kinds = {
  '/api/v1': [
    ['ConfigMap', 'configmaps', true, ['cm']],
    ['Node', 'nodes', false, ['no']],
    ['Pod', 'pods', true, ['po']],
    ['Namespace', 'namespaces', false, ['ns']],
  ],
  '/apis/apps/v1': [['Deployment', 'deployments', true, ['deploy']]],
}
const out = (value) => process.stdout.write(JSON.stringify(value))
const end = (code, text = '') => {
  process.stderr.write(text)
  process.exit(code)
}
const [verb, ...rest] = words
const stdin = () => JSON.parse(readFileSync(0, 'utf8'))
const merge = (a, b) => {
  if (typeof b !== 'object' || b === null || Array.isArray(b)) return b
  const result = { ...(typeof a === 'object' && a !== null ? a : {}) }
  for (const [k, v] of Object.entries(b)) v === null ? delete result[k] : (result[k] = merge(result[k], v))
  return result
}
const find = (o) => store.findIndex((x) => x.kind === o.kind && x.metadata.name === o.metadata.name && x.metadata.namespace === o.metadata.namespace)
const put = (object, before) => {
  const next = structuredClone(object)
  next.metadata.resourceVersion = String(Number(before?.metadata.resourceVersion ?? 0) + 1)
  if (flags.get('dry-run') !== 'server') {
    if (before) store[store.indexOf(before)] = next
    else store.push(next)
    save()
  }
  out(next)
}
const verbs = {
  get() {
    const [path, query = ''] = rest[0].split('?')
    if (path === '/version') return out({ major: '1' })
    if (kinds[path]) return out({ resources: kinds[path].map(([kind, name, namespaced, shortNames]) => ({ kind, name, namespaced, shortNames })) })
    const match = /^(\/api\/v1|\/apis\/apps\/v1)(?:\/namespaces\/([^/]+))?\/(\w+)$/.exec(path)
    if (!match) return end(1, 'the server could not find the requested resource')
    const kind = kinds[match[1]].find((one) => one[1] === match[3])[0]
    const asked = new URLSearchParams(query)
    const pairs = (key) => (asked.get(key) ?? '').split(',').filter(Boolean).map((one) => one.split('='))
    const items = store.filter(
      (o) =>
        o.kind === kind &&
        (!match[2] || o.metadata.namespace === match[2]) &&
        pairs('fieldSelector').every(([k, v]) => k.split('.').reduce((x, p) => x?.[p], o) === v) &&
        pairs('labelSelector').every(([k, v]) => o.metadata.labels?.[k] === v),
    )
    out({ kind: `${kind}List`, items: items.map(({ kind: _k, apiVersion: _a, ...o }) => o) })
  },
  create() {
    put(stdin())
  },
  replace() {
    const o = stdin()
    put(o, store[find(o)])
  },
  apply() {
    const o = stdin()
    const before = store[find(o)]
    put(merge(before, o), before)
  },
  patch() {
    const kind = rest[0].split('.')[0]
    const before = store[find({ kind, metadata: { name: rest[1], namespace: flags.get('namespace') } })]
    put(merge(before, flags.has('p') ? JSON.parse(rest[2]) : stdin()), before)
  },
  delete() {
    for (const name of rest.slice(1)) {
      const at = find({ kind: rest[0].split('.')[0], metadata: { name, namespace: flags.get('namespace') } })
      if (at >= 0) store.splice(at, 1)
    }
    save()
  },
  exec() {
    process.stdout.write(`${rest.join('|')}\n`)
    process.exit(rest.includes('false') ? 3 : 0)
  },
  cordon: () => mark(true),
  drain: () => mark(true),
  uncordon: () => mark(undefined),
}
const mark = (unschedulable) => {
  const node = store.find((o) => o.kind === 'Node' && o.metadata.name === rest[0])
  node.spec = { ...node.spec, unschedulable }
  save()
}
verbs[verb]()
