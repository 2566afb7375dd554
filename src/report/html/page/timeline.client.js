/** The view of each host's time: what it did when, and for which host it waited. */
{
  const { report } = window
  const { data, el } = report

  /** The host that came last in each task: the others waited for it. */
  const lastOf = new Map(
    data.tasks.map((task) => {
      let last = { host: -1, end: -1 }
      for (let k = 0; k < task.hosts.length; k++) {
        const end = task.at + task.from[k] + task.took[k]
        if (end > last.end) last = { host: task.hosts[k], end }
      }
      return [task, last]
    }),
  )
  const byHost = data.hosts.map(() => [])
  for (const task of data.tasks) {
    for (let k = 0; k < task.hosts.length; k++) {
      const begin = task.at + task.from[k]
      byHost[task.hosts[k]].push({ task, k, begin, end: begin + task.took[k] })
    }
  }

  /** Shorter pauses are the engine's own. */
  const PAUSE = 20

  /** A host's steps in order, each with the pause after it and whom it was for. */
  const stepsOf = (host) => {
    const steps = byHost[host].sort((a, b) => a.begin - b.begin)
    return steps.map((step, index) => {
      const next = steps[index + 1]
      const pause = next ? next.begin - step.end : 0
      const last = lastOf.get(step.task)
      const isWaiting = pause > PAUSE && last.host !== host && last.end > step.end
      return { ...step, waited: isWaiting ? Math.min(pause, last.end - step.end) : 0, on: isWaiting ? last.host : -1 }
    })
  }

  const waitsOf = (steps) => {
    const sums = new Map()
    for (const { on, waited } of steps) if (on !== -1) sums.set(on, (sums.get(on) ?? 0) + waited)
    return [...sums].sort((a, b) => b[1] - a[1])
  }

  const told = (steps) => {
    const busy = steps.reduce((sum, step) => sum + step.end - step.begin, 0)
    const waits = waitsOf(steps)
    const waited = waits.reduce((sum, [, ms]) => sum + ms, 0)
    const most = waits.length > 0 ? `, waited ${report.duration(waited)}, most for ${data.hosts[waits[0][0]]}` : ''
    return `busy ${report.duration(busy)}${most}`
  }

  const showHost = (host) => {
    const steps = stepsOf(host)
    const body = el('tbody')
    const table = el(
      'table',
      {},
      el(
        'thead',
        {},
        el('tr', {}, ...['Task', 'Status', 'Began', 'Took', 'Then waited for'].map((name) => el('th', { scope: 'col' }, name))),
      ),
      body,
    )
    report.show(data.hosts[host], el('p', {}, told(steps)), el('div', { class: 'wide' }, table))
    report.paged(body, steps, 200, (step) =>
      el(
        'tr',
        {},
        el(
          'td',
          {},
          el('button', { type: 'button', class: 'plain', onclick: () => report.showCell(step.task, host) }, report.taskName(step.task)),
        ),
        el('td', {}, report.mark(step.task.letters[step.k])),
        el('td', { class: 'n' }, report.duration(step.begin)),
        el('td', { class: 'n' }, report.duration(step.end - step.begin)),
        el('td', {}, step.on === -1 ? '' : `${data.hosts[step.on]}, ${report.duration(step.waited)}`),
      ),
    )
  }

  let play = -1
  const span = () => {
    if (play === -1) return [0, Math.max(1, data.took)]
    const begin = data.plays[play].at
    const tasks = data.tasks.filter((task) => task.play === play)
    return [begin, Math.max(begin + 1, ...tasks.map((task) => lastOf.get(task).end))]
  }

  const paint = (canvas, steps, [begin, end]) => {
    const scale = window.devicePixelRatio || 1
    canvas.width = Math.max(1, canvas.clientWidth * scale)
    canvas.height = 20 * scale
    const context = canvas.getContext('2d')
    const style = getComputedStyle(document.documentElement)
    const x = (ms) => ((ms - begin) / (end - begin)) * canvas.width
    for (const step of steps) {
      if (!report.shown.has(step.task, step.k)) continue
      context.fillStyle = style.getPropertyValue(`--${step.task.letters[step.k]}-text`)
      if (/[fu]/.test(step.task.letters[step.k])) context.fillStyle = style.getPropertyValue(`--${step.task.letters[step.k]}`)
      context.fillRect(x(step.begin), 0, Math.max(1, x(step.end) - x(step.begin)), canvas.height)
      if (step.on === -1) continue
      context.fillStyle = style.getPropertyValue('--line')
      context.fillRect(x(step.end), canvas.height * 0.4, x(step.end + step.waited) - x(step.end), canvas.height * 0.2)
    }
  }

  const lane = (host, within) => {
    const steps = stepsOf(host)
    const text = told(steps)
    const canvas = el('canvas', { role: 'img', 'aria-label': `time of ${data.hosts[host]}: ${text}` })
    canvas.addEventListener('mousemove', ({ offsetX }) => {
      const at = within[0] + (offsetX / canvas.clientWidth) * (within[1] - within[0])
      const step = steps.findLast((one) => one.begin <= at)
      if (!step) return
      const waiting = at > step.end && step.on !== -1 ? `, then waited for ${data.hosts[step.on]}` : ''
      canvas.title = `${report.taskName(step.task)}: ${report.STATUS[step.task.letters[step.k]][0]}, ${report.duration(step.end - step.begin)}${waiting}`
    })
    requestAnimationFrame(() => paint(canvas, steps, within))
    const name = el('button', { type: 'button', class: 'plain', onclick: () => showHost(host) }, data.hosts[host])
    return el('li', { class: 'lane' }, name, canvas, el('span', { class: 'soft' }, text))
  }

  report.views.push({
    id: 'timeline',
    name: 'Timeline',
    draw(panel) {
      const options = [
        el('option', { value: '-1', selected: play === -1 }, 'the whole run'),
        ...data.plays.map((one, index) => el('option', { value: index, selected: index === play }, `${index + 1}. ${one.name}`)),
      ]
      const select = el('select', { id: 'span' }, ...options)
      select.addEventListener('change', () => {
        play = Number(select.value)
        report.redraw()
      })
      const [begin, end] = span()
      const list = el('ul', { class: 'lanes' })
      panel.append(
        el(
          'p',
          {},
          el('label', { for: 'span' }, 'Show '),
          select,
          ` from ${report.duration(begin)} to ${report.duration(end)}; a thin line is time a host waited for another`,
        ),
        list,
      )
      report.paged(list, report.shown.hosts, 50, (host) => lane(host, [begin, end]))
    },
  })
}
