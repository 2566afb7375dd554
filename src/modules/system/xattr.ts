/** xattr: reads extended attributes of a file, or makes one be there with a value or be gone. */
import { bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { mustSucceed, useTool } from './tools.ts'

export default defineModule({
  name: 'community.general.xattr',
  summary: 'Manages extended attributes of files.',
  params: {
    follow: fallback(bool(), true),
    key: str({ description: 'name of the attribute' }),
    namespace: fallback(str({ description: 'namespace of the name' }), 'user'),
    path: required(path({ aliases: ['name'] })),
    state: choice(['absent', 'all', 'keys', 'present', 'read'], 'read'),
    value: str(),
  },
  async *run(args, host) {
    if (args.key === undefined && (args.state === 'absent' || args.state === 'present'))
      throw new ModuleFailure(`${args.state} needs a key parameter`)
    const key = keyOf(args.key, args.namespace)
    const links = args.follow ? [] : ['-h']
    const read = (words: readonly string[]): ReturnType<typeof attributes> => attributes(host, args.path, [...links, ...words])
    if (args.state === 'keys' && args.value === undefined) return { changed: false, msg: 'returning all keys', xattr: await read([]) }
    if (args.state === 'all' && args.value === undefined) return { changed: false, msg: 'dumping all', xattr: await read(['-d']) }
    const now = await read(key === undefined ? ['-d'] : ['-n', key])
    const present = args.state === 'present' || args.value !== undefined
    if (!present && args.state === 'read') return { changed: false, msg: `returning ${key ?? 'None'}`, xattr: now }
    const changed = present ? now[key!] !== args.value : Object.hasOwn(now, key!)
    if (changed) {
      const words = ['setfattr', ...links, ...(present ? ['-n', key!, '-v', args.value ?? ''] : ['-x', key!]), args.path]
      mustSucceed(yield* useTool('attribute', words), words)
    }
    return { changed, msg: present ? `${key} set to ${args.value}` : `${key} removed`, xattr: now }
  },
})

const keyOf = (key: string | undefined, namespace: string): string | undefined =>
  key === undefined || namespace === '' || (namespace === 'user' && key.startsWith('user.')) ? key : `${namespace}.${key}`

async function attributes(host: Host, file: string, words: readonly string[]): Promise<Record<string, string>> {
  const told = await host.look(
    sh`command -v getfattr >/dev/null || exit 93
[ -e ${file} ] || exit 94
getfattr --absolute-names ${words} -- ${file} 2>/dev/null; :`,
    { onFailure: 'tell' },
  )
  if (told.code === 93) throw new ModuleFailure('Failed to find required executable "getfattr" in paths')
  if (told.code !== 0) throw new ModuleFailure('path not found or not accessible!')
  const lines = textOf(told.stdout).split('\n')
  return Object.fromEntries(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.indexOf('=')
        return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^"+|"+$/g, '')]
      }),
  )
}
