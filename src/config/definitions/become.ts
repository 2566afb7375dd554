/** Settings: becoming another user. One row each: type(default, ini keys, environment, what it is). */
import { bool, maybePath, maybeStr, str } from '../kinds.ts'

export const become = {
  DEFAULT_BECOME: bool(false, ['privilege_escalation.become'], ['ANSIBLE_BECOME'], 'whether tasks run as another user'),
  DEFAULT_BECOME_METHOD: str('sudo', ['privilege_escalation.become_method'], ['ANSIBLE_BECOME_METHOD'], 'how to become another user'),
  DEFAULT_BECOME_USER: str('root', ['privilege_escalation.become_user'], ['ANSIBLE_BECOME_USER'], 'whom to become'),
  DEFAULT_BECOME_EXE: maybeStr(['privilege_escalation.become_exe'], ['ANSIBLE_BECOME_EXE'], 'the program that does it'),
  DEFAULT_BECOME_FLAGS: maybeStr(['privilege_escalation.become_flags'], ['ANSIBLE_BECOME_FLAGS'], 'that program’s options'),
  DEFAULT_BECOME_ASK_PASS: bool(
    false,
    ['privilege_escalation.become_ask_pass'],
    ['ANSIBLE_BECOME_ASK_PASS'],
    'whether the password for it is asked for',
  ),
  BECOME_PASSWORD_FILE: maybePath(['defaults.become_password_file'], ['ANSIBLE_BECOME_PASSWORD_FILE'], 'a file with the password for it'),
  BECOME_ALLOW_SAME_USER: bool(
    false,
    ['privilege_escalation.become_allow_same_user'],
    ['ANSIBLE_BECOME_ALLOW_SAME_USER'],
    'whether one may become who one is',
  ),
  AGNOSTIC_BECOME_PROMPT: bool(
    true,
    ['privilege_escalation.agnostic_become_prompt'],
    ['ANSIBLE_AGNOSTIC_BECOME_PROMPT'],
    'whether the prompt names no method',
  ),
  SUDO_USER: maybeStr(['sudo_become_plugin.user'], ['ANSIBLE_SUDO_USER'], 'whom to become with sudo'),
  SUDO_EXE: maybeStr(['sudo_become_plugin.executable'], ['ANSIBLE_SUDO_EXE'], 'the sudo program'),
  SUDO_FLAGS: maybeStr(['sudo_become_plugin.flags'], ['ANSIBLE_SUDO_FLAGS'], 'options of sudo'),
  SUDO_PASS: maybeStr(['sudo_become_plugin.password'], ['ANSIBLE_SUDO_PASS'], 'the password for sudo'),
  SU_USER: maybeStr(['su_become_plugin.user'], ['ANSIBLE_SU_USER'], 'whom to become with su'),
  SU_EXE: maybeStr(['su_become_plugin.executable'], ['ANSIBLE_SU_EXE'], 'the su program'),
  SU_FLAGS: maybeStr(['su_become_plugin.flags'], ['ANSIBLE_SU_FLAGS'], 'options of su'),
  SU_PASS: maybeStr(['su_become_plugin.password'], ['ANSIBLE_SU_PASS'], 'the password for su'),
  DOAS_USER: maybeStr(['doas_become_plugin.user'], ['ANSIBLE_DOAS_USER'], 'whom to become with doas'),
  DOAS_EXE: maybeStr(['doas_become_plugin.executable'], ['ANSIBLE_DOAS_EXE'], 'the doas program'),
  DOAS_FLAGS: maybeStr(['doas_become_plugin.flags'], ['ANSIBLE_DOAS_FLAGS'], 'options of doas'),
  DOAS_PASS: maybeStr(['doas_become_plugin.password'], ['ANSIBLE_DOAS_PASS'], 'the password for doas'),
  BECOME_PASS: maybeStr([], ['ANSIBLE_BECOME_PASS'], 'the password for becoming another user'),
} as const
