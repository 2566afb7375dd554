/** capabilities: makes a file have a capability of the kernel, or not. */
import { choice, required, str } from '../../params/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { askTool, useTool } from './tools.ts'

export default defineModule({
  name: 'community.general.capabilities',
  summary: 'Manages capabilities of files.',
  params: {
    capability: required(str({ aliases: ['cap'], description: 'the capability: cap_net_raw+ep; without operator where it is to be gone' })),
    path: required(str({ aliases: ['key'] })),
    state: choice(['absent', 'present'], 'present'),
  },
  async *run(args, host) {
    const file = args.path.trim()
    const present = args.state === 'present'
    const wanted = parse(args.capability.trim().toLowerCase(), present)
    const told = await askTool(host, ['getcap', '-v', file])
    if (told.rc !== 0 || told.stderr !== '')
      throw new ModuleFailure(`Unable to get capabilities of ${file}`, { stdout: told.stdout.trim(), stderr: told.stderr })
    const now = capabilitiesIn(told.stdout, file)
    const settled = present ? now.some((one) => spelled(one) === spelled(wanted)) : !now.some((one) => one.name === wanted.name)
    if (settled) return { changed: false, state: args.state }
    const others = now.filter((one) => one.name !== wanted.name)
    const next = present ? [...others, wanted] : others
    const done = yield* useTool('capability', ['setcap', next.map(spelled).join(' '), file])
    if (!done) return { changed: true, msg: 'capabilities changed' }
    if (done.rc !== 0) throw new ModuleFailure(`Unable to set capabilities of ${file}`, { stdout: done.stdout, stderr: done.stderr })
    return { changed: true, state: args.state, msg: 'capabilities changed', stdout: done.stdout }
  },
})

interface Capability {
  readonly name: string
  readonly operator: string
  readonly flags: string
}

const spelled = ({ name, operator, flags }: Capability): string => `${name}${operator}${flags}`

function parse(text: string, needsOperator = true): Capability {
  const operator = ['=', '-', '+'].find((one) => text.includes(one))
  if (operator === undefined) {
    if (needsOperator) throw new ModuleFailure("Couldn't find operator (one of: ('=', '-', '+'))")
    return { name: text, operator: '', flags: '' }
  }
  const [name = '', flags = ''] = text.split(operator)
  return { name, operator, flags }
}

/** `/file cap_a,cap_b=ep cap_c+i`, or `/file = cap_a+ep` as older ones print it */
function capabilitiesIn(stdout: string, file: string): Capability[] {
  const line = stdout.trim()
  if (line === file) return []
  const list = line.startsWith(`${file} = `) ? line.slice(file.length + 3) : line.slice(file.length + 1)
  return list
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((one) => {
      const { name, operator, flags } = parse(one.toLowerCase())
      return name.split(',').map((each) => ({ name: each, operator, flags }))
    })
}
