// What both engines render in bench/templates.mjs: the variables of a Kubespray checkout, in one flat layer, and 30 templates of its default run.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Roles that cluster.yml reaches with the sample inventory, those that render most first. */
const ROLES = [
  'kubernetes/control-plane',
  'kubernetes/node',
  'kubernetes/preinstall',
  'kubernetes/kubeadm',
  'container-engine/containerd',
  'container-engine/crictl',
  'etcd',
  'network_plugin/calico',
  'network_plugin/cni',
  'kubernetes-apps/ansible',
  'kubernetes-apps/cluster_roles',
  'kubernetes-apps/policy_controller/calico',
  'kubernetes-apps/metrics_server',
  'kubernetes-apps/helm',
  'kubernetes-apps/registry',
  'kubernetes-apps/metallb',
  'kubernetes-apps/ingress_controller/ingress_nginx',
  'kubernetes-apps/external_provisioner/local_path_provisioner',
]

/** @param {string} checkout */
export function planOf(checkout) {
  const roles = join(checkout, 'roles')
  const defaults = filesUnder(roles, /\/defaults\/main(\/[^/]*)?\.ya?ml$|\/defaults\/main\/.*\.ya?ml$/)
  const groups = filesUnder(join(checkout, 'inventory/sample/group_vars'), /\.ya?ml$/)
  const templates = ROLES.flatMap((role) => filesUnder(join(roles, role, 'templates'), /\.j2$/))
  return {
    checkout,
    variables: [...defaults, ...groups],
    templates,
    facts: join(import.meta.dirname, '../../test/kubespray/defaults/facts.json'),
    fixed: FIXED,
  }
}

function filesUnder(folder, pattern) {
  if (!existsSync(folder)) return []
  const found = readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
  return found.filter((path) => pattern.test(path) && !/\/(molecule|tests)\//.test(path)).sort()
}

const HOST = {
  inventory_hostname: 'node1',
  ansible_host: '10.0.0.11',
  ip: '10.0.0.11',
  etcd_member_name: 'etcd1',
  main_ip: '10.0.0.11',
  main_access_ip: '10.0.0.11',
}
const GROUPS = {
  all: ['node1'],
  kube_control_plane: ['node1'],
  etcd: ['node1'],
  kube_node: ['node1'],
  k8s_cluster: ['node1'],
  calico_rr: [],
}
const FIXED = {
  ...HOST,
  groups: GROUPS,
  group_names: ['etcd', 'k8s_cluster', 'kube_control_plane', 'kube_node'],
  hostvars: { node1: HOST },
  inventory_dir: '/nowhere',
  playbook_dir: '/nowhere',
  ansible_managed: 'managed',
}
