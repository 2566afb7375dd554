import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { patchJson } from '../../../../src/modules/cluster/json-patch.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  mkdirSync(join(folder, 'bin'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const settings = (more: object = {}) => ({ path: `${folder}/bin:${process.env['PATH']}`, ...more })
const run = async (module: string, args: JsonObject, more: object = {}) =>
  (await runModule(`kubernetes.core.${module}`, args, settings(more))).result

/** A program that tells what was recorded for the words it is called with, and writes the words of others down. */
function recorded(name: string, answers: Readonly<Record<string, string>>): void {
  const cases = Object.entries(answers).map(([words, answer], i) => {
    writeFileSync(at(`answer${i}`), answer)
    return `'${words}') cat '${at(`answer${i}`)}'; exit 0 ;;`
  })
  writeFileSync(
    at(`bin/${name}`),
    `#!/bin/sh\ncase "$*" in\n${cases.join('\n')}\n"get --raw"*) echo nothing >&2; exit 1 ;;\nesac\nfor w; do printf '[%s]' "$w" >>'${at('log')}'; done; echo >>'${at('log')}'\n`,
  )
  chmodSync(at(`bin/${name}`), 0o755)
}
const calls = (): string[] => {
  const text = readFileSync(at('log'), 'utf8').trim().split('\n')
  rmSync(at('log'))
  return text
}

const list = (...items: object[]): string => JSON.stringify({ items })
const core = JSON.stringify({
  resources: [
    { name: 'nodes', kind: 'Node', namespaced: false, singularName: 'node', shortNames: ['no'] },
    { name: 'pods', kind: 'Pod', namespaced: true, singularName: 'pod' },
    { name: 'pods/log', kind: 'Pod', namespaced: true },
    { name: 'configmaps', kind: 'ConfigMap', namespaced: true },
  ],
})
const apps = JSON.stringify({
  resources: [
    { name: 'deployments', kind: 'Deployment', namespaced: true },
    { name: 'replicasets', kind: 'ReplicaSet', namespaced: true },
  ],
})

test('k8s_taint', async () => {
  const node = { metadata: { name: 'n' }, spec: { taints: [{ key: 'a', effect: 'NoSchedule', value: '1' }] } }
  recorded('kubectl', { 'get --raw /api/v1': core, 'get --raw /api/v1/nodes?fieldSelector=metadata.name%3Dn': list(node) })
  const taint = (taints: JsonObject[], more: JsonObject = {}, options: object = {}) =>
    run('k8s_taint', { name: 'n', taints, ...more }, options)
  expect(await taint([{ key: 'a', effect: 'NoSchedule', value: '1' }])).toMatchObject({ changed: false })
  expect(await taint([{ key: 'b', effect: 'NoExecute' }], {}, { check: true })).toMatchObject({ changed: true })
  expect(await taint([{ key: 'b', effect: 'NoExecute' }])).toMatchObject({ changed: true })
  expect(calls()).toEqual([
    '[patch][node][n][--type=merge][-p][{"spec":{"taints":[{"key":"a","effect":"NoSchedule","value":"1"},{"key":"b","effect":"NoExecute"}]}}][-o][json]',
  ])
  expect(await taint([{ key: 'b', effect: 'NoExecute' }], { replace: true })).toMatchObject({ changed: true })
  expect(calls()[0]).toContain('{"spec":{"taints":[{"key":"b","effect":"NoExecute"}]}}')
  expect(await taint([{ key: 'a' }], { state: 'absent' })).toMatchObject({ changed: true })
  expect(calls()[0]).toContain('{"spec":{"taints":[]}}')
  expect(await taint([{ key: 'c' }], { state: 'absent' })).toMatchObject({ changed: false })
})

test('k8s_json_patch', async () => {
  const map = { metadata: { name: 'm', namespace: 'n' }, data: { x: '1' } }
  recorded('kubectl', { 'get --raw /api/v1': core, 'get --raw /api/v1/namespaces/n/configmaps?fieldSelector=metadata.name%3Dm': list(map) })
  const args = { kind: 'ConfigMap', name: 'm', namespace: 'n' }
  expect(await run('k8s_json_patch', { ...args, patch: [{ op: 'add', path: '/data/x', value: '1' }] })).toMatchObject({ changed: false })
  const patch = [{ op: 'replace', path: '/data/x', value: "2'$(x)" }]
  expect(await run('k8s_json_patch', { ...args, patch }, { check: true })).toMatchObject({
    changed: true,
    result: { data: { x: "2'$(x)" } },
  })
  expect(await run('k8s_json_patch', { ...args, patch })).toMatchObject({ changed: true })
  expect(calls()).toEqual([`[patch][ConfigMap.v1.][m][--namespace=n][--type=json][-p][${JSON.stringify(patch)}]`])
  expect(await run('k8s_json_patch', { ...args, patch: [{ op: 'remove', path: '/data/y' }] })).toMatchObject({ failed: true })
})

describe('operations of a patch', () => {
  const cases: readonly (readonly [JsonObject, JsonObject | undefined])[] = [
    [
      { op: 'add', path: '/l/0', value: 0 },
      { l: [0, 1, 2], o: { a: 1 } },
    ],
    [
      { op: 'add', path: '/l/-', value: 3 },
      { l: [1, 2, 3], o: { a: 1 } },
    ],
    [
      { op: 'remove', path: '/l/1' },
      { l: [1], o: { a: 1 } },
    ],
    [
      { op: 'move', from: '/o/a', path: '/b~1c' },
      { l: [1, 2], o: {}, 'b/c': 1 },
    ],
    [
      { op: 'copy', from: '/l', path: '/o/a' },
      { l: [1, 2], o: { a: [1, 2] } },
    ],
    [
      { op: 'test', path: '/o', value: { a: 1 } },
      { l: [1, 2], o: { a: 1 } },
    ],
    [{ op: 'test', path: '/o', value: { a: 2 } }, undefined],
    [{ op: 'replace', path: '/none', value: 1 }, undefined],
    [{ op: 'add', path: '/l/9', value: 1 }, undefined],
  ]
  test.each(cases)('%j', (operation, result) => {
    const value = { l: [1, 2], o: { a: 1 } }
    if (result) expect(patchJson(value, [operation])).toEqual(result)
    else expect(() => patchJson(value, [operation])).toThrow(/conflict/)
  })
})

test('k8s_log', async () => {
  const pod = { metadata: { name: 'p', namespace: 'n' }, status: { containerStatuses: [{ name: 'c' }, { name: 'd' }] } }
  const owner = { metadata: { name: 'o', namespace: 'n' }, spec: { selector: { matchLabels: { app: 'x' } } } }
  recorded('kubectl', {
    'get --raw /api/v1': core,
    'get --raw /apis/apps/v1': apps,
    'get --raw /apis/apps/v1/namespaces/n/deployments?fieldSelector=metadata.name%3Do': list(owner),
    'get --raw /api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Dp': list(pod),
    'get --raw /api/v1/namespaces/n/pods?labelSelector=app%3Dx': list(pod),
    'get --raw /api/v1/namespaces/n/pods/p/log': 'one\ntwo',
    'get --raw /api/v1/namespaces/n/pods/p/log?container=c&tailLines=1': 'C',
    'get --raw /api/v1/namespaces/n/pods/p/log?container=d&tailLines=1': 'D',
  })
  expect(await run('k8s_log', { name: 'p', namespace: 'n' })).toMatchObject({ changed: false, log: 'one\ntwo', log_lines: ['one', 'two'] })
  expect(await run('k8s_log', { name: 'p', namespace: 'n', all_containers: true, tail_lines: 1 })).toMatchObject({ log: 'CD' })
  expect(await run('k8s_log', { api_version: 'apps/v1', kind: 'Deployment', name: 'o', namespace: 'n' })).toMatchObject({ log: 'one\ntwo' })
  expect(await run('k8s_log', { name: 'q', namespace: 'n' })).toMatchObject({ failed: true })
})

test('k8s_rollback', async () => {
  const revision = (number: string) => ({ annotations: { 'deployment.kubernetes.io/revision': number } })
  const deployment = { metadata: { name: 'd', namespace: 'n', ...revision('2') }, spec: { selector: { matchLabels: { app: 'x' } } } }
  const old = {
    metadata: revision('1'),
    spec: { template: { metadata: { labels: { app: 'x', 'pod-template-hash': 'h' } }, spec: { a: 1 } } },
  }
  recorded('kubectl', {
    'get --raw /apis/apps/v1': apps,
    'get --raw /apis/apps/v1/namespaces/n/deployments?fieldSelector=metadata.name%3Dd': list(deployment),
    'get --raw /apis/apps/v1/namespaces/n/replicasets?labelSelector=app%3Dx': list(old),
  })
  const args = { api_version: 'apps/v1', kind: 'Deployment', name: 'd', namespace: 'n' }
  const body = [
    { op: 'replace', path: '/spec/template', value: { metadata: { labels: { app: 'x' } }, spec: { a: 1 } } },
    { op: 'replace', path: '/metadata/annotations', value: { 'deployment.kubernetes.io/revision': '1' } },
  ]
  expect(await run('k8s_rollback', args, { check: true })).toMatchObject({
    changed: true,
    rollback_info: [{ changed: true, method: 'patch', body }],
  })
  expect(await run('k8s_rollback', args)).toMatchObject({ changed: true })
  expect(calls()).toEqual([`[patch][Deployment.v1.apps][d][--namespace=n][--type=json][-p][${JSON.stringify(body)}]`])
})

test('k8s_cp and k8s_cluster_info', async () => {
  const pod = { metadata: { name: 'p', namespace: 'n' }, spec: { containers: [{ name: 'c' }] } }
  recorded('kubectl', {
    'get --raw /api/v1': core,
    'get --raw /apis/apps/v1': apps,
    'get --raw /version': '{"gitVersion":"v1.30.0"}',
    'get --raw /apis': JSON.stringify({
      groups: [{ preferredVersion: { groupVersion: 'apps/v1' }, versions: [{ groupVersion: 'apps/v1' }] }],
    }),
    'version --client -o json': '{"clientVersion":{"gitVersion":"v1.31.0"}}',
    'config view --minify --raw -o json': '{"clusters":[{"cluster":{"server":"https://x"}}],"users":[]}',
    'get --raw /api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Dp': list(pod),
  })
  writeFileSync(at('f'), '')
  const args = { namespace: 'n', pod: 'p', remote_path: '/r', local_path: at('f') }
  expect(await run('k8s_cp', args)).toMatchObject({ changed: true, result: `${at('f')} successfully copied into remote Pod into /r` })
  expect(calls()).toEqual([`[cp][${at('f')}][n/p:/r]`])
  expect(await run('k8s_cp', { ...args, state: 'from_pod', container: 'c' })).toMatchObject({ changed: true })
  expect(calls()).toEqual([`[cp][--container=c][n/p:/r][${at('f')}]`])
  expect(await run('k8s_cp', { ...args, container: 'z' })).toMatchObject({ failed: true, msg: 'Pod has no container z' })
  expect(await run('k8s_cluster_info', {})).toMatchObject({
    changed: false,
    apis: { v1: { Node: { name: 'nodes', short_names: ['no'], namespaced: false } }, 'apps/v1': { Deployment: { preferred: true } } },
    connection: { host: 'https://x', verify_ssl: true },
    version: { client: '1.31.0', server: { kubernetes: { gitVersion: 'v1.30.0' } } },
  })
})

test('helm: plugins, charts and their objects', async () => {
  recorded('helm', { 'plugin list': 'NAME\tVERSION\tDESCRIPTION\ndiff\t3.1\tShows diffs\n', 'version --client --short': 'v3.2.0+g1\n' })
  expect(await run('helm_plugin_info', {})).toMatchObject({ plugin_list: [{ name: 'diff', version: '3.1', description: 'Shows diffs' }] })
  expect(await run('helm_plugin', { plugin_name: 'none', state: 'absent' })).toMatchObject({ changed: false })
  expect(await run('helm_plugin', { plugin_name: 'diff', state: 'absent' })).toMatchObject({
    changed: true,
    command: 'helm plugin uninstall diff',
  })
  expect(await run('helm_plugin', { plugin_path: 'https://x', plugin_version: '1' })).toMatchObject({ changed: true })
  expect(calls()).toEqual(['[plugin][uninstall][diff]', '[plugin][install][https://x][--version=1]'])
  const chart = { chart_ref: 'x/y', destination: folder, repo_url: 'https://r', repo_username: 'u', repo_password: "p'$(x)" }
  expect(await run('helm_pull', chart)).toMatchObject({
    changed: true,
    command: `helm pull x/y --repo https://r --username u --password ******** --destination ${folder}`,
  })
  expect(calls()[0]).toContain("[--password][p'$(x)]")
  expect(await run('helm_pull', { ...chart, skip_tls_certs_check: true })).toMatchObject({
    failed: true,
    msg: expect.stringContaining('requires helm >= 3.3.0'),
  })
  expect(
    await run('helm_template', { chart_ref: 'x/y', release_values: { a: 1 }, set_values: [{ value: 'b=2', value_type: 'string' }] }),
  ).toMatchObject({
    changed: true,
    command: 'helm template x/y -f=- --set-string b=2',
  })
})
