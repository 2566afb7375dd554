/** Two results of a task → the keys in which they differ, but for what differs from run to run. */

const VOLATILE = new Set(
  `invocation delta start end atime mtime ctime inode dev pid exception module_stdout module_stderr warnings deprecations stderr stderr_lines block_size blocks device_type version
  attributes attr_flags charset mimetype ansible_job_id results_file cache_update_time elapsed ssh_fingerprint date server last_modified connection
  discovered_interpreter_python access_time modification_time ansible_python_interpreter transfer_encoding keep_alive generation fingerprint uuid diff attempts`.split(/\s+/),
)

const mask = (text) =>
  text
    .replace(/\.\d+\.\d{4}-\d\d-\d\d@\d\d:\d\d:\d\d~/g, '.<backup>~')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>')
    .replace(/\S*(\.ansible\/tmp|ansible-tmp-|ansible_\w+_payload|\/tmp\/ansible|\/tmp\/tmp|\/dev\/shm|tsspray)\S*/g, '<tmp>')

/** What playbooks read of a unit. */
const UNIT = ['ActiveState', 'Description', 'FragmentPath', 'Id', 'LoadState', 'Names', 'SubState', 'Type', 'UnitFileState', 'WantedBy']

/** What apt says of its speed and of how many files there are. */
const NOISE = /^(Reading (package lists|state information)|Building dependency tree|Fetched |\(Reading database|Get:|Hit:|Selecting|Need to get|After this operation|debconf: delaying)/

function neutral(value) {
  if (typeof value === 'string')
    return mask(value)
      .split('\n')
      .filter((line) => !NOISE.test(line))
      .join('\n')
  if (Array.isArray(value)) return value.filter((one) => typeof one !== 'string' || !NOISE.test(one)).map(neutral)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([key]) => !VOLATILE.has(key) && !key.startsWith('_ansible'))
  const plain = Object.fromEntries(entries.map(([key, inner]) => [key, neutral(inner)]).sort(([a], [b]) => (a < b ? -1 : 1)))
  if (plain.status?.LoadState !== undefined) plain.status = Object.fromEntries(UNIT.map((key) => [key, plain.status[key]]))
  if (plain.state === 'directory' || plain.isdir === true) {
    delete plain.size
    delete plain.nlink
  }
  // walks of folders have no order
  for (const key of ['files', 'archived']) if (Array.isArray(plain[key])) plain[key] = plain[key].toSorted((a, b) => ((a.path ?? a) < (b.path ?? b) ? -1 : 1))
  if (plain.action === 'gather_facts' || plain.ansible_facts?.distribution !== undefined) delete plain.ansible_facts
  return plain
}

export function differences(theirs, ours) {
  const [a, b] = [neutral(theirs), neutral(ours)]
  if (a.failed === true && b.failed === true) delete a.msg, delete b.msg
  return compare(a, b, '')
}

function compare(a, b, path) {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) return a.flatMap((one, i) => compare(one, b[i], `${path}[${i}]`))
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object' || Array.isArray(a) || Array.isArray(b))
    return [`${path || '.'} is ${short(a)} there, ${short(b)} here`]
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => compare(a[key], b[key], path === '' ? key : `${path}.${key}`))
}

const short = (value) => {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 160 ? `${text.slice(0, 157)}…` : text
}

/** failed, skipped, changed or ok. */
export const statusOf = ({ failed, skipped, changed, unreachable }) =>
  unreachable ? 'unreachable' : failed ? 'failed' : skipped ? 'skipped' : changed ? 'changed' : 'ok'
