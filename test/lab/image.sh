#!/bin/bash
# image.sh NAME ROOT: a container image that holds nothing but a shell, taken from a Debian root, as an archive on standard output.
set -euo pipefail
name=$1 root=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

mkdir -p "$dir/layer/bin" "$dir/image"
cp -L "$root/bin/dash" "$dir/layer/bin/sh"
# The shell's libraries at the paths that its loader looks for them.
chroot "$root" ldd /bin/dash | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$dir/layer$(dirname "$library")"
  cp -L "$root$library" "$dir/layer$library"
done
tar -C "$dir/layer" --owner=0 --group=0 --sort=name --mtime=@0 -cf "$dir/image/layer.tar" .
sum=$(sha256sum "$dir/image/layer.tar")
cat >"$dir/image/config.json" <<J
{"architecture":"$(dpkg --print-architecture)","os":"linux","config":{"Env":["PATH=/bin"],"Cmd":["/bin/sh"]},"rootfs":{"type":"layers","diff_ids":["sha256:${sum%% *}"]}}
J
echo "[{\"Config\":\"config.json\",\"RepoTags\":[\"$name\"],\"Layers\":[\"layer.tar\"]}]" >"$dir/image/manifest.json"
tar -C "$dir/image" -cf - manifest.json config.json layer.tar
