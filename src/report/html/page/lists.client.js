/** The views that are tables and lists: recap, slowest tasks, changes, failures, order of plays, messages. */
{
  const { report } = window
  const { data, el } = report
  const header = (...names) =>
    el('thead', {}, el('tr', {}, ...names.map((name, index) => el('th', { scope: 'col', class: index > 0 ? 'n' : undefined }, name))))
  const nothing = (panel, text) => panel.append(el('p', {}, text))

  const NUMBERS = ['ok', 'changed', 'unreachable', 'failed', 'skipped', 'rescued', 'ignored']
  const LETTER_OF = { ok: 'o', changed: 'c', unreachable: 'u', failed: 'f', skipped: 's', ignored: 'i' }
  report.views.unshift({
    id: 'recap',
    name: 'Recap',
    draw(panel) {
      const trouble = (host) => (data.recap[host]?.[3] ?? 0) + (data.recap[host]?.[2] ?? 0)
      const hosts = report.shown.hosts.filter((host) => data.recap[host]).sort((a, b) => trouble(b) - trouble(a))
      if (hosts.length === 0) return nothing(panel, 'There is no recap of these hosts.')
      const total = NUMBERS.map((_, index) => hosts.reduce((sum, host) => sum + data.recap[host][index], 0))
      const row = (name, numbers) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, name),
          ...numbers.map((n, index) =>
            el(
              'td',
              { class: 'n' },
              n > 0 && LETTER_OF[NUMBERS[index]] ? el('span', { class: `mark ${LETTER_OF[NUMBERS[index]]}` }, String(n)) : String(n),
            ),
          ),
        )
      const body = el('tbody', {}, row(`all ${hosts.length} hosts`, total))
      panel.append(
        el(
          'div',
          { class: 'wide' },
          el('table', {}, el('caption', { class: 'soft' }, 'Hosts in trouble come first'), header('Host', ...NUMBERS), body),
        ),
      )
      report.paged(body, hosts, 100, (host) => row(data.hosts[host], data.recap[host]))
    },
  })

  const timesOf = (task) => {
    const times = { begin: Number.POSITIVE_INFINITY, end: 0, sum: 0, slowest: -1, longest: -1 }
    for (let k = 0; k < task.hosts.length; k++) {
      if (!report.shown.has(task, k)) continue
      const begin = task.at + task.from[k]
      times.begin = Math.min(times.begin, begin)
      times.end = Math.max(times.end, begin + task.took[k])
      times.sum += task.took[k]
      if (task.took[k] > times.longest) Object.assign(times, { longest: task.took[k], slowest: task.hosts[k] })
    }
    return { ...times, task, wall: Math.max(0, times.end - times.begin) }
  }
  report.views.push({
    id: 'slowest',
    name: 'Slowest tasks',
    draw(panel) {
      const rows = report.shown.tasks.map(timesOf).sort((a, b) => b.wall - a.wall)
      if (rows.length === 0) return nothing(panel, 'No task is shown.')
      const body = el('tbody')
      panel.append(el('div', { class: 'wide' }, el('table', {}, header('Task', 'Took', 'All hosts together', 'Slowest host'), body)))
      report.paged(body, rows, 50, ({ task, wall, sum, slowest, longest }) => {
        const bar = el('span', { class: 'bar', 'aria-hidden': 'true' })
        bar.style.width = `${Math.ceil((wall / Math.max(1, rows[0].wall)) * 120)}px`
        return el(
          'tr',
          {},
          el('th', { scope: 'row' }, report.taskName(task), ' ', bar, el('div', { class: 'soft' }, task.place ?? '')),
          el('td', { class: 'n' }, report.duration(wall)),
          el('td', { class: 'n' }, report.duration(sum)),
          el('td', { class: 'n' }, `${data.hosts[slowest]}, ${report.duration(longest)}`),
        )
      })
    },
  })

  /** Tasks with such results, and in each the hosts of which the same is told. */
  const groupsOf = (letters) =>
    report.shown.tasks.flatMap((task) => {
      const groups = new Map()
      for (let k = 0; k < task.hosts.length; k++) {
        if (!letters.includes(task.letters[k]) || !report.shown.has(task, k)) continue
        const key = `${task.letters[k]} ${task.notes[k]}`
        if (!groups.has(key)) groups.set(key, { letter: task.letters[k], note: data.notes[task.notes[k]], hosts: [] })
        groups.get(key).hosts.push(task.hosts[k])
      }
      const all = [...groups.values()].sort((a, b) => b.hosts.length - a.hosts.length)
      return all.length > 0 ? [{ task, groups: all, count: all.reduce((sum, { hosts }) => sum + hosts.length, 0) }] : []
    })

  const hostsOf = (hosts) => {
    const names = hosts.map((host) => data.hosts[host])
    if (names.length <= 12) return el('p', {}, names.join(', '))
    return el(
      'details',
      {},
      el('summary', {}, `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`),
      el('p', {}, names.join(', ')),
    )
  }

  const taskEntry = ({ task, groups, count }, isOpen) => {
    const summary = el(
      'summary',
      {},
      report.mark(groups[0].letter),
      ` ${report.taskName(task)} `,
      el('span', { class: 'soft' }, `on ${count} ${count === 1 ? 'host' : 'hosts'}`),
    )
    const entry = el('details', {}, summary)
    let isDrawn = false
    const draw = () => {
      if (isDrawn || !entry.open) return
      isDrawn = true
      if (task.place) entry.append(el('p', { class: 'soft' }, `${task.action} at ${task.place}`))
      const holder = el('div')
      entry.append(holder)
      report.paged(holder, groups, 20, ({ letter, note, hosts }) =>
        el(
          'div',
          {},
          el('h3', {}, report.mark(letter), ` ${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}`),
          hostsOf(hosts),
          ...(note ? report.note(note) : []),
        ),
      )
    }
    entry.addEventListener('toggle', draw)
    entry.open = isOpen
    return entry
  }

  const rank = ({ groups }) => Number(groups.every(({ letter }) => letter === 'i'))
  const listed = (id, name, letters, none, opened) =>
    report.views.push({
      id,
      name,
      draw(panel) {
        // what ended something comes before what was ignored
        const entries = groupsOf(letters).sort((a, b) => rank(a) - rank(b))
        if (entries.length === 0) return nothing(panel, none)
        const holder = el('div')
        panel.append(holder)
        let drawn = 0
        report.paged(holder, entries, 100, (entry) => taskEntry(entry, drawn++ < opened))
      },
    })
  listed('changes', data.check ? 'What would change' : 'Changes', 'c', 'Nothing changed here.', 3)
  listed('failures', 'Failures', 'fui', 'Nothing failed here.', 10)

  report.views.push({
    id: 'order',
    name: 'Order',
    draw: (panel) => panel.append(el('div', { class: 'graph' }, document.getElementById('graph').content.cloneNode(true))),
  })

  report.views.push({
    id: 'messages',
    name: `Messages (${data.messages.length})`,
    draw(panel) {
      if (data.messages.length === 0) return nothing(panel, 'There were no warnings.')
      const list = el('ul')
      panel.append(list)
      report.paged(list, data.messages, 100, ({ kind, text, count }) =>
        el('li', {}, el('strong', {}, kind), count > 1 ? ` (${count} times)` : '', `: ${text}`),
      )
    },
  })
}
