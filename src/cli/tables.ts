/** The options of all commands as tables; a command takes the tables it needs. */
import type { OptionTable } from './options.ts'

export const common = {
  verbose: { kind: 'count', names: ['-v, --verbose'], about: 'show more; up to -vvvvvv' },
} as const satisfies OptionTable

export const inventoryOptions = {
  inventory: {
    kind: 'texts',
    names: ['-i, --inventory', '--inventory-file'],
    value: 'source',
    about: 'an inventory file, folder, executable script, or hosts with a comma: h1,h2,',
  },
} as const satisfies OptionTable

export const limitOptions = {
  limit: { kind: 'text', names: ['-l, --limit'], value: 'pattern', about: 'only hosts that match this pattern, too' },
} as const satisfies OptionTable

export const vaultOptions = {
  vaultIds: { kind: 'texts', names: ['--vault-id'], value: 'id@source', about: 'a vault secret: label@file, label@script or label@prompt' },
  vaultPasswordFiles: {
    kind: 'texts',
    names: ['--vault-password-file', '--vault-pass-file'],
    value: 'file',
    about: 'a file or script that gives the vault password',
  },
  askVaultPass: { kind: 'flag', names: ['-J, --ask-vault-pass', '--ask-vault-password'], about: 'ask for the vault password' },
} as const satisfies OptionTable

export const extraVarsOptions = {
  extraVars: {
    kind: 'texts',
    names: ['-e, --extra-vars'],
    value: 'vars',
    about: 'variables that beat all others: key=value, YAML, JSON, or @file',
  },
} as const satisfies OptionTable

export const connectionOptions = {
  user: { kind: 'text', names: ['-u, --user'], value: 'name', about: 'log in as this user' },
  connection: { kind: 'text', names: ['-c, --connection'], value: 'kind', about: 'how to reach hosts: ssh or local' },
  timeout: { kind: 'number', names: ['-T, --timeout'], value: 'seconds', about: 'how long to wait for a connection' },
  privateKeyFile: { kind: 'text', names: ['--private-key', '--key-file'], value: 'file', about: 'the key to log in with' },
  sshCommonArgs: { kind: 'text', names: ['--ssh-common-args'], value: 'args', about: 'options of ssh for everything that goes over it' },
  sftpExtraArgs: { kind: 'text', names: ['--sftp-extra-args'], value: 'args', about: 'options of sftp' },
  scpExtraArgs: { kind: 'text', names: ['--scp-extra-args'], value: 'args', about: 'options of scp' },
  sshExtraArgs: { kind: 'text', names: ['--ssh-extra-args'], value: 'args', about: 'options of ssh' },
  askPass: { kind: 'flag', names: ['-k, --ask-pass'], about: 'ask for the login password' },
  connectionPasswordFile: {
    kind: 'text',
    names: ['--connection-password-file', '--conn-pass-file'],
    value: 'file',
    about: 'a file with the login password',
  },
} as const satisfies OptionTable

export const becomeOptions = {
  become: { kind: 'flag', names: ['-b, --become'], about: 'run as another user' },
  becomeMethod: { kind: 'text', names: ['--become-method'], value: 'method', about: 'how: sudo, su or doas' },
  becomeUser: { kind: 'text', names: ['--become-user'], value: 'name', about: 'which user' },
  askBecomePass: { kind: 'flag', names: ['-K, --ask-become-pass'], about: 'ask for the password for that' },
  becomePasswordFile: {
    kind: 'text',
    names: ['--become-password-file', '--become-pass-file'],
    value: 'file',
    about: 'a file with the password for that',
  },
} as const satisfies OptionTable

export const runOptions = {
  forks: { kind: 'positive', names: ['-f, --forks'], value: 'count', about: 'how many hosts work at once' },
  check: { kind: 'flag', names: ['-C, --check'], about: 'change nothing; tell what would change' },
  diff: { kind: 'flag', names: ['-D, --diff'], about: 'show what changes in files' },
  modulePath: { kind: 'texts', names: ['-M, --module-path'], value: 'folders', about: 'further folders with modules' },
  output: {
    kind: 'text',
    names: ['--output'],
    value: 'format',
    about: 'how to tell: default, yaml, json, jsonl, minimal, oneline, github, gitlab',
  },
  quietSkips: { kind: 'flag', names: ['--quiet-skips'], about: 'one line for all tasks that are skipped one after the other' },
  heartbeat: {
    kind: 'positive',
    names: ['--heartbeat'],
    value: 'seconds',
    about: 'off a terminal: after so much silence, a line on standard error tells what goes on',
  },
  summary: { kind: 'flag', names: ['--summary'], about: 'end with what changed, or with --check would change, on one screen' },
  report: { kind: 'text', names: ['--report'], value: 'file.html', about: 'write a page that shows the whole run' },
} as const satisfies OptionTable

export const playbookOptions = {
  ...inventoryOptions,
  ...limitOptions,
  ...extraVarsOptions,
  tags: { kind: 'texts', names: ['-t, --tags'], value: 'tags', about: 'only tasks with these tags' },
  skipTags: { kind: 'texts', names: ['--skip-tags'], value: 'tags', about: 'all but tasks with these tags' },
  ...runOptions,
  ...connectionOptions,
  ...becomeOptions,
  ...vaultOptions,
  syntaxCheck: { kind: 'flag', names: ['--syntax-check'], about: 'only read the playbooks' },
  listHosts: { kind: 'flag', names: ['--list-hosts'], about: 'only list the hosts' },
  listTasks: { kind: 'flag', names: ['--list-tasks'], about: 'only list the tasks' },
  listTags: { kind: 'flag', names: ['--list-tags'], about: 'only list the tags' },
  graph: { kind: 'flag', names: ['--graph'], about: 'only show the order of plays, roles and hosts' },
  startAtTask: { kind: 'text', names: ['--start-at-task'], value: 'name', about: 'begin at the task of this name' },
  step: { kind: 'flag', names: ['--step'], about: 'ask before every task' },
  forceHandlers: { kind: 'flag', names: ['--force-handlers'], about: 'run handlers on hosts that failed, too' },
  resume: {
    kind: 'optional',
    names: ['--resume'],
    value: 'run',
    about:
      'go on with a run that did not come to its end, the latest one where none is named; without playbooks, its command line is taken',
  },
  resumeChanged: {
    kind: 'flag',
    names: ['-y, --resume-changed'],
    about: 'go on even where playbooks, variables or inventory have changed',
  },
  noJournal: { kind: 'flag', names: ['--no-journal'], about: 'keep nothing of this run; it cannot be resumed' },
  flushCache: { kind: 'flag', names: ['--flush-cache'], about: 'forget the facts of all hosts first' },
  ...common,
} as const satisfies OptionTable
