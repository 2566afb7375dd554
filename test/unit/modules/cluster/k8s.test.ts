import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  mkdirSync(join(folder, 'bin'))
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'api-server.mjs')}' "$@"\n`
  writeFileSync(join(folder, 'bin/kubectl'), program, { mode: 0o755 })
})
afterEach(() => rmSync(folder, { recursive: true }))

const cluster = (): string => join(folder, 'cluster.json')
const stored = (): JsonObject[] => (existsSync(cluster()) ? JSON.parse(readFileSync(cluster(), 'utf8')) : [])
const store = (...objects: JsonObject[]): void => writeFileSync(cluster(), JSON.stringify(objects))
const settings = (more: object = {}) => ({ path: `${folder}/bin:${process.env.PATH}`, env: { CLUSTER: cluster() }, ...more })

const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' }, data: { x: '1' } }

describe.each([['dash'], ['bash'], ['busybox sh']])('k8s in %s', (name) => {
  const shell = name.split(' ')
  const k8s = (args: JsonObject, more: object = {}) => runModule('kubernetes.core.k8s', args, settings({ shell, ...more }))

  test('creates, leaves alone, merges, replaces, deletes', async () => {
    expect((await k8s({ definition: map }, { check: true })).result).toMatchObject({ changed: true, method: 'create' })
    expect(stored()).toEqual([])
    expect((await k8s({ definition: map })).result).toMatchObject({ changed: true, method: 'create', result: { data: { x: '1' } } })
    expect((await k8s({ definition: map })).result).toMatchObject({ changed: false, method: 'update', result: { data: { x: '1' } } })
    const more = { ...map, data: { y: "it's $HOME\n" } }
    expect((await k8s({ definition: more }, { check: true })).result).toMatchObject({
      changed: true,
      result: { data: { x: '1', y: "it's $HOME\n" } },
    })
    expect((await k8s({ definition: more })).result).toMatchObject({ changed: true, method: 'update' })
    expect(stored()).toMatchObject([{ data: { x: '1', y: "it's $HOME\n" } }])
    expect((await k8s({ definition: map, force: true })).result).toMatchObject({ changed: true, method: 'replace' })
    expect(stored()).toHaveLength(1)
    expect((await k8s({ definition: map, apply: true })).result).toMatchObject({ changed: false, method: 'apply' })
    const gone = { kind: 'ConfigMap', name: 'a', namespace: 'n', state: 'absent' }
    expect((await k8s(gone, { check: true })).result).toMatchObject({ changed: true, method: 'delete' })
    expect((await k8s(gone)).result).toMatchObject({ changed: true, method: 'delete', result: { status: 'Success' } })
    expect(stored()).toEqual([])
    expect((await k8s(gone)).result).toMatchObject({ changed: false, method: 'delete', result: {} })
  })

  test.runIf(name === 'dash')('several documents of a text, and a kind that is not there', async () => {
    const text = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n---\n---\nkind: ConfigMap\nmetadata: {name: b}\n'
    const { result } = await k8s({ resource_definition: text, namespace: 'n' })
    expect(result).toMatchObject({ changed: true, result: { results: [{ method: 'create' }, { method: 'create' }] } })
    expect(stored()).toMatchObject([{ metadata: { name: 'n' } }, { metadata: { name: 'b', namespace: 'n' } }])
    expect((await k8s({ kind: 'Nothing', name: 'x' })).result).toMatchObject({ failed: true })
    expect((await k8s({ kind: 'ConfigMap', name: 'x', state: 'patched' })).result).toMatchObject({ changed: false, failed: false })
  })
})

test('k8s names content by its hash, as kustomize does', async () => {
  const { result } = await runModule('k8s', { definition: { ...map, data: {} }, append_hash: true }, settings())
  expect(result).toMatchObject({ result: { metadata: { name: expect.stringMatching(/^a-[2-9bcdfghkmt]{10}$/) } } })
})

test('k8s_info', async () => {
  store(map, { ...map, metadata: { name: 'b', namespace: 'm', labels: { app: 'w' } } })
  const info = (args: JsonObject) => runModule('k8s_info', { kind: 'ConfigMap', ...args }, settings())
  expect((await info({})).result).toMatchObject({
    changed: false,
    api_found: true,
    resources: [{ kind: 'ConfigMap', apiVersion: 'v1' }, {}],
  })
  expect((await info({ name: 'a' })).result).toMatchObject({ resources: [map] })
  expect((await info({ name: 'none', namespace: 'n' })).result.resources).toEqual([])
  expect((await info({ label_selectors: ['app=w'], kind: 'cm' })).result).toMatchObject({ resources: [{ metadata: { name: 'b' } }] })
  expect((await info({ api_version: 'x.y/v1' })).result).toMatchObject({ api_found: false, resources: [] })
})

test('k8s_scale', async () => {
  store({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'n' }, spec: { replicas: 1 } })
  const args = { kind: 'Deployment', api_version: 'apps/v1', name: 'd', namespace: 'n', replicas: 3, wait: false }
  expect((await runModule('k8s_scale', { ...args, current_replicas: 2 }, settings())).result).toMatchObject({ changed: false })
  expect((await runModule('k8s_scale', args, settings({ check: true }))).result).toMatchObject({ changed: true })
  expect((await runModule('k8s_scale', args, settings())).result).toMatchObject({ changed: true, result: { spec: { replicas: 3 } } })
  expect((await runModule('k8s_scale', args, settings())).result).toMatchObject({ changed: false })
})

test('k8s_exec', async () => {
  const args = { namespace: 'n', pod: 'p', container: 'c', command: "sh -c 'echo a; b'" }
  expect((await runModule('k8s_exec', args, settings())).result).toMatchObject({ changed: true, rc: 0, stdout: 'p|sh|echo a; b\n' })
  expect((await runModule('k8s_exec', { ...args, command: 'false' }, settings())).result).toMatchObject({ rc: 3, failed: false })
})

test('k8s_drain', async () => {
  store({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node1' } })
  const drain = async (state: string, check = false) =>
    (await runModule('k8s_drain', { name: 'node1', state }, settings({ check }))).result.changed
  expect([await drain('uncordon'), await drain('cordon', true), await drain('cordon'), await drain('cordon')]).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect([await drain('drain'), await drain('uncordon'), await drain('drain')]).toEqual([false, true, true])
  expect((await runModule('k8s_drain', { name: 'none' }, settings())).result).toMatchObject({ failed: true })
})

test('a host without kubectl says so', async () => {
  writeFileSync(join(folder, 'sh'), '')
  expect((await runModule('k8s_info', { kind: 'Pod' }, { shell: ['/bin/dash'], path: join(folder, 'none') })).result).toMatchObject({
    failed: true,
    msg: 'Failed to find required executable "kubectl" in paths',
  })
})

describe('helm', () => {
  const chart = 'printf "name: web\\nversion: 1.0\\n"'
  const release = '[{"name":"w","namespace":"n","revision":"1","status":"deployed","chart":"web-1.0","app_version":"2"}]'
  const helm = (there: boolean, values = '{"a":1}') =>
    writeFileSync(
      join(folder, 'bin/helm'),
      `#!/bin/sh\necho "$HELM_NAMESPACE: $*" >>'${folder}/log'\ncase "$1 $2" in\n"list "*) echo '${there ? release : '[]'}' ;;\n"get values") echo '${values}' ;;\n"show chart") ${chart} ;;\n"repo list") [ -f '${folder}/repos' ] && cat '${folder}/repos' || exit 1 ;;\n"upgrade -i") cat >'${folder}/values' ;;\nesac\n`,
      { mode: 0o755 },
    )
  const args = { name: 'w', namespace: 'n', chart_ref: 'repo/web', values: { a: 1 } }

  test('installs with values from stdin', async () => {
    helm(false)
    expect((await runModule('helm', args, settings({ check: true }))).result).toMatchObject({ changed: true })
    expect(existsSync(join(folder, 'values'))).toBe(false)
    const { result } = await runModule('helm', { ...args, wait: true, create_namespace: true }, settings())
    expect(result).toMatchObject({ changed: true, command: 'helm upgrade -i --wait --create-namespace --values=- w repo/web' })
    expect(readFileSync(join(folder, 'values'), 'utf8')).toBe('{"a": 1}')
    expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('n: upgrade -i')
  })

  test('leaves a release alone that is as it should be', async () => {
    helm(true)
    expect((await runModule('helm', args, settings())).result).toMatchObject({
      changed: false,
      status: { chart: 'web-1.0', values: { a: 1 } },
    })
    expect((await runModule('helm', { ...args, values: { a: 2 } }, settings())).result).toMatchObject({ changed: true })
    expect((await runModule('helm', { name: 'w', namespace: 'n', state: 'absent' }, settings())).result).toMatchObject({
      changed: true,
      command: 'helm uninstall w',
    })
    expect((await runModule('helm_info', { name: 'w', namespace: 'n' }, settings())).result).toMatchObject({ status: { values: { a: 1 } } })
  })

  test('a release that is not there', async () => {
    helm(false)
    expect((await runModule('helm', { name: 'w', namespace: 'n', state: 'absent' }, settings())).result).toMatchObject({ changed: false })
    expect((await runModule('helm_info', { name: 'w', namespace: 'n' }, settings())).result).toEqual({ changed: false, failed: false })
  })

  test('repositories', async () => {
    helm(true)
    const repo = { name: 'r', repo_url: 'https://charts.example' }
    expect((await runModule('helm_repository', repo, settings())).result).toMatchObject({
      changed: true,
      command: 'helm repo add r https://charts.example',
    })
    writeFileSync(join(folder, 'repos'), '[{"name":"r","url":"https://charts.example"}]')
    expect((await runModule('helm_repository', repo, settings())).result).toMatchObject({ changed: false })
    expect((await runModule('helm_repository', { name: 'r', state: 'absent' }, settings())).result).toMatchObject({ changed: true })
    expect((await runModule('helm_repository', { name: 'q', state: 'absent' }, settings())).result).toMatchObject({ changed: false })
  })
})
