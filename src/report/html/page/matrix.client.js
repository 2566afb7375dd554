/** The view of tasks × hosts: only what is in sight is in the document; hosts that went alike may share a column. */
{
  const { report } = window
  const { data, el } = report
  const [ROW, COLUMN, HEAD] = [24, 24, 120]
  const MANY = 40

  /** Columns of hosts whose results are the same everywhere. */
  const alike = (tasks, hosts) => {
    const marks = new Map(hosts.map((host) => [host, []]))
    tasks.forEach((task, row) => {
      for (let k = 0; k < task.hosts.length; k++) if (report.shown.has(task, k)) marks.get(task.hosts[k])?.push(row, task.letters[k])
    })
    const groups = new Map()
    for (const [host, mark] of marks) {
      const key = mark.join(',')
      if (!groups.has(key)) groups.set(key, [])
      groups.get(key).push(host)
    }
    return [...groups.values()]
  }

  const columnName = (hosts) => (hosts.length === 1 ? data.hosts[hosts[0]] : `${data.hosts[hosts[0]]} +${hosts.length - 1}`)
  const summary = (task) => {
    const counts = {}
    for (let k = 0; k < task.letters.length; k++)
      if (report.shown.has(task, k)) counts[task.letters[k]] = (counts[task.letters[k]] ?? 0) + 1
    return Object.entries(counts)
      .map(([letter, n]) => `${report.STATUS[letter][0]} ${n}`)
      .join(', ')
  }

  let together = data.hosts.length > MANY
  report.views.push({
    id: 'matrix',
    name: 'Matrix',
    draw(panel) {
      const { tasks, hosts } = report.shown
      const box = el('input', { type: 'checkbox', id: 'together', checked: together })
      box.addEventListener('change', () => {
        together = box.checked
        report.redraw()
      })
      const columns = together ? alike(tasks, hosts) : hosts.map((host) => [host])
      const grid = makeGrid(tasks, columns)
      panel.append(
        el(
          'p',
          {},
          el('label', {}, box, ' hosts that went alike share a column'),
          ' ',
          el('span', { class: 'soft' }, `${columns.length} columns; arrow keys move, Enter tells more`),
        ),
        grid.element,
      )
      grid.render()
    },
  })

  function makeGrid(tasks, columns) {
    const left = matchMedia('(max-width: 40rem)').matches ? 150 : 320
    const width = left + columns.length * COLUMN + 8
    const active = { row: 0, column: 0 }
    const sizer = el('div', { class: 'sizer', role: 'presentation' })
    sizer.style.cssText = `width:${width}px;height:${HEAD + tasks.length * ROW}px`
    const element = el(
      'div',
      {
        ...{ class: 'matrix', role: 'grid', tabindex: '0', 'aria-label': 'Results of tasks on hosts', 'aria-readonly': 'true' },
        ...{ 'aria-rowcount': tasks.length + 1, 'aria-colcount': columns.length + 1 },
      },
      sizer,
    )
    // where in a task's lists a host is
    const places = new Map()
    const placesOf = (task) => {
      if (!places.has(task)) places.set(task, new Map(task.hosts.map((host, k) => [host, k])))
      return places.get(task)
    }

    const cellOf = (row, column) => {
      const task = tasks[row]
      const k = placesOf(task).get(columns[column][0])
      const isShown = k !== undefined && report.shown.has(task, k)
      const letter = isShown ? task.letters[k] : ''
      const isActive = active.row === row && active.column === column
      const cell = el('div', {
        ...{ role: 'gridcell', id: `r${row}c${column}`, class: `${letter}${isActive ? ' active' : ''}`, 'aria-colindex': column + 2 },
        'aria-label': `${columnName(columns[column])}: ${letter === '' ? 'nothing' : report.STATUS[letter][0]}`,
        'data-row': row,
        'data-column': column,
      })
      cell.style.left = `${left + column * COLUMN + 1}px`
      if (letter !== '') cell.textContent = report.STATUS[letter][1]
      return cell
    }

    const range = () => {
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = element
      return {
        rows: [
          Math.max(0, Math.floor(scrollTop / ROW) - 2),
          Math.min(tasks.length, Math.ceil((scrollTop + clientHeight - HEAD) / ROW) + 2),
        ],
        columns: [
          Math.max(0, Math.floor(scrollLeft / COLUMN) - 2),
          Math.min(columns.length, Math.ceil((scrollLeft + clientWidth - left) / COLUMN) + 2),
        ],
      }
    }

    const render = () => {
      const {
        rows,
        columns: [first, end],
      } = range()
      const head = el(
        'div',
        { role: 'row', class: 'head', 'aria-rowindex': 1 },
        el('div', { role: 'columnheader', class: 'corner', 'aria-colindex': 1 }, 'Task'),
      )
      head.style.width = `${width}px`
      for (let column = first; column < end; column++) {
        const name = columnName(columns[column])
        const header = el('div', { role: 'columnheader', class: 'column', 'aria-colindex': column + 2, title: name }, name)
        header.style.left = `${left + column * COLUMN}px`
        head.append(header)
      }
      const lines = [head]
      for (let row = rows[0]; row < rows[1]; row++) {
        const task = tasks[row]
        const told = summary(task)
        const line = el(
          'div',
          { role: 'row', 'aria-rowindex': row + 2 },
          el(
            'div',
            { role: 'rowheader', 'aria-colindex': 1, title: `${report.taskName(task)} (${told})` },
            `${report.taskName(task)} `,
            el('span', { class: 'soft' }, told),
          ),
        )
        line.style.cssText = `top:${HEAD + row * ROW}px;width:${width}px`
        for (let column = first; column < end; column++) line.append(cellOf(row, column))
        lines.push(line)
      }
      sizer.replaceChildren(...lines)
      const id = `r${active.row}c${active.column}`
      if (document.getElementById(id)) element.setAttribute('aria-activedescendant', id)
      else element.removeAttribute('aria-activedescendant')
    }

    const reveal = () => {
      const top = active.row * ROW
      const room = element.clientHeight - HEAD - ROW
      if (top < element.scrollTop) element.scrollTop = top
      else if (top > element.scrollTop + room) element.scrollTop = top - room
      const x = active.column * COLUMN
      const wide = element.clientWidth - left - COLUMN
      if (x < element.scrollLeft) element.scrollLeft = x
      else if (x > element.scrollLeft + wide) element.scrollLeft = x - wide
      render()
    }

    const open = (row, column) => {
      const [task, hosts] = [tasks[row], columns[column]]
      if (hosts.length === 1) return report.showCell(task, hosts[0])
      report.showCell(task, hosts[0])
      document.getElementById('detail').append(
        el(
          'p',
          {},
          `The same status on ${hosts.length} hosts: ${hosts
            .slice(0, 200)
            .map((host) => data.hosts[host])
            .join(', ')}${hosts.length > 200 ? ', …' : ''}`,
        ),
      )
    }

    const page = () => Math.max(1, Math.floor((element.clientHeight - HEAD) / ROW) - 1)
    const KEYS = {
      ArrowDown: () => [active.row + 1, active.column],
      ArrowUp: () => [active.row - 1, active.column],
      ArrowRight: () => [active.row, active.column + 1],
      ArrowLeft: () => [active.row, active.column - 1],
      PageDown: () => [active.row + page(), active.column],
      PageUp: () => [active.row - page(), active.column],
      Home: () => [active.row, 0],
      End: () => [active.row, columns.length - 1],
    }
    element.addEventListener('keydown', (event) => {
      if (tasks.length === 0) return
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault()
        open(active.row, active.column)
        return
      }
      const to = KEYS[event.key]?.()
      if (!to) return
      event.preventDefault()
      active.row = Math.min(tasks.length - 1, Math.max(0, to[0]))
      active.column = Math.min(columns.length - 1, Math.max(0, to[1]))
      reveal()
    })
    element.addEventListener('click', (event) => {
      const cell = event.target.closest('[role=gridcell]')
      if (!cell) return
      active.row = Number(cell.dataset.row)
      active.column = Number(cell.dataset.column)
      open(active.row, active.column)
      render()
    })
    let asked = 0
    element.addEventListener('scroll', () => {
      cancelAnimationFrame(asked)
      asked = requestAnimationFrame(render)
    })
    return { element, render }
  }
}
