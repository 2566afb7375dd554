/** make: runs targets of a makefile that are not up to date. */
import { asText, dict, int, list, path, required, str } from '../../params/index.ts'
import { quote, type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { outputs } from '../files/lines.ts'

export default defineModule({
  name: 'community.general.make',
  summary: 'Runs targets of a makefile.',
  params: {
    chdir: required(path({ description: 'folder of the makefile' })),
    file: path({ description: 'the makefile' }),
    jobs: int({ description: 'how many jobs run at once' }),
    make: path({ description: 'the make program' }),
    params: dict({ description: 'variables' }),
    target: str({ description: 'what to make' }),
    targets: list('str', { description: 'what to make, one after the other' }),
  },
  rules: { mutuallyExclusive: [['target', 'targets']] },
  async *run(args, host) {
    const wanted = args.targets ?? (args.target === undefined ? [] : [args.target])
    const program = args.make ?? ''
    const find = args.make === undefined ? sh`m=$(command -v gmake) || m=$(command -v make) || exit 93` : sh`m=${program}`
    const variables = [...(args.params ?? [])].map(([key, value]) => (value === null ? asText(key) : `${asText(key)}=${asText(value)}`))
    const words = [
      ...(args.jobs === undefined ? [] : ['-j', String(args.jobs)]),
      ...(args.file === undefined ? [] : ['-f', args.file]),
      ...wanted,
      ...variables,
    ]
    const call = (more: readonly string[]): Script => sh`${find}
cd -- ${args.chdir} || exit 94
printf '%s\036' "$m"; exec "$m" ${[...words, ...more]} </dev/null`
    const asked = await host.look(call(['--question']), { onFailure: 'tell' })
    if (asked.code === 93) throw new ModuleFailure('Failed to find required executable "make" in paths')
    if (asked.code === 94) throw new ModuleFailure(`the folder ${args.chdir} does not exist`)
    const told = (out: string, err: string, changed: boolean) => {
      const [found = '', stdout = ''] = out.split('\u001e')
      const command = [found, ...words].map(quote).join(' ')
      return {
        changed,
        failed: false,
        stdout: stdout.replace(/[\r\n]+$/, ''),
        stderr: err.replace(/[\r\n]+$/, ''),
        target: args.target ?? null,
        targets: args.targets ?? null,
        params:
          variables.length > 0 ? Object.fromEntries([...args.params!].map(([k, v]) => [asText(k), v === null ? null : asText(v)])) : null,
        chdir: args.chdir,
        file: args.file ?? null,
        jobs: args.jobs ?? null,
        command,
      }
    }
    /** As of any command that must not fail. */
    const failed = (out: string, err: string, rc: number): ModuleFailure => {
      const [found = '', stdout = ''] = out.split('\u001e')
      return new ModuleFailure(err.trimEnd(), { cmd: [found, ...words].map(quote).join(' '), rc, ...outputs(stdout, err) })
    }
    if (asked.code === 0) return told(textOf(asked.stdout), textOf(asked.stderr), false)
    const done = yield { what: 'target', script: call([]), onFailure: 'tell' }
    if (!done) return told(textOf(asked.stdout), textOf(asked.stderr), true)
    if (done.code !== 0) throw failed(textOf(done.stdout), textOf(done.stderr), done.code)
    return told(textOf(done.stdout), textOf(done.stderr), true)
  },
})
