# Names, addresses and checks that every script of the lab shares; sourced, never run.

LAB_CODE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export LAB=${LAB:-${TMPDIR:-/tmp}/tsspray-lab}

SUITE=${SUITE:-bookworm}   # Debian release of the hosts
PYTHON=${PYTHON:-0}        # 1: the hosts get Python
BASTION=${BASTION:-0}      # 1: the last host is reachable through host 1 only; all: all but host 1
export INIT=${INIT:-systemd}

FRONT=${LAB_NAME:-tsslab}   # network namespace of the controller and of the hosts' bridge; names the lab on the machine
BACK=$FRONT-back           # a second bridge, which the controller has no way into
FRONT_NET=10.77.0
BACK_NET=10.77.1
PROXY_PORT=3142

die() { echo "lab: $*" >&2; exit 1; }

# The machine must be able to carry a lab; says what is missing and how to get it.
require_machine() {
  local tool missing=()
  [ "$(id -u)" = 0 ] || die 'needs root: run it with sudo'
  [ -e /etc/debian_version ] || die 'needs Debian: the hosts are made with its tools and from its mirrors'
  for tool in debootstrap:debootstrap ip:iproute2 nsenter:util-linux setpriv:util-linux ssh:openssh-client node:nodejs; do
    command -v "${tool%:*}" >/dev/null || missing+=("${tool#*:}")
  done
  [ ${#missing[@]} = 0 ] || die "missing programs: apt-get install ${missing[*]}"
}

# Debian mirrors of this machine's own apt configuration, unless LAB_MIRROR and LAB_SECURITY name others.
find_mirrors() {
  local targets
  targets=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | sort -u)
  MIRROR=${LAB_MIRROR:-$(awk '$1 ~ /\/debian\/?$/ { print $1; exit }' <<<"$targets")}
  SECURITY=${LAB_SECURITY:-$(awk '$2 ~ /-security$/ { print $1; exit }' <<<"$targets")}
  export MIRROR=${MIRROR:-http://deb.debian.org/debian/} SECURITY=${SECURITY:-http://deb.debian.org/debian-security/}
}
