#!/bin/bash
# Several real Debian hosts on one machine: each with its own root, network and systemd, reached over real OpenSSH.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
. "$LAB_CODE/cgroups.sh"
. "$LAB_CODE/network.sh"

usage() {
  cat <<U
lab up HOSTS           bring up hosts: 3 means 1 to 3, 4-6 means 4 to 6, 5,7 means those; hosts that are up are left as they are
lab down [HOSTS]       end those hosts, or all of the lab, and remove what they wrote
lab status             every host, its address and the process id of its init
lab ssh HOST [CMD…]    a shell, or a command, on a host over ssh as root (SSH_USER=admin for the other user)
lab exec HOST CMD…     a command on a host without ssh
lab in CMD…            a command of this machine inside the lab's network; run the controller this way

Host K answers at $FRONT_NET.(10+K) to users root and admin (who may sudo), with the key $LAB/key.
In the environment of up:
  PYTHON=1             the hosts get Python; without, they have none
  BASTION=1            the last of the hosts is put behind host 1, at $BACK_NET.(10+K); BASTION=all: all of them but host 1
  SUITE=trixie         another Debian release than bookworm
  INIT=sshd            sshd alone instead of systemd: lighter, for many hosts
  LAB=DIR              where the lab keeps its files (now $LAB)
  LAB_NAME=tsslab      the lab's name on the machine; another name and another LAB make a second lab
  LAB_MIRROR, LAB_SECURITY   Debian mirrors, when not those of this machine
U
}

SSH=(ssh -i "$LAB/key" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o ConnectTimeout=5)

# 3 -> 1 2 3; 4-6 -> 4 5 6; 5,7 -> 5 7
hosts_of() {
  local part
  [[ ${1:-} =~ ^[0-9]+([,-][0-9]+)*$ ]] || { usage >&2; exit 2; }
  case $1 in
  *-* | *,*) for part in ${1//,/ }; do seq "${part%-*}" "${part#*-}"; done ;;
  *) seq 1 "$1" ;;
  esac
}

up() {
  local hosts host
  hosts=$(hosts_of "${1:-}")
  require_machine
  find_mirrors
  "$LAB_CODE/build.sh" "$SUITE" "$([ "$PYTHON" = 0 ] || echo python)"
  mkdir -p "$LAB/run" "$LAB/hosts" "$LAB/log"
  [ -e "$LAB/key" ] || ssh-keygen -q -t ed25519 -N '' -C lab -f "$LAB/key"
  cgroup_parents >/dev/null
  proxy_up
  network_up $FRONT $FRONT_NET
  case $BASTION in
  1) put_behind "$(tail -n 1 <<<"$hosts")" ;;
  all) put_behind "$(grep -vx 1 <<<"$hosts")" ;;
  esac
  for host in $hosts; do host_up "$host"; done
  for host in $hosts; do await_ssh "$host"; done
  status
}

# A second network, which host 1 alone shares with the one the controller is in; hosts that are up stay where they are.
put_behind() {
  local host
  [ "$1" != 1 ] || die 'BASTION=1 needs a host besides host 1'
  network_up $BACK $BACK_NET
  plug 1 $BACK $BACK_NET eth1
  for host in $1; do
    mkdir -p "$LAB/hosts/$host"
    [ -e "$LAB/hosts/$host/network" ] || echo "$BACK $BACK_NET" >"$LAB/hosts/$host/network"
  done
}

host_up() {
  local dir=$LAB/hosts/$1 netns net
  mkdir -p "$dir"
  [ -e "$dir/network" ] || echo "$FRONT $FRONT_NET" >"$dir/network"
  [ -e "$dir/layers" ] || echo "$([ "$PYTHON" = 0 ] || echo "$LAB/base/$SUITE-python:")$LAB/base/$SUITE" >"$dir/layers"
  read -r netns net <"$dir/network"
  plug "$1" "$netns" "$net" eth0
  is_running "host-$1" || start "host-$1" "$LAB_CODE/lab.sh" supervise "$1"
}

# One host's life: init is started again when it asks for a reboot, which in a pid namespace ends it by a hangup.
supervise() {
  local net rc
  export HOST=$LAB/hosts/$1 NAME=node$1 LOWER PROXY UNIFIED
  LOWER=$(cat "$HOST/layers")
  read -r _ net <"$HOST/network"
  PROXY=http://$net.1:$PROXY_PORT
  UNIFIED=$(is_unified && echo 1 || echo 0)
  enter_cgroups "$1"
  while :; do
    rc=0
    nsenter --net="/run/netns/$FRONT-$1" unshare --mount --pid --uts --ipc --cgroup --fork "$LAB_CODE/host.sh" || rc=$?
    echo "init ended: $rc"
    [ $rc = 129 ] || break
  done
}

await_ssh() {
  local try address
  address=$(address_of "$1")
  for ((try = 0; try < 600; try++)); do
    in_network_of "$1" timeout 2 bash -c "exec 3<>/dev/tcp/$address/22 && read -r -t 2 line <&3 && [[ \$line == SSH* ]]" 2>/dev/null && return 0
    is_running "host-$1" || die "host $1 ended, see $LAB/log/host-$1.log"
    sleep 0.1
  done
  die "host $1 has no sshd after a minute, see $LAB/hosts/$1/console.log"
}

# The init of a host: the one process whose pid is 1 in the namespace below this one.
init_of() {
  local pid
  for pid in $(members "$1"); do
    [ "$(awk '/^NSpid:/ { print NF, $3 }' "/proc/$pid/status" 2>/dev/null)" != '3 1' ] || { echo "$pid"; return 0; }
  done
  return 1
}

down() {
  local host
  require_machine
  if [ -n "${1:-}" ]; then
    for host in $(hosts_of "$1"); do host_down "$host"; done
    return
  fi
  for host in "$LAB"/hosts/*/; do [ ! -d "$host" ] || halt "$(basename "$host")"; done
  for host in "$LAB"/hosts/*/; do [ ! -d "$host" ] || host_down "$(basename "$host")"; done
  stop "relay-$BACK"
  stop "relay-$FRONT"
  stop proxy
  for host in $BACK $FRONT; do ! has_netns "$host" || ip netns del "$host"; done
  remove_cgroups
  rm -rf --one-file-system "$LAB/hosts" "$LAB/run"
  echo down
}

# Asks a host's init to halt; sshd as init knows no such wish.
halt() {
  local init
  init=$(init_of "$1") || return 0
  if grep -qs systemd "/proc/$init/comm"; then kill -s RTMIN+4 "$init"; else kill -9 "$init"; fi
}

host_down() {
  local try pid
  halt "$1"
  for ((try = 0; try < 100; try++)); do [ -n "$(members "$1")" ] || break; sleep 0.1; done
  for pid in $(members "$1"); do kill -9 "$pid" 2>/dev/null || true; done
  unplug "$1"
  remove_cgroups "$1"
  rm -rf --one-file-system "$LAB/hosts/$1" "$LAB/run/host-$1.pid"
}

status() {
  local dir host
  for dir in "$LAB"/hosts/*/; do
    [ -d "$dir" ] || { echo 'no hosts'; return; }
    host=$(basename "$dir")
    echo "node$host $(address_of "$host") init=$(init_of "$host" || echo -) layers=$(sed "s,$LAB/base/,,g" "$dir/layers")"
  done
}

over_ssh() {
  local host=$1
  shift
  in_network_of "$host" "${SSH[@]}" "${SSH_USER:-root}@$(address_of "$host")" "$@"
}

inside() {
  local init
  init=$(init_of "$1") || die "host $1 is not up"
  shift
  exec nsenter -t "$init" -a -r -w -- "$@"
}

command=${1:-}
[ $# = 0 ] || shift
case $command in
up | down | status) $command "$@" ;;
ssh) over_ssh "$@" ;;
exec) inside "$@" ;;
in) exec nsenter --net="/run/netns/$FRONT" "$@" ;;
supervise) supervise "$@" ;;
help | --help | -h) usage ;;
*) usage >&2; exit 2 ;;
esac
