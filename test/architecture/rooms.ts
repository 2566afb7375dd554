/** The architecture as data: the rooms of src/ and what each may import; everything flows down this table. */

const beneathCli = ['base', 'config', 'events', 'vault', 'params', 'documents', 'template', 'inventory', 'playbook', 'vars'] as const

/** Room → rooms it may import, always through their index.ts. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  config: ['base'],
  events: ['base'],
  vault: ['base'],
  params: ['base'],
  documents: ['base', 'vault'],
  template: ['base', 'documents', 'vault'],
  inventory: ['base', 'config', 'documents', 'template'],
  playbook: ['base', 'config', 'documents', 'params', 'template'],
  vars: ['base', 'config', 'documents', 'template', 'inventory', 'playbook'],
  remote: ['base'],
  become: ['base', 'remote'],
  connect: ['base', 'config', 'remote', 'become'],
  python: ['base', 'config', 'params', 'remote'],
  facts: ['base', 'remote'],
  modules: ['base', 'params', 'documents', 'template', 'remote', 'facts'],
  engine: [
    ...['base', 'config', 'events', 'params', 'documents', 'template', 'inventory', 'playbook', 'vars'],
    ...['remote', 'become', 'connect', 'python', 'modules'],
  ],
  journal: ['base', 'events'],
  lint: ['base', 'playbook', 'template'],
  report: ['base', 'events'],
  cli: [...beneathCli, 'journal', 'connect', 'modules', 'engine', 'lint', 'report'],
}

/** Files directly under src/ (the package's entry) may name any room. */
export const entry = 'entry'
