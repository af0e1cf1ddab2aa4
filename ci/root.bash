# Makes a root of Debian in a folder, and runs commands in it. Sourced by ci/bare and ci/toolchain-6.0, which set
# `folder`, `binds` and `search_path`, and define `fail`.

# make_root RELEASE: $folder/root, unless it is there, with how this machine reaches packages of Debian, Python and Swift.
make_root() {
  root=$folder/root
  [[ $(id -u) == 0 ]] || fail "making a root takes root"
  if [[ ! -e $root/made ]]; then
    command -v debootstrap >/dev/null || fail "debootstrap is not installed"
    echo "making $root, Debian $1"
    debootstrap --variant=minbase --include=ca-certificates "$1" "$root" >"$folder/debootstrap.log" 2>&1 ||
      fail "no root was made: $folder/debootstrap.log"
    touch "$root/made"
  fi
  local file
  # Sources of packages only where they are this release's.
  local reach=(
    /etc/apt/apt.conf.d /etc/apt/auth.conf.d /etc/apt/keyrings /usr/share/keyrings /etc/resolv.conf /etc/hosts
    /etc/pip.conf /etc/gitconfig /usr/local/share/ca-certificates
  )
  ! grep -qsw "$1" /etc/os-release || reach+=(/etc/apt/sources.list /etc/apt/sources.list.d)
  for file in "${reach[@]}"; do
    [[ -e $file ]] || continue
    mkdir -p "$root$(dirname "$file")"
    cp -rL --remove-destination "$file" "$root$(dirname "$file")/" 2>/dev/null || true
  done
  for file in .gitconfig .config/pip; do
    [[ -e $HOME/$file ]] || continue
    mkdir -p "$(dirname "$root/root/$file")"
    cp -rL "$HOME/$file" "$(dirname "$root/root/$file")/"
  done
  # No service starts in it.
  printf '#!/bin/sh\nexit 101\n' | install -m 0755 /dev/stdin "$root/usr/sbin/policy-rc.d"
}

# in_root COMMAND…: the mounts end with the namespace that this makes, whatever happens in it.
in_root() {
  unshare --mount --pid --fork --kill-child bash -euc '
    root=$1 path=$2; shift 2
    mount --make-rprivate /
    mkdir -p "$root/proc" "$root/dev"
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o mode=755 dev "$root/dev"
    for device in null zero full random urandom tty; do
      touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"
    done
    ln -s /proc/self/fd "$root/dev/fd"
    mkdir "$root/dev/shm"; mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
    while [[ $1 != -- ]]; do
      mkdir -p "$root${1#*:}"; mount --bind -o ro "${1%%:*}" "$root${1#*:}"; shift
    done
    shift
    exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
      PATH="$path/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$@"
  ' bash "$root" "$search_path" "${binds[@]}" -- "$@"
}

# install_in_root PACKAGE…
install_in_root() {
  in_root sh -c 'apt-get update --quiet && apt-get install --yes --quiet --no-install-recommends "$@"' sh "$@" \
    >"$folder/packages.log" 2>&1 || fail "packages were not installed: $folder/packages.log"
}
