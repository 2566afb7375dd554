# The control groups that the hosts run in; sourced. Each host has its own below the lab's, in every hierarchy of the machine.

is_unified() { [ "$(stat -f -c %T /sys/fs/cgroup)" = cgroup2fs ]; }

# Directories above the lab's. Written down once, since a later caller may itself sit in other control groups.
cgroup_parents() {
  [ -s "$LAB/run/cgroups" ] || {
    mkdir -p "$LAB/run"
    if is_unified; then echo /sys/fs/cgroup; else own_cgroups; fi >"$LAB/run/cgroups"
  }
  cat "$LAB/run/cgroups"
}

own_cgroups() {
  local controllers path
  while IFS=: read -r _ controllers path; do
    case $controllers in '') controllers=unified ;; name=*) controllers=${controllers#name=} ;; esac
    path=${path%/"$FRONT"*}
    echo "/sys/fs/cgroup/$controllers${path%/}"
  done </proc/self/cgroup
}

# Puts the calling shell, and so all it starts, into the groups of host $1.
enter_cgroups() {
  local parent file name
  for parent in $(cgroup_parents); do
    mkdir -p "$parent/$FRONT/$1"
    if is_unified; then
      for file in "$parent" "$parent/$FRONT"; do
        for name in memory pids cpu; do echo "+$name" >"$file/cgroup.subtree_control" 2>/dev/null || true; done
      done
    elif [ -e "$parent/cpuset.cpus" ]; then # an empty cpuset takes no process
      for file in cpus mems; do
        for name in "$FRONT" "$FRONT/$1"; do cat "$parent/cpuset.$file" >"$parent/$name/cpuset.$file"; done
      done
    fi
    echo "$BASHPID" >"$parent/$FRONT/$1/cgroup.procs"
  done
}

# Every process of host $1, or of all hosts.
members() {
  local parent
  for parent in $(cgroup_parents | grep -e /pids -e '^/sys/fs/cgroup$'); do
    find "$parent/$FRONT/${1:-}" -name cgroup.procs -exec cat {} + 2>/dev/null
  done | sort -un
}

remove_cgroups() {
  local parent try
  for try in 1 2 3 4 5; do
    for parent in $(cgroup_parents); do
      [ ! -d "$parent/$FRONT/${1:-}" ] || find "$parent/$FRONT/${1:-}" -depth -type d -exec rmdir {} + 2>/dev/null || true
    done
    sleep 0.1
  done
}
