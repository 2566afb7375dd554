#!/bin/bash
# build.sh SUITE [python]: makes $LAB/base/SUITE, a Debian root without Python, and on demand the layer with Python above it.
set -euo pipefail
. "$(dirname "$0")/settings.sh"
require_machine
find_mirrors

SUITE=${1:-$SUITE}
BASE=$LAB/base/$SUITE
PACKAGES=openssh-server,systemd,systemd-sysv,libpam-systemd,dbus,sudo,iproute2,curl,ca-certificates,procps,kmod,iputils-ping,netbase
mkdir -p "$LAB/base" "$LAB/debs" "$LAB/log"

build_base() {
  rm -rf --one-file-system "$BASE"
  timeout 900 debootstrap --variant=minbase --include="$PACKAGES" --cache-dir="$LAB/debs" "$SUITE" "$BASE" "$MIRROR" >"$LAB/log/base-$SUITE.log" 2>&1 ||
    die "debootstrap failed, see $LAB/log/base-$SUITE.log"
  # The hosts speak plain http to the lab's proxy, whatever the mirror speaks.
  cat >"$BASE/etc/apt/sources.list" <<S
deb http://${MIRROR#*://} $SUITE main
deb http://${MIRROR#*://} $SUITE-updates main
deb http://${SECURITY#*://} $SUITE-security main
S
  printf 'Acquire::Languages "none";\nAPT::Install-Recommends "false";\n' >"$BASE/etc/apt/apt.conf.d/91lab"
  rm -f "$BASE"/etc/ssh/ssh_host_* "$BASE"/var/cache/apt/archives/*.deb
  : >"$BASE/etc/machine-id"
  touch "$BASE/.done"
}

# In a mount namespace of its own, so that nothing stays mounted however it ends.
build_python() {
  rm -rf --one-file-system "$BASE-python"
  mkdir -p "$BASE-python"
  export BASE
  timeout 600 unshare --mount --propagation private bash -euc '
    root=$LAB/base/.mount
    mkdir -p "$root" "$LAB/base/.work"
    mount -t overlay -o "lowerdir=$BASE,upperdir=$BASE-python,workdir=$LAB/base/.work" none "$root"
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    cat /etc/resolv.conf >"$root/etc/resolv.conf"
    sed -i "s,http://${MIRROR#*://},$MIRROR,; s,http://${SECURITY#*://},$SECURITY," "$root/etc/apt/sources.list"
    export DEBIAN_FRONTEND=noninteractive
    chroot "$root" apt-get update -q
    chroot "$root" apt-get install -yq python3 python3-apt
    chroot "$root" apt-get clean
    rm -rf "$root"/var/lib/apt/lists/*
    cp "$BASE/etc/apt/sources.list" "$root/etc/apt/sources.list"
    : >"$root/etc/resolv.conf"
  ' >"$LAB/log/python-$SUITE.log" 2>&1 || die "installing Python failed, see $LAB/log/python-$SUITE.log"
  rm -rf "$LAB/base/.mount" "$LAB/base/.work"
  touch "$BASE-python.done"
}

[ -e "$BASE/.done" ] || build_base
[ "${2:-}" != python ] || [ -e "$BASE-python.done" ] || build_python
