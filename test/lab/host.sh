#!/bin/bash
# host.sh: the first process in a host's new mount, pid, uts, ipc and cgroup namespaces; lays out / and becomes its init.
# In the environment: HOST (the host's folder), LOWER (overlay layers), NAME, INIT (systemd or sshd), PROXY, LAB, UNIFIED (cgroup v2: 1).
set -eu
ROOT=$HOST/root

layer_root() {
  mount --make-rprivate /
  rm -rf "$HOST/work"
  mkdir -p "$ROOT" "$HOST/upper" "$HOST/work"
  mount -t overlay overlay -o "lowerdir=$LOWER,upperdir=$HOST/upper,workdir=$HOST/work,volatile" "$ROOT"
  # A plain /var: one overlayfs cannot be the upper layer of another, and containerd keeps its own there.
  [ -e "$HOST/var/.filled" ] || { mkdir -p "$HOST/var"; cp -a "$ROOT/var/." "$HOST/var/"; touch "$HOST/var/.filled"; }
  mount --bind "$HOST/var" "$ROOT/var"
}

# /proc/sys is read-only, except what belongs to this host's namespaces, and some machine-wide keys given as files of the host's own.
OWN_KEYS='net kernel/msgmax kernel/msgmnb kernel/msgmni kernel/sem kernel/shmall kernel/shmmax kernel/shmmni kernel/shm_rmid_forced'
FAKE_KEYS='vm/overcommit_memory vm/panic_on_oom vm/swappiness vm/max_map_count kernel/panic kernel/panic_on_oops kernel/pid_max
  kernel/keys/root_maxkeys kernel/keys/root_maxbytes fs/inotify/max_user_watches fs/inotify/max_user_instances fs/file-max fs/nr_open
  fs/protected_fifos fs/protected_hardlinks fs/protected_regular fs/protected_symlinks fs/may_detach_mounts'

mount_proc() {
  local key sys=$ROOT/proc/sys
  mount -t proc -o nosuid,nodev,noexec proc "$ROOT/proc"
  mount --bind "$sys" "$sys"
  for key in $OWN_KEYS; do mount --bind "$sys/$key" "$sys/$key"; done
  for key in $FAKE_KEYS; do
    [ -e "/proc/sys/$key" ] || continue
    mkdir -p "$HOST/sysctl/${key%/*}"
    cat "/proc/sys/$key" >"$HOST/sysctl/$key"
    mount --bind "$HOST/sysctl/$key" "$sys/$key"
  done
  cat /proc/sys/kernel/random/uuid >"$HOST/boot_id"
  mount --bind "$HOST/boot_id" "$sys/kernel/random/boot_id"
  mount -o remount,bind,ro "$sys"
  [ ! -e /proc/sysrq-trigger ] || {
    mount --bind "$ROOT/proc/sysrq-trigger" "$ROOT/proc/sysrq-trigger"
    mount -o remount,bind,ro "$ROOT/proc/sysrq-trigger"
  }
}

# /sys is read-only, which also keeps udev away; the host's own control groups lie on top.
mount_sys() {
  local controllers dir groups=$ROOT/sys/fs/cgroup
  mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$ROOT/sys"
  if [ "$UNIFIED" = 1 ]; then
    mount -t cgroup2 cgroup2 "$groups"
    return
  fi
  mount -t tmpfs -o mode=755,nosuid,nodev,noexec cgroup "$groups"
  while IFS=: read -r _ controllers _; do
    case $controllers in '') dir=unified ;; name=*) dir=${controllers#name=} ;; *) dir=$controllers ;; esac
    mkdir "$groups/$dir"
    if [ "$dir" = unified ]; then mount -t cgroup2 cgroup2 "$groups/$dir"; else mount -t cgroup -o "$controllers" cgroup "$groups/$dir"; fi
  done </proc/self/cgroup
}

mount_dev() {
  local node link dev=$ROOT/dev
  mount -t tmpfs -o mode=755,nosuid dev "$dev"
  mkdir "$dev/pts" "$dev/shm" "$dev/net" "$dev/mqueue"
  for node in null zero full random urandom tty fuse net/tun; do
    [ ! -e "/dev/$node" ] || { cp -a "/dev/$node" "$dev/$node"; chmod 666 "$dev/$node"; }
  done
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$dev/pts"
  ln -s pts/ptmx "$dev/ptmx"
  mount -t tmpfs -o mode=1777 shm "$dev/shm"
  ln -s /proc/self/fd "$dev/fd"
  for link in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${link%:*}" "$dev/${link#*:}"; done
  : >"$HOST/console.log"
  : >"$dev/console"
  mount --bind "$HOST/console.log" "$dev/console"
  ln -s null "$dev/kmsg"
  mount -t tmpfs -o mode=755,nosuid,nodev run "$ROOT/run"
  mkdir "$ROOT/run/sshd" "$ROOT/run/lock"
}

# Only what a reboot loses is written at every start; what a run may change is written once.
give_identity() {
  [ -e "$HOST/named" ] || {
    echo "$NAME" >"$ROOT/etc/hostname"
    printf '127.0.0.1 localhost\n127.0.1.1 %s\n::1 localhost ip6-localhost\n' "$NAME" >"$ROOT/etc/hosts"
    : >"$ROOT/etc/resolv.conf"
    tr -d - </proc/sys/kernel/random/uuid >"$ROOT/etc/machine-id"
    ssh-keygen -q -t ed25519 -N '' -f "$ROOT/etc/ssh/ssh_host_ed25519_key"
    printf 'UseDNS no\nHostKey /etc/ssh/ssh_host_ed25519_key\n' >"$ROOT/etc/ssh/sshd_config.d/lab.conf"
    echo "Acquire::http::Proxy \"$PROXY\";" >"$ROOT/etc/apt/apt.conf.d/90lab-proxy"
    echo force-unsafe-io >"$ROOT/etc/dpkg/dpkg.cfg.d/lab"
    ln -sf /dev/null "$ROOT/etc/systemd/system/console-getty.service"
    add_users
    touch "$HOST/named"
  }
  hostname "$(cat "$ROOT/etc/hostname")"
}

add_users() {
  mkdir -p -m 700 "$ROOT/root/.ssh"
  cp "$LAB/key.pub" "$ROOT/root/.ssh/authorized_keys"
  chown 0:0 "$ROOT/root/.ssh/authorized_keys"
  chroot "$ROOT" useradd -m -s /bin/bash admin
  mkdir -p -m 700 "$ROOT/home/admin/.ssh"
  cp "$LAB/key.pub" "$ROOT/home/admin/.ssh/authorized_keys"
  chroot "$ROOT" chown -R admin: /home/admin/.ssh
  echo 'admin ALL=(ALL) NOPASSWD:ALL' >"$ROOT/etc/sudoers.d/admin"
}

# The machine's clock, kernel log, modules and raw devices stay out of the host's reach.
become_init() {
  case $INIT in
  systemd) set -- /sbin/init ;;
  sshd) set -- /usr/sbin/sshd -D -E /var/log/sshd.log ;;
  esac
  cd "$ROOT"
  mkdir -p .old
  pivot_root . .old
  umount -l /.old
  rmdir /.old 2>/dev/null || true
  mount --make-rshared /
  exec /usr/bin/setpriv --bounding-set -sys_time,-sys_module,-sys_rawio,-syslog,-wake_alarm \
    /usr/bin/env -i container=lab container_uuid="$(cat /etc/machine-id)" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    "$@" </dev/null >/dev/null 2>&1
}

layer_root
mount_proc
mount_sys
mount_dev
give_identity
become_init
