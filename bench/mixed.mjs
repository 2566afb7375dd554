// A playbook of 80 tasks of the kinds that roles are made of; the second run of it changes little.

const KINDS = [
  (i) => `    - {name: folder ${i}, ansible.builtin.file: {path: /srv/bench/d${i}, state: directory, mode: "0755"}}`,
  (i) => `    - {name: copy ${i}, ansible.builtin.copy: {content: "text ${i}\\n", dest: /srv/bench/d0/c${i}, mode: "0644"}}`,
  (i) =>
    `    - {name: copy of a template ${i}, ansible.builtin.copy: {content: "{{ inventory_hostname }} ${i}\\n", dest: /srv/bench/d0/t${i}}}`,
  (i) => `    - {name: command ${i}, ansible.builtin.command: echo ${i}, register: c, changed_when: false}`,
  (i) => `    - {name: stat ${i}, ansible.builtin.stat: {path: /srv/bench/d0/c1}, register: s}`,
  (i) => `    - {name: line ${i}, ansible.builtin.lineinfile: {path: /srv/bench/d0/c1, line: "line ${i}"}}`,
  (i) => `    - {name: fact ${i}, ansible.builtin.set_fact: {f${i}: "{{ c.stdout | default('x') }}"}}`,
  (i) => `    - {name: shell ${i}, ansible.builtin.shell: "echo $((1 + ${i}))", changed_when: false}`,
]

/** @returns {string} */
export function mixedPlaybook() {
  const tasks = Array.from({ length: 80 }, (_, i) => KINDS[i % KINDS.length](i))
  const first = '    - {name: folder, ansible.builtin.file: {path: /srv/bench/d0, state: directory, mode: "0755"}}'
  return `- hosts: all\n  gather_facts: false\n  tasks:\n${[first, ...tasks].join('\n')}\n`
}

const RAW = [
  (i) => `[ -d /srv/bench/d${i} ] || mkdir -p /srv/bench/d${i}; chmod 755 /srv/bench/d${i}`,
  (i) =>
    `f=/srv/bench/d0/c${i}; [ "$(cat $f 2>/dev/null)" = "text ${i}" ] || { echo "text ${i}" >$f.new && chmod 644 $f.new && mv $f.new $f; }`,
  (i) => `f=/srv/bench/d0/t${i}; [ "$(cat $f 2>/dev/null)" = "host ${i}" ] || { echo "host ${i}" >$f.new && mv $f.new $f; }`,
  (i) => `/bin/echo ${i}`,
  () => 'stat /srv/bench/d0/c1',
  (i) =>
    `grep -qx "line ${i}" /srv/bench/d0/c1 || { { cat /srv/bench/d0/c1; echo "line ${i}"; } >/srv/bench/d0/c1.new && mv /srv/bench/d0/c1.new /srv/bench/d0/c1; }`,
  undefined,
  (i) => `sh -c 'echo $((1 + ${i}))'`,
]

/** What those tasks do on a host, by hand; a fact is no work there. */
export function rawScripts() {
  return ['mkdir -p /srv/bench/d0', ...Array.from({ length: 80 }, (_, i) => RAW[i % RAW.length]?.(i)).filter(Boolean)]
}
