# The lab's networks; sourced. A network is a namespace holding a bridge, a port of the package proxy, and no way out.

has_netns() { [ -e "/run/netns/$1" ]; }

# A network's namespace is named by $1; its bridge answers at $2.1.
network_up() {
  local netns=$1 net=$2
  has_netns "$netns" || {
    ip netns add "$netns"
    ip -n "$netns" link set lo up
    ip -n "$netns" link add br0 type bridge
    ip -n "$netns" addr add "$net.1/24" dev br0
    ip -n "$netns" link set br0 up
  }
  is_running "relay-$netns" || start "relay-$netns" nsenter --net="/run/netns/$netns" node "$LAB_CODE/aptproxy.mjs" relay "$net.1" $PROXY_PORT "$LAB/run/apt.sock"
}

proxy_up() {
  is_running proxy || start proxy node "$LAB_CODE/aptproxy.mjs" serve "$LAB/run/apt.sock" "$LAB/aptcache" "$MIRROR" "$SECURITY"
}

# Plugs host $1 into network $2 ($3) as interface $4.
plug() {
  local host=$1 netns=$2 net=$3 nic=$4
  has_netns "$FRONT-$host" || { ip netns add "$FRONT-$host"; ip -n "$FRONT-$host" link set lo up; }
  ip -n "$FRONT-$host" link show "$nic" >/dev/null 2>&1 && return 0
  ip -n "$netns" link add "v$host" type veth peer name "$nic" netns "$FRONT-$host"
  ip -n "$netns" link set "v$host" master br0 up
  ip -n "$FRONT-$host" link set "$nic" up
  ip -n "$FRONT-$host" addr add "$net.$((10 + host))/24" dev "$nic"
  [ "$nic" != eth0 ] || ip -n "$FRONT-$host" route add default via "$net.1"
}

# A link is removed by itself, since a namespace takes its links with it only some time after it is gone.
unplug() {
  local netns
  for netns in $FRONT $BACK; do ! has_netns $netns || ip -n $netns link del "v$1" 2>/dev/null || true; done
  ! has_netns "$FRONT-$1" || ip netns del "$FRONT-$1"
}

# The network of a host: "NETNS NET", as it was brought up.
network_of() { cat "$LAB/hosts/$1/network"; }
address_of() { local netns net; read -r netns net < <(network_of "$1"); echo "$net.$((10 + $1))"; }
in_network_of() { local netns; read -r netns _ < <(network_of "$1"); shift; nsenter --net="/run/netns/$netns" "$@"; }

# Background programs of the lab, each with its pid in a file and a mark in its environment, by which a pid used again by a stranger is told
# and the lab of another copy of this code is known as the same.
start() {
  local name=$1
  shift
  LAB_PROGRAM="$name of $LAB" setsid "$@" >"$LAB/log/$name.log" 2>&1 </dev/null &
  echo $! >"$LAB/run/$name.pid"
}
running() {
  local pid
  pid=$(cat "$LAB/run/$1.pid" 2>/dev/null) && tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | grep -qxF "LAB_PROGRAM=$1 of $LAB" && echo "$pid"
}
is_running() { running "$1" >/dev/null; }
stop() { local pid; pid=$(running "$1") && kill "$pid" 2>/dev/null || true; rm -f "$LAB/run/$1.pid"; }
