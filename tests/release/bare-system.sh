#!/bin/sh
# Runs a program as user 10001 on a system that can only be read, as a container has it: folder, command. In a mount namespace
# of its own (unshare -m), so that nothing is left behind.
set -eu
root=$1
shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
for device in null zero random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777,size=128m tmpfs "$root/tmp"
mount -t tmpfs -o mode=755,uid=10001,gid=10001 tmpfs "$root/var/lib/portlight"
mount -o remount,ro,bind "$root"
exec env -i PORTLIGHT_DATA_DIR=/var/lib/portlight /usr/sbin/chroot --userspec=10001:10001 "$root" "$@"
