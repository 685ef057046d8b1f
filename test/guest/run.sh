#!/bin/sh
# run.sh NAME=VALUE...: boots a Linux guest that runs guest-init, and prints what it has to say.
#
# The words become environment variables of guest-init. The host is 10.0.2.2 to the guest. Kernel and programs are
# kept in $OLLIE_TEST_CACHE (default: ~/.cache/ollie-test); what the kernel itself says is in console.log there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${OLLIE_TEST_CACHE:-$HOME/.cache/ollie-test}
kit=$cache/guest-$(cksum <"$here/build-kit.sh" | tr ' ' -)
[ -e "$kit/ready" ] || sh "$here/build-kit.sh" "$kit" >&2

job=$(mktemp -d)
qemu=
finish() { [ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true; rm -rf "$job"; }
trap finish EXIT
trap 'exit 143' TERM INT HUP
mkdir "$job/job"
cp -r "$here/guest-init" "$here/checks.sh" "$here/../../examples" "$job/job"
for word; do printf "export %s='%s'\n" "${word%%=*}" "${word#*=}"; done >"$job/job/environment"
(cd "$job" && find job | "$kit/busybox" cpio -o -H newc -R 0:0 2>/dev/null) >"$job/job.cpio"
cat "$kit/base.cpio" "$job/job.cpio" >"$job/initramfs"

# ttyS0 is the kernel's console, ttyS1 our standard output. The empty romfile: there is nothing to boot from the network.
qemu-system-x86_64 -accel tcg -m 320 -no-reboot -nodefaults -display none -no-user-config \
  -kernel "$kit/vmlinuz" -initrd "$job/initramfs" \
  -append 'console=ttyS0 quiet panic=-1 rdinit=/job/guest-init' \
  -netdev user,id=net -device virtio-net-pci,netdev=net,romfile= \
  -serial "file:${OLLIE_TEST_CONSOLE:-$cache/console.log}" -serial stdio </dev/null &
qemu=$!
wait "$qemu"
qemu=
