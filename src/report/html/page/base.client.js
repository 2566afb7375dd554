/** The data of the page, elements, numbers in words, and the dialog that shows what was said of a task on a host. */
window.report = { data: JSON.parse(document.getElementById('data').textContent), views: [] }
{
  const { report } = window
  const { data } = report

  report.STATUS = {
    o: ['ok', '✓'],
    c: ['changed', '~'],
    f: ['failed', '✗'],
    i: ['failed, ignored', '×'],
    s: ['skipped', '–'],
    u: ['unreachable', '!'],
  }

  /** el('p', { class: 'soft' }, 'text', child…): text stays text. */
  report.el = (name, attributes = {}, ...children) => {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
      else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value)
    }
    element.append(...children.filter((child) => child !== undefined))
    return element
  }
  const { el } = report

  report.duration = (ms) => {
    if (ms < 1000) return `${Math.round(ms)} ms`
    if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
    const seconds = Math.round(ms / 1000)
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    return `${h > 0 ? `${h} h ` : ''}${m} min ${s} s`
  }

  report.mark = (letter) => el('span', { class: `mark ${letter}` }, report.STATUS[letter][0])
  report.taskName = (task) => (task.isHandler ? `handler: ${task.name}` : task.name)

  /** The first items, and a button for those that follow. */
  report.paged = (parent, items, size, draw) => {
    let shown = 0
    const more = el('button', { type: 'button', class: 'more', onclick: () => next() })
    const holder = parent.closest?.('table') ?? parent
    const next = () => {
      parent.append(...items.slice(shown, shown + size).map(draw))
      shown = Math.min(items.length, shown + size)
      more.textContent = `Show ${Math.min(size, items.length - shown)} more of ${items.length}`
      more.hidden = shown >= items.length
    }
    next()
    queueMicrotask(() => holder.after(more))
  }

  const LINE_KINDS = [
    [/^(?:---|\+\+\+|@@)/, 'at'],
    [/^\+/, 'add'],
    [/^-/, 'del'],
  ]
  report.diff = (text) => {
    const lines = text.split('\n').map((line) => {
      const kind = LINE_KINDS.find(([pattern]) => pattern.test(line))?.[1] ?? 'same'
      return el('span', { class: kind }, line === '' ? '\u00a0' : line)
    })
    return el('pre', { class: 'diff', tabindex: '0', role: 'group', 'aria-label': 'difference' }, ...lines)
  }

  const block = (label, text, kind) =>
    text === undefined ? [] : [el('pre', { class: kind, tabindex: '0', role: 'group', 'aria-label': label }, text)]

  /** Everything that was kept of a result. */
  report.note = (note) => {
    const parts = []
    if (note.delegatedTo) parts.push(el('p', {}, `delegated to ${note.delegatedTo}`))
    parts.push(...block('message', note.message, 'message'))
    if (note.frame) parts.push(el('p', { class: 'soft' }, note.place), ...block('place in the file', note.frame, 'frame'))
    if (note.diff !== undefined) parts.push(report.diff(note.diff))
    parts.push(...block('result', note.result, 'result'))
    for (const item of note.items ?? []) parts.push(el('h3', {}, report.mark(item.letter), ` item ${item.label}`), ...report.note(item))
    return parts
  }

  const dialog = document.getElementById('detail')
  report.show = (title, ...parts) => {
    const close = el('form', { method: 'dialog' }, el('button', {}, 'Close'))
    dialog.replaceChildren(close, el('h2', { id: 'detail-title' }, title), ...parts)
    if (!dialog.open) dialog.showModal()
  }

  /** What came of a task on a host. */
  report.showCell = (task, host) => {
    const at = task.hosts.indexOf(host)
    if (at === -1) return report.show(`${report.taskName(task)} on ${data.hosts[host]}`, el('p', {}, 'did not run here'))
    const facts = el(
      'p',
      {},
      report.mark(task.letters[at]),
      ` after ${report.duration(task.at + task.from[at])}, took ${report.duration(task.took[at])}`,
    )
    const note = data.notes[task.notes[at]]
    const place = task.place ? [el('p', { class: 'soft' }, `${task.action} at ${task.place}`)] : []
    report.show(`${report.taskName(task)} on ${data.hosts[host]}`, facts, ...place, ...(note ? report.note(note) : []))
  }
}
