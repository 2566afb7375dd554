/** What modules need to come so far that they give the host a text: programs, arguments in forms of their own. */
import type { Json, JsonObject } from '../../../src/base/index.ts'

const names = (text: string, says: string): Record<string, string> => Object.fromEntries(text.split(' ').map((name) => [name, says]))

/** Programs that the host has, and what they say. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  ...names(
    'apk apt-cache apt-get apt-key apt-mark at atq atrm blkid bundle capsh chage chattr chfn chpasswd chpst crontab curl debconf-set-selections debconf-show debconf-communicate dmsetup dnf dnf-3 dpkg dpkg-query dpkg-divert firewall-cmd gem getcap getconf getenforce getent getfacl getfattr getsebool git gpasswd gpg groupadd groupdel groupmod hostname hostnamectl initctl iptables ip6tables iptables-restore iptables-save localectl locale locale-gen localedef lsattr lsblk lsof lvchange lvcreate lvextend lvreduce lvremove lvs make mke2fs mkfs mkfs.ext4 mkfs.xfs mkswap modinfo modprobe mount nmcli npm pacman parted passwd patch pip pip3 pipx pvchange pvcreate pvresize pvs python3 rc-service rc-update rpm rpmkeys rsync script semanage semodule service sestatus setcap setenforce setfacl setfattr setsebool snap ssh-keyscan sshd subscription-manager svn swapoff swapon sysctl systemctl systemd-escape timedatectl tune2fs udevadm ufw umount update-alternatives update-rc.d useradd userdel usermod vgchange vgcreate vgextend vgreduce vgremove vgs virtualenv visudo wget wipefs yarn yum zip zypper',
    '',
  ),
  ...names('helm kubectl', '{}'),
}

/** Parameters that are shell text on purpose. */
export const SHELL_TEXTS: Readonly<Record<string, readonly string[]>> = {
  shell: ['cmd', '_raw_params', 'executable'],
  raw: ['cmd', '_raw_params', 'free_form', 'executable', 'args'],
  script: ['cmd', 'executable'],
  reboot: ['boot_time_command', 'reboot_command', 'test_command'],
}

/** What keeps a module from waiting long. */
export const HARMLESS: Readonly<Record<string, JsonObject>> = {
  reboot: { pre_reboot_delay: 0, post_reboot_delay: 0, reboot_timeout: 1, connect_timeout: 1 },
  wait_for: { timeout: 1, sleep: 1 },
  openssl_dhparam: { size: 512 },
  wait_for_connection: { timeout: 1, sleep: 1 },
}

/** Arguments in forms that the declaration does not tell; `@` is where the text goes. */
export const SEEDS: Readonly<Record<string, readonly Json[]>> = {
  command: [
    { argv: ['echo', '@'], chdir: '/there' },
    { _raw_params: 'echo @', creates: '@' },
    { _raw_params: 'cat', stdin: '@', removes: '/there/file' },
    { argv: ['@', 'x'] },
  ],
  shell: [
    { cmd: 'cat', stdin: '@', chdir: '/there' },
    { cmd: 'echo x', creates: '@' },
    { cmd: 'echo x', chdir: '@' },
  ],
  script: [
    { cmd: '/etc/hostname', chdir: '@' },
    { cmd: '/etc/hostname', creates: '@' },
    { cmd: '/etc/hostname', removes: '@' },
  ],
  expect: [
    { command: 'echo @', responses: { '@': '@' } },
    { command: '@', responses: { a: ['@', '@'] }, chdir: '@' },
  ],
  reboot: [{ boot_time_command: 'echo 1', reboot_command: 'true', test_command: 'true', msg: '@', search_paths: ['@'] }],
  ini_file: [
    { path: '/there/@', section: '@', option: '@', value: '@' },
    { path: '/there/ini', section: '@', option: '@', values: ['@', '@'], backup: true },
    { path: '/there/ini', section: 's', section_has_values: [{ option: '@', value: '@' }], option: 'o', value: '@' },
  ],
  find: [{ paths: ['@', '/there'], patterns: ['@'], excludes: ['@'], contains: '@', read_whole_file: true }],
  copy: [
    { content: '@', dest: '/there/@' },
    { content: '@', dest: '/there/copy', owner: '@', group: '@', mode: '0600' },
    { content: 'x', dest: '/there/copy', validate: 'cat @ %s' },
    { src: '/there/@', dest: '/there/copy', remote_src: true },
  ],
  template: [
    { src: '/etc/hostname', dest: '/there/@' },
    { src: '/etc/hostname', dest: '/there/template', owner: '@', group: '@', validate: 'cat %s @' },
  ],
  synchronize: [
    { src: '/etc/hostname', dest: '/there/@' },
    { src: '/there/@', dest: '/tmp/pulled', mode: 'pull' },
  ],
  wait_for: [
    { path: '/there/@', search_regex: '@', timeout: 1 },
    { host: '@', port: 1, timeout: 1, connect_timeout: 1 },
  ],
  setup: [{ gather_subset: ['min'], fact_path: '@', filter: ['@'] }],
  rhsm_repository: [{ name: ['@'], state: 'enabled' }],
  apt_key: [
    { id: 'ABCDEF12', keyserver: '@', keyring: '@' },
    { url: 'http://127.0.0.1:1/@', keyring: '/there/@' },
    { file: '@' },
    { data: '@' },
  ],
  apt_repository: [
    { repo: 'deb http://127.0.0.1/@ stable main', filename: '@', update_cache: false },
    { repo: 'deb [signed-by=@] http://127.0.0.1/ stable main', codename: '@', mode: '0600', update_cache: false },
  ],
  package: [
    { name: ['@'], state: 'present', use: 'apt' },
    { name: ['@'], state: 'absent', use: 'dnf' },
  ],
  service: [
    { name: '@', state: 'started', enabled: true, use: 'systemd', pattern: '@', arguments: '@' },
    { name: '@', state: 'restarted', use: 'sysvinit', runlevel: '@' },
  ],
  ufw: [
    { rule: 'allow', from_ip: '@', to_ip: '@', port: '@', interface: '@', name: '@', comment: '@' },
    { default: 'deny', direction: 'incoming' },
  ],
  locale_gen: [{ name: ['@'] }],
  pam_limits: [{ domain: '@', limit_type: 'soft', limit_item: 'nofile', value: '1', comment: '@', dest: '/there/@' }],
  cron: [
    { name: '@', job: '@', minute: '@', user: '@' },
    { name: '@', job: '@', cron_file: '@', user: '@', backup: true },
    { name: '@', env: true, value: '@', insertafter: '@' },
  ],
  known_hosts: [
    { name: '@', state: 'absent', path: '/there/@' },
    { name: '@', key: '@ ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmeRKNFdSiHgHfJkHgxvvr/WAWZlUKZG/RQaVCPIF1y @', path: '/there/known' },
  ],
  authorized_key: [
    { user: '@', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmeRKNFdSiHgHfJkHgxvvr/WAWZlUKZG/RQaVCPIF1y @' },
    {
      user: 'root',
      path: '/there/@',
      key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmeRKNFdSiHgHfJkHgxvvr/WAWZlUKZG/RQaVCPIF1y',
      comment: '@',
      key_options: '@',
    },
  ],
  k8s: [
    { kind: '@', name: '@', namespace: '@', api_version: '@', state: 'absent' },
    {
      definition: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '@', namespace: '@' }, data: { '@': '@' } },
      kubeconfig: '@',
      context: '@',
    },
  ],
  k8s_json_patch: [{ kind: '@', name: '@', namespace: '@', api_version: 'v1', patch: [{ op: 'replace', path: '/@', value: '@' }] }],
  k8s_taint: [{ name: '@', taints: [{ effect: 'NoSchedule', key: '@', value: '@' }], context: '@' }],
  x509_certificate_pipe: [{ provider: 'selfsigned', privatekey_path: '@', csr_path: '@' }],
  x509_crl: [
    {
      path: '/there/@',
      privatekey_path: '@',
      issuer: { CN: '@' },
      last_update: '+0s',
      next_update: '+1d',
      revoked_certificates: [{ path: '@' }],
    },
  ],
  x509_certificate_info: [{ path: '/there/@', valid_at: { '@': '@' } }],
  at: [
    { command: '@', count: 1, units: 'minutes', unique: true },
    { script_file: '/there/@', count: 1, units: 'days' },
  ],
  patch: [
    { src: '/etc/hostname', dest: '/there/@' },
    { src: '/etc/hostname', basedir: '@', state: 'absent', backup: true },
    { src: '/there/@', basedir: '/there', remote_src: true },
  ],
  zypper_repository: [
    { repo: 'http://127.0.0.1/@', name: '@', description: '@', priority: 5, runrefresh: true },
    { repo: 'http://127.0.0.1:1/@.repo', auto_import_keys: true },
    { name: '@', state: 'absent' },
  ],
  nmcli: [
    { conn_name: '@', type: 'ethernet', ifname: '@', ip4: ['@'], gw4: '@', dns4: ['@'], method4: 'manual', state: 'present' },
    { conn_name: '@', type: 'wifi', ssid: '@', wifi_sec: { 'key-mgmt': '@', psk: '@' }, state: 'present' },
    { conn_name: '@', type: 'vlan', vlanid: 5, vlandev: '@', zone: '@', state: 'present' },
  ],
  seport: [{ ports: ['@'], proto: 'tcp', setype: '@', ignore_selinux_state: true }],
  sefcontext: [
    { target: '@', setype: '@', seuser: '@', selevel: '@', ignore_selinux_state: true },
    { target: '@', substitute: '@', ignore_selinux_state: true },
    { target: '@', state: 'absent', ignore_selinux_state: true },
  ],
  certificate_complete_chain: [{ input_chain: '@', root_certificates: ['@'], intermediate_certificates: ['@'] }],
}

/** Modules that have no text to give to a host. */
export const NO_TEXTS: Readonly<Record<string, string>> = {
  'ansible.builtin.ping': 'its text comes back as it is',
  'ansible.builtin.package_facts': 'the names of managers are words of a table',
  'ansible.builtin.service_facts': 'takes nothing',
  'ansible.builtin.raw': 'all its text is shell text on purpose',
  'ansible.builtin.wait_for_connection': 'takes numbers',
  'community.general.rhsm_repository': 'names are looked for among those that the host lists',
  'community.general.locale_gen': 'names are looked for among those that the host has',
  'community.general.dnf_config_manager': 'names are looked for among those that the host lists',
  'ansible.posix.firewalld_info': 'names are looked for among those that the host lists',
  'community.crypto.certificate_complete_chain': 'a chain that is none is refused before any path is read',
  'kubernetes.core.k8s_json_patch': 'not reached by these arguments',
}
