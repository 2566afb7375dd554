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
