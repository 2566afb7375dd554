/** A module's name → whether Ansible knows it, even where there is no such module here: a playbook that names it can be read, only the task fails. */
import { isPublished } from './published-collections.ts'

const BUILTIN = new Set(
  `add_host apt apt_key apt_repository assemble assert async_status blockinfile command copy cron deb822_repository debconf debug dnf dnf5
   dpkg_selections expect fail fetch file find gather_facts get_url getent git group group_by hostname include_vars iptables known_hosts
   lineinfile mount_facts package package_facts pause ping pip raw reboot replace rpm_key script service service_facts set_fact set_stats
   setup shell slurp stat subversion systemd systemd_service sysvinit tempfile template unarchive uri user validate_argument_spec wait_for
   wait_for_connection yum yum_repository`.split(/\s+/),
)

/** Names that were Ansible's own once, and lead to a collection since. */
const FORMER = new Set(
  `acl at authorized_key firewalld mount patch seboolean selinux synchronize sysctl alternatives archive capabilities composer docker_container
   docker_image filesystem gem helm htpasswd ini_file interfaces_file java_cert k8s k8s_info kernel_blacklist locale_gen lvg lvol make modprobe
   monit mysql_db mysql_user nmcli npm openssl_certificate openssl_privatekey osx_defaults pam_limits parted pacman postgresql_db
   postgresql_user redhat_subscription rhsm_repository rabbitmq_user seport slack snap ssh_config timezone ufw xml zypper zypper_repository
   apk`.split(/\s+/),
)

/** The full name of a module of ansible.builtin; other names as they are; undefined for what is nobody's, and for modules of a collection that is neither here nor published. */
export function knownName(name: string): string | undefined {
  const short = name.replace(/^ansible\.(?:builtin|legacy)\./, '')
  if (BUILTIN.has(short)) return `ansible.builtin.${short}`
  if (FORMER.has(name)) return name
  return short === name && FULL_NAME.test(name) && isPublished(name.split('.', 2).join('.')) ? name : undefined
}

const FULL_NAME = /^[a-z_]\w*\.[a-z_]\w*(?:\.[a-z_]\w*)+$/i

export const ansibleNames = (): Iterable<string> => [...BUILTIN, ...FORMER]
