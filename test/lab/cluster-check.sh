#!/bin/bash
# Proves on three hosts of the lab what playbooks/cluster.yml promises up to etcd: fresh hosts are made, checked, deployed, tried and run over again.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
cd "$LAB_CODE/../.."

usage() {
  cat <<U
cluster-check.sh [STEP…]   steps, in order: wrong fresh untouched deploy container etcd failover again   (default: all)
In the environment:
  ENGINE="node dist/main.js"   what runs the playbook
  INVENTORY=inventory/lab/inventory.ini
  HOSTS="1 2 3"                the lab's hosts in it; PYTHON=1 makes them with Python
U
}

ENGINE=${ENGINE:-node dist/main.js}
INVENTORY=${INVENTORY:-inventory/lab/inventory.ini}
HOSTS=${HOSTS:-1 2 3}
TAGS=bootstrap-os,preinstall,container-engine,download,etcd
WORK=$LAB/check
IMAGE=docker.io/lab/shell:1
read -r FIRST SECOND LAST <<<"$HOSTS"
FAILURES=0

lab() { "$LAB_CODE/lab.sh" "$@"; }
ok() { echo "ok    $*"; }
bad() { echo "FAIL  $*"; FAILURES=$((FAILURES + 1)); }
check() { local what=$1; shift; if "$@" >>"$WORK/check.log" 2>&1; then ok "$what"; else bad "$what (see $WORK/check.log)"; fi; }

# Runs the playbook; its whole output goes to a file named for the step.
play() {
  local log=$WORK/$1.log start=$SECONDS rc=0
  shift
  # shellcheck disable=SC2086 # ENGINE is a command with its words
  lab in env ANSIBLE_NOCOLOR=1 $ENGINE playbooks/cluster.yml -i "$INVENTORY" -b --tags "$TAGS" "$@" >"$log" 2>&1 || rc=$?
  echo "      $((SECONDS - start)) s, rc $rc, $log"
  return $rc
}

# The recap's lines of the hosts, and whether each says NAME=0.
recap() { sed -n '/^PLAY RECAP/,$p' "$WORK/$1.log" | sed 's/\x1b\[[0-9;]*m//g' | grep -E '^node[0-9]+ +:'; }
recap_is_zero() {
  local lines
  lines=$(recap "$1") || return 1
  [ "$(wc -l <<<"$lines")" = "$(wc -w <<<"$HOSTS")" ] || return 1
  ! grep -vqE "\b$2=0\b" <<<"$lines"
}

# Every file of a host but what its own services write, with all that a task could change of it.
footprint() {
  lab exec "$1" sh -c '
    find / /var -xdev \( -path /var/log -o -path /var/lib/systemd -o -path /var/lib/sudo -o -path "/home/*/.ansible" -o -path "/root/.ansible" \
      -o -path /run -o -path /tmp -o -path /var/tmp -o -path /home -o -path /root \) -prune -o -printf "%p %y %m %u %g %s %T@ %l\n" | sort
    for key in net.ipv4.ip_forward net.bridge.bridge-nf-call-iptables vm.overcommit_memory kernel.panic; do sysctl "$key"; done
    hostname
    systemctl list-unit-files --no-legend --no-pager | grep -v transient'
}

# A wrong inventory: what is wrong, the words of sed that make it so, and what is given besides.
WRONG_INVENTORIES=(
  'an even number of etcd members | /^[[]etcd/,/^$/{/^node3$/d} |'
  'no group etcd | /^[[]etcd/,/^$/d |'
  'no control plane | /^[[]kube_control_plane/,/^$/{/^node/d} |'
  'a name that is no DNS label | s/^node3/node_3/ |'
  'two hosts with one address | s/10[.]77[.]0[.]13/10.77.0.12/g |'
  'an unknown network plugin | | -e kube_network_plugin=weave'
  'networks that overlap | | -e kube_pods_subnet=10.233.32.0/18'
  'hosts in the network of pods | | -e kube_pods_subnet=10.77.0.0/16'
)

step_wrong() {
  local line what edit extra
  mkdir -p "$WORK/wrong"
  ln -sfn "$PWD/inventory/lab/group_vars" "$WORK/wrong/group_vars"
  for line in "${WRONG_INVENTORIES[@]}"; do
    IFS='|' read -r what edit extra <<<"$line"
    sed "$edit" inventory/lab/inventory.ini >"$WORK/wrong/inventory.ini"
    # shellcheck disable=SC2086 # words of their own
    if INVENTORY=$WORK/wrong/inventory.ini play wrong $extra >/dev/null || grep -q 'bootstrap-os' "$WORK/wrong.log"; then
      bad "$what is not stopped (see $WORK/wrong.log)"
    else
      ok "${what% } stops the run before any host is touched"
    fi
    grep -o '"msg": "[^"]*"' "$WORK/wrong.log" | sort -u | sed 's/^/      /' || true
  done
}

step_fresh() {
  lab down "${HOSTS// /,}" >/dev/null
  lab up "${HOSTS// /,}" >/dev/null
  ok 'fresh hosts are up'
}

step_untouched() {
  local host
  for host in $HOSTS; do footprint "$host" >"$WORK/before.$host"; done
  if play untouched --check --diff && recap_is_zero untouched failed; then ok '--check --diff ends well on fresh hosts'; else bad '--check --diff fails'; fi
  for host in $HOSTS; do
    footprint "$host" >"$WORK/after.$host"
    check "--check --diff touched nothing on node$host" diff -u "$WORK/before.$host" "$WORK/after.$host"
  done
}

step_deploy() {
  if play deploy && recap_is_zero deploy failed && recap_is_zero deploy unreachable; then ok 'the run ends with failed=0'; else bad 'the run fails'; fi
  recap deploy || true
}

step_container() {
  local host said
  "$LAB_CODE/image.sh" $IMAGE "$LAB/base/$SUITE" >"$WORK/image.tar"
  for host in $HOSTS; do
    check "node$host imports an image" lab ssh "$host" ctr image import - <"$WORK/image.tar"
    said=$(lab ssh "$host" "ctr run --rm $IMAGE check-$RANDOM /bin/sh -c 'echo \$((6 * 7))'" 2>>"$WORK/check.log") || true
    if [ "$said" = 42 ]; then ok "node$host runs a container"; else bad "node$host runs no container"; fi
  done
}

etcdctl() { local host=$1; shift; lab exec "$host" etcdctl.sh "$@"; }
is_healthy() { local try; for ((try = 0; try < 20; try++)); do ! etcdctl "$FIRST" endpoint health --cluster || return 0; sleep 1; done; return 1; }
refuses_strangers() { ! lab exec "$1" curl -sk --max-time 5 "https://$(address_in_lab "$1"):2379/version"; }
address_in_lab() { echo "$FRONT_NET.$((10 + $1))"; }

step_etcd() {
  local host
  check 'every member is healthy over TLS' is_healthy
  for host in $HOSTS; do
    check "node$host sees three members" test "$(etcdctl "$host" member list | grep -c started)" = 3
    check "node$host refuses a client without a certificate" refuses_strangers "$host"
  done
}

step_failover() {
  local value=$RANDOM
  lab exec "$LAST" systemctl stop etcd
  check 'writes go on with one member stopped' etcdctl "$FIRST" put check/failover "$value"
  check 'another member reads what was written' test "$(etcdctl "$SECOND" get --print-value-only check/failover)" = "$value"
  lab exec "$LAST" systemctl start etcd
  check 'the member comes back' is_healthy
  check 'and has what was written meanwhile' test "$(etcdctl "$LAST" get --print-value-only check/failover)" = "$value"
}

step_again() {
  if play again && recap_is_zero again failed; then ok 'a second run ends well'; else bad 'a second run fails'; fi
  if recap_is_zero again changed; then ok 'a second run changes nothing'; else bad 'a second run changes something'; fi
  recap again || true
}

case ${1:-} in -h | --help | help) usage; exit ;; esac
require_machine
mkdir -p "$WORK"
: >"$WORK/check.log"
[ $# != 0 ] || set -- wrong fresh untouched deploy container etcd failover again
for step in "$@"; do
  declare -F "step_$step" >/dev/null || { usage >&2; exit 2; }
  echo "== $step"
  "step_$step"
done
[ $FAILURES = 0 ] || { echo "$FAILURES checks failed"; exit 1; }
echo 'all checks passed'
