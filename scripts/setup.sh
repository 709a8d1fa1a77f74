#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes a machine able to build and run cuda-opt, and builds it. The other scripts
# source this file. Whatever is there already costs no network and little time, so
# it runs before every demo and every check.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

packages=(
  clang-22 libclang-22-dev llvm-22-dev llvm-22-tools libisl-dev
  clang-format-22 cmake ninja-build g++ libgtest-dev python3 python3-yaml
)

# Of the static program, which scripts/package makes.
# shellcheck disable=SC2034 # It and the Dockerfile use them.
static_packages=(
  clang-22 libclang-22-dev llvm-22-dev lld-22 libisl-dev libgmp-dev zlib1g-dev
  libzstd-dev cmake ninja-build g++ binutils python3 python3-venv
)

# curand is here for one header, which clang's own CUDA headers include.
toolkit_wheels=(
  'nvidia-cuda-nvcc==13.0.*' 'nvidia-cuda-crt==13.0.*' 'nvidia-nvvm==13.0.*'
  'nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-cccl==13.0.*'
  'nvidia-curand==10.4.0.*'
)

say() { printf 'setup: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 2
}

# Runs a command with its output in build/setup.log; shows the end of it if the
# command fails.
quietly() {
  "$@" >"$build/setup.log" 2>&1 && return
  tail -n 40 "$build/setup.log" >&2
  die "failed: $* (all of it: $build/setup.log)"
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Says how to do without LLVM 22, where apt has none.
offer_wheel() {
  # shellcheck disable=SC2016 # The user's shell expands it.
  local codename wheel='"$(ls dist/cuda_opt-*.whl)[cuda]"' found='' sudo=''
  # shellcheck source=/dev/null
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME-}") || true
  [ "$codename" != bookworm ] ||
    say "apt of Debian 12 has '$1' with the package source bookworm-security"
  [ ! -d "$root/dist" ] ||
    found=$(find "$root/dist" -name 'cuda_opt-*.whl' | tail -n 1)
  [ -z "$found" ] || wheel="'${found}[cuda]'"
  [ -n "$found" ] ||
    say "the wheel is made by scripts/package, on Debian 12 or in a container of it"
  [ "$(id -u)" = 0 ] || sudo='sudo '
  # shellcheck disable=SC2088 # The user's shell expands it.
  die "apt has no '$1' here. A wheel of cuda-opt needs none:" \
    "${sudo}apt-get install -y python3-venv g++ &&" \
    "python3 -m venv ~/cuda-opt && ~/cuda-opt/bin/pip install $wheel"
}

install_packages() {
  local name missing=() root_command=()
  command -v apt-get >/dev/null ||
    die "knows apt only; install yourself what Debian calls: $*"
  for name; do
    is_installed "$name" || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      die "is not root and finds no sudo; as root: apt-get install ${missing[*]}"
    root_command=(sudo)
  fi
  say "installing ${missing[*]}"
  # A source that cannot be reached need not be the one that is needed.
  "${root_command[@]}" apt-get update >"$build/setup.log" 2>&1 ||
    say "apt-get update failed; going on with the package lists there are"
  for name in "${missing[@]}"; do
    apt-cache show --no-all-versions "$name" >/dev/null 2>&1 && continue
    [[ $name != *-22* ]] || offer_wheel "$name"
    die "apt has no package '$name' here; add a package source that has it"
  done
  quietly "${root_command[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

# True for a whole toolkit; one without curand is of no use to clang.
is_toolkit() {
  [ -x "$1/bin/nvcc" ] && [ -d "$1/nvvm/libdevice" ] &&
    [ -f "$1/include/cuda.h" ] && [ -f "$1/include/curand_mtgp32_kernel.h" ]
}

# Prints the folder of the CUDA Toolkit. The order is that of cuda-opt itself.
find_toolkit() {
  local nvcc dir
  nvcc=$(command -v nvcc || true)
  for dir in "${CUDA_PATH-}" "${CUDA_HOME-}" "${CUDAToolkit_ROOT-}" \
    "${CUDA_ROOT-}" "${nvcc:+$(dirname "$(readlink -f "$nvcc")")/..}" \
    /usr/local/cuda /usr/local/cuda-* /usr/lib/cuda "$build/cuda"; do
    if [ -n "$dir" ] && is_toolkit "$dir"; then
      realpath "$dir"
      return
    fi
  done
  return 1
}

# Puts the toolkit's Python wheels, with the links that they lack, in build/cuda.
install_toolkit() {
  [ "$(uname -m)" = x86_64 ] ||
    die "finds no CUDA Toolkit, and can install one on x86_64 only"
  say "finds no CUDA Toolkit; installing the compiler and headers in build/cuda"
  python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
  rm -rf "$build/cuda" "$build/wheels"
  PIP_ROOT_USER_ACTION=ignore quietly python3 -m pip install --no-deps \
    --no-compile --only-binary :all: --target "$build/wheels" \
    "${toolkit_wheels[@]}"
  ln -s lib "$build/wheels/nvidia/cu13/lib64"
  ln -s libcudart.so.13 "$build/wheels/nvidia/cu13/lib/libcudart.so"
  mv "$build/wheels/nvidia/cu13" "$build/cuda"
  rm -rf "$build/wheels"
}

# Sets CUDA_PATH, CUDA_HOME and PATH, so that every later step agrees.
use_toolkit() {
  find_toolkit >/dev/null || install_toolkit
  CUDA_HOME=$(find_toolkit)
  CUDA_PATH=$CUDA_HOME
  PATH=$CUDA_HOME/bin:$PATH
  export CUDA_HOME CUDA_PATH PATH
}

# Builds the given targets. A first build takes minutes.
build_targets() {
  cd "$root"
  [ -f "$build/build.ninja" ] || say "building; the first time takes minutes"
  quietly cmake --preset release -DCUDAToolkit_ROOT="$CUDA_HOME"
  quietly cmake --build --preset release --target "$@"
}

set_up() {
  mkdir -p "$build"
  install_packages "${packages[@]}"
  use_toolkit
  build_targets "$@"
}
