/** The commands → the manual page tsspray(1), in the language of man. */
import type { CommandShape, OptionShape } from './shape.ts'

export interface ExitCode {
  readonly code: number
  readonly meaning: string
}

export function manualPage(commands: readonly CommandShape[], codes: readonly ExitCode[], version: string): string {
  const [playbook, ...others] = commands
  return [
    `.TH TSSPRAY 1 "" "tsspray ${version}" "User Commands"`,
    '.SH NAME',
    'tsspray \\- run Ansible playbooks over SSH without Python',
    '.SH SYNOPSIS',
    '.B tsspray',
    '[\\fIoptions\\fR] \\fIplaybook.yml\\fR...',
    ...others.flatMap(({ usage }) => ['.br', `.B ${text(usage.name)}`, `[\\fIoptions\\fR] ${text(usage.args)}`]),
    '.SH DESCRIPTION',
    'Playbooks, roles and inventories are those of Ansible. Hosts need sshd and a POSIX shell. A word that is none of the commands below is a playbook.',
    ...(playbook ? ['.SH OPTIONS', ...playbook.options.flatMap(optionLines)] : []),
    '.SH COMMANDS',
    ...others.flatMap(({ usage, options }) => [
      `.SS ${text(usage.name)} ${text(usage.args)}`,
      text(usage.about),
      ...options.flatMap(optionLines),
    ]),
    '.SH EXIT STATUS',
    ...codes.flatMap(({ code, meaning }) => ['.TP', `.B ${code}`, text(meaning)]),
    '.SH FILES',
    '.TP',
    '.I ansible.cfg',
    text("settings, in this folder, ~/.ansible.cfg or /etc/ansible/ansible.cfg; 'tsspray config' tells which count"),
    '',
  ].join('\n')
}

function optionLines({ names, about, value, isOptional }: OptionShape): string[] {
  const taken = value === undefined ? '' : isOptional ? ` [\\fI${text(value)}\\fR]` : ` \\fI${text(value)}\\fR`
  return ['.TP', `${names.map((name) => `\\fB${text(name)}\\fR`).join(', ')}${taken}`, text(about)]
}

/** What man would take for its own: backslashes, hyphens, a dot or quote at the beginning. */
const text = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1')
