/** kernel_blacklist: makes a kernel module be in a list of those that are not loaded by themselves, or not. */
import { choice, fallback, required, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { escapeRegex } from '../../template/index.ts'
import { defineModule } from '../api.ts'
import { lookAt } from './looking.ts'
import { writeText } from './write-text.ts'

export default defineModule({
  name: 'community.general.kernel_blacklist',
  summary: 'Manages kernel modules that are not loaded by themselves.',
  params: {
    blacklist_file: fallback(str({ description: 'the file with the list' }), '/etc/modprobe.d/blacklist-ansible.conf'),
    name: required(str()),
    state: choice(['absent', 'present'], 'present'),
  },
  async *run({ blacklist_file: file, name, state }, host) {
    const look = await lookAt(host, sh`f ${file}; e ${file}`)
    const before = look.section(`f:${file}`) ?? ''
    const lines = (before.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => line.trimEnd())
    const pattern = new RegExp(`^blacklist\\s+${escapeRegex(name)}$`)
    const listed = (line: string): boolean => pattern.test(line.trim())
    const settled = lines.some(listed) === (state === 'present')
    const next = settled ? lines : state === 'present' ? [...lines, `blacklist ${name}`] : lines.filter((line) => !listed(line))
    const result = { name, state, filename: file, is_blacklisted: state === 'present', lines: next }
    if (settled && look.exists(file)) return { changed: false, ...result }
    const text = next.map((line) => `${line}\n`).join('')
    // a file that is missing is made in any case
    yield { what: 'list', counts: !settled, diff: { before: { lines }, after: { lines: next } }, script: writeText(file, text) }
    return { changed: !settled, ...result, ...(host.diff ? { diff: { before: { lines }, after: { lines: next } } } : {}) }
  },
})
