#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loops of CSparse (T. Davis; not part of this repository) with marks and nothing
# else changed: made from a checkout of it, rewritten, and measured against the
# original, which the host's C compiler gets.
#
#   csparse.sh rewrite CHECKOUT CUDA_OPT FOLDER   the sources
#   csparse.sh build FOLDER                       FOLDER/csparse
#   FOLDER/csparse [points along an edge]
#
# Without nvcc, COMPILE="clang++ -x c++ -O3 -pthread" LINK="clang++ -pthread" build
# what the CPU's strategies can do.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
runtime=$here/../../runtime/include
loops=(cs_lsolve cs_ltsolve cs_usolve cs_gaxpy)

# The source of a function, with a mark in front of its outermost loop.
mark() { # FUNCTION MATRIX CLAUSES
  local m=$2
  awk -v mark="    CUDAOPT_LEVELIZE($3, ${m}p[0:n + 1], ${m}i[0:${m}p[n]], ${m}x[0:${m}p[n]], reuse(${m}p, ${m}i))" '
    BEGIN { print "#include <cudaopt/annotations.h>" }
    /^    for / { print mark }
    { print }' "$checkout/CSparse/Source/$1.c" > "$folder/$1.marked.cpp"
}

rewrite() {
  local checkout=$1 cuda_opt=$2 folder=$3 name
  mkdir -p "$folder"
  cp "$checkout/CSparse/Include/cs.h" "$folder"
  mark cs_lsolve L 'x[0:n]'
  mark cs_ltsolve L 'x[0:n]'
  mark cs_usolve U 'x[0:n]'
  mark cs_gaxpy A 'x[0:n], y[0:A->m]'
  for name in "${loops[@]}"; do
    cp "$checkout/CSparse/Source/$name.c" "$folder"
    "$cuda_opt" --passes=levelize "$folder/$name.marked.cpp" \
      -o "$folder/$name.rewritten.cpp" -- -x c++ -std=c++17 -I "$folder" -I "$runtime"
  done
}

build() {
  local folder=$1 name jobs=() job
  local compile=${COMPILE:-nvcc -x cu -arch=sm_90 -O3 -fmad=false}
  local link=${LINK:-nvcc -arch=sm_90 -cudart static}
  for name in "${loops[@]}"; do
    gcc -O3 -c "-D$name=original_$name" -I "$folder" "$folder/$name.c" \
      -o "$folder/$name.o"
    $compile -std=c++17 -I "$folder" -I "$runtime" -c "$folder/$name.rewritten.cpp" \
      -o "$folder/$name.rewritten.o" &
    jobs+=($!)
  done
  $compile -std=c++17 -I "$folder" -I "$runtime" -c "$here/csparse_main.cpp" \
    -o "$folder/main.o"
  for job in "${jobs[@]}"; do
    wait "$job"
  done
  $link "$folder"/*.o -o "$folder/csparse"
}

"$@"
