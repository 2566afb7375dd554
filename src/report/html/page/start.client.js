/** The tabs: one view is drawn at a time, and drawn again when the filters change. */
{
  const { report } = window
  const { el, data, views } = report
  const tabs = document.getElementById('tabs')
  const panels = document.getElementById('panels')
  document.getElementById('took').textContent = report.duration(data.took)

  for (const view of views) {
    const { id, name } = view
    view.tab = el(
      'button',
      { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => choose(view, true) },
      name,
    )
    view.panel = el('section', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: '0' })
    tabs.append(view.tab)
    panels.append(view.panel)
  }

  let current
  const redraw = () => {
    const focused = document.activeElement?.id
    current.panel.replaceChildren()
    current.panel.append(el('h2', {}, current.name))
    current.draw(current.panel)
    // what was drawn anew may have been what the keyboard is on
    if (focused) document.getElementById(focused)?.focus()
  }
  report.redraw = redraw
  const choose = (view, isAsked) => {
    current = view
    for (const one of views) {
      one.tab.setAttribute('aria-selected', String(one === view))
      one.tab.tabIndex = one === view ? 0 : -1
      one.panel.hidden = one !== view
      if (one !== view) one.panel.replaceChildren()
    }
    redraw()
    if (isAsked) history.replaceState(null, '', `#${view.id}`)
  }

  const STEPS = { ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, Home: () => 0, End: () => views.length - 1 }
  tabs.addEventListener('keydown', (event) => {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const view = views[(step(views.indexOf(current)) + views.length) % views.length]
    choose(view, true)
    view.tab.focus()
  })
  report.onFilter(redraw)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)

  const hasTrouble = data.tasks.some((task) => /[fu]/.test(task.letters))
  choose(views.find(({ id }) => id === location.hash.slice(1)) ?? views.find(({ id }) => id === (hasTrouble ? 'failures' : 'recap')))
}
