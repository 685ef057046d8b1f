#!/bin/sh
# build-kit.sh FOLDER: what a guest is made of: vmlinuz, busybox, and base.cpio with modules and programs.
#
# Kernel and busybox are Debian packages, unpacked and not installed; the other programs are this machine's own.
set -eu
kit=$1
modules='netfs fscache 9pnet 9pnet_fd 9p
  virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci failover net_failover virtio_net'
programs='bash cat chmod cmp cp cut date dd df du env find git grep head ls md5sum mkdir mktemp mv rm rmdir sed seq sleep
  sort stat tail tar tee timeout touch tr truncate wc xargs'

mkdir -p "$(dirname "$kit")"
work=$(mktemp -d "$kit.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"

# The generic kernel: the one for clouds has no 9p. The name of its package has a version in it.
kernel_package() {
  apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*-amd64\)$/\1/p' | head -n 1
}
fetch() { apt-get -q -o APT::Sandbox::User=root download "$(kernel_package)" busybox-static; }
[ -n "$(kernel_package)" ] && fetch || { apt-get -q update && fetch; }

mkdir kernel busy root root/bin root/modules
dpkg-deb -x linux-image-*.deb kernel
dpkg-deb -x busybox-static_*.deb busy
cp kernel/boot/vmlinuz-* vmlinuz
cp "$(find busy -path '*/bin/busybox' -type f)" busybox
cp busybox root/bin/busybox

# In the order in which they can be loaded. What is not there is part of the kernel itself.
number=100
for module in $modules; do
  number=$((number + 1))
  file=$(find kernel -name "$module.ko*")
  [ -z "$file" ] || cp "$file" "root/modules/$number-$(basename "$file")"
done

for program in $programs; do
  file=$(command -v "$program")
  cp -L "$file" root/bin/
  for library in $(ldd "$file" | grep -o '/[^ ]*'); do
    mkdir -p "root$(dirname "$library")"
    [ -e "root$library" ] || cp -L "$library" "root$library"
  done
done

(cd root && find . | ../busybox cpio -o -H newc -R 0:0 2>/dev/null) >base.cpio
rm -rf kernel busy root ./*.deb
touch ready
mv "$work" "$kit" 2>/dev/null || [ -e "$kit/ready" ]
