#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Solves of CSparse (T. Davis; not part of this repository) with marks and nothing
# else changed: made from a checkout of it, rewritten, and measured against the
# original, which the host's C compiler gets.
#
#   csparse.sh CHECKOUT CUDA_OPT FOLDER     makes FOLDER/csparse
#   FOLDER/csparse [points along an edge]
#
# COMPILE says how to compile the rewritten program; without nvcc,
# COMPILE="clang++ -x c++ -O3 -pthread" measures the CPU's strategies.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
runtime=$here/../../runtime/include
checkout=$1 cuda_opt=$2 folder=$3
compile=${COMPILE:-nvcc -x cu -arch=sm_90 -O3 -fmad=false -cudart static}
mkdir -p "$folder"

sizes='[0:n + 1]'
marks() { # FUNCTION: its source, with a mark in front of the outermost loop.
  local matrix=$2 extents=$3
  awk -v mark="    CUDAOPT_LEVELIZE($extents, ${matrix}p$sizes, ${matrix}i[0:${matrix}p[n]], ${matrix}x[0:${matrix}p[n]], reuse(${matrix}p, ${matrix}i))" \
    '/^    for / { print mark } { print }' "$checkout/CSparse/Source/$1.c"
}
{
  echo '#include <cudaopt/annotations.h>'
  marks cs_lsolve L 'x[0:n]'
  marks cs_ltsolve L 'x[0:n]'
  marks cs_usolve U 'x[0:n]'
  marks cs_gaxpy A 'x[0:n], y[0:A->m]'
} > "$folder/marked.cpp"
flags=(-std=c++17 -I "$checkout/CSparse/Include" -I "$runtime")
"$cuda_opt" --passes=levelize "$folder/marked.cpp" -o "$folder/rewritten.cpp" -- \
  -x c++ "${flags[@]}"

for name in cs_lsolve cs_ltsolve cs_usolve cs_gaxpy; do
  gcc -O3 -c "-D$name=original_$name" -I "$checkout/CSparse/Include" \
    "$checkout/CSparse/Source/$name.c" -o "$folder/$name.o"
done
objects=("$folder"/cs_*.o)
# The language that a -x in front chose is not that of the objects.
$compile "${flags[@]}" -c "$folder/rewritten.cpp" -o "$folder/rewritten.o"
$compile "${flags[@]}" -c "$here/csparse_main.cpp" -o "$folder/main.o"
$(sed "s/-x [a-z+]*//" <<< "$compile") "$folder/main.o" "$folder/rewritten.o" "${objects[@]}" \
  -o "$folder/csparse"
