/** What the fields above the views say → which hosts, tasks and results are shown. */
{
  const { report } = window
  const { data, el } = report
  const form = document.getElementById('filters')
  const letters = document.getElementById('letters')
  const counts = {}
  for (const task of data.tasks) for (const letter of task.letters) counts[letter] = (counts[letter] ?? 0) + 1
  for (const [letter, [name]] of Object.entries(report.STATUS)) {
    if (!counts[letter]) continue
    const box = el('input', { type: 'checkbox', value: letter, checked: true })
    letters.append(el('label', {}, box, el('span', { class: `mark ${letter}` }, name), ` ${counts[letter]}`))
  }

  /** Part of a name, or a pattern with stars for the whole of it. */
  const matcher = (text) => {
    const wanted = text.trim().toLowerCase()
    if (wanted === '') return () => true
    if (!wanted.includes('*')) return (name) => name.toLowerCase().includes(wanted)
    const escaped = wanted.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    const pattern = new RegExp(`^${escaped.join('.*')}$`)
    return (name) => pattern.test(name.toLowerCase())
  }

  const read = () => {
    const isHost = matcher(document.getElementById('host').value)
    const isTask = matcher(document.getElementById('task').value)
    const boxes = [...letters.querySelectorAll('input')]
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value))
    const hostWanted = data.hosts.map(isHost)
    const seen = new Uint8Array(data.hosts.length)
    let results = 0
    const tasks = data.tasks.filter((task) => {
      if (!isTask(`${task.name}`) && !isTask(task.action) && !isTask(task.role ?? '')) return false
      let any = false
      for (let k = 0; k < task.hosts.length; k++) {
        if (!hostWanted[task.hosts[k]] || !wanted.has(task.letters[k])) continue
        seen[task.hosts[k]] = 1
        results++
        any = true
      }
      return any
    })
    const hosts = data.hosts.map((_, index) => index).filter((index) => seen[index])
    report.shown = { tasks, hosts, results, has: (task, k) => hostWanted[task.hosts[k]] && wanted.has(task.letters[k]) }
    document.getElementById('count').textContent = `${results} results, ${hosts.length} hosts, ${tasks.length} tasks`
  }

  /** Called whenever something else is to be shown. */
  report.onFilter = (work) => {
    let timer
    const again = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        read()
        work()
      }, 100)
    }
    form.addEventListener('input', again)
    form.addEventListener('reset', again)
    form.addEventListener('submit', (event) => event.preventDefault())
  }
  read()
}
