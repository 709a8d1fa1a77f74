#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a call of a short loop costs once it is rewritten, where there is no device:
#
#   short_loops.sh CUDA_OPT FOLDER [iterations...]
#
# COMPILE="clang++ -O3" compiles with another compiler than g++ -O2, CORE=1 chooses the
# core. Prints the loop, the iterations, and medians over nine processes: ns of a call of
# the original, of the rewritten loop, their difference and their ratio.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
runtime=$here/../../runtime/include
cuda_opt=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- 1 2 4 8 16 64 256 1000 10000 100000 1000000
compile="${COMPILE:-g++ -O2} -std=c++17 -I $runtime"

mkdir -p "$folder"
"$cuda_opt" -q --passes=levelize "$here/short_loops.cpp" -o "$folder/rewritten.cpp" \
  -- -x c++ -std=c++17 -I "$runtime" -DLOOPS=rewritten
$compile -DLOOPS=original -c "$here/short_loops.cpp" -o "$folder/original.o"
$compile -DLOOPS=rewritten -c "$folder/rewritten.cpp" -o "$folder/rewritten.o"
$compile "$here/short_loops_main.cpp" "$folder"/*.o -pthread -o "$folder/short_loops"
for _ in 1 2 3 4 5 6 7 8 9; do
  taskset -c "${CORE:-0}" "$folder/short_loops" "$@"
done | awk '
  function median(of, key, i, j, held) {
    for (i = 2; i <= count[key]; ++i)
      for (j = i; j > 1 && of[key, j - 1] > of[key, j]; --j) {
        held = of[key, j]; of[key, j] = of[key, j - 1]; of[key, j - 1] = held
      }
    return of[key, int((count[key] + 1) / 2)]
  }
  {
    key = $1 " " $2
    if (!count[key]++) keys[++number] = key
    before[key, count[key]] = $3; after[key, count[key]] = $4
    more[key, count[key]] = $4 - $3; ratio[key, count[key]] = $4 / $3
  }
  END {
    for (k = 1; k <= number; ++k)
      printf "%-18s %10.2f %10.2f %+8.2f %6.2fx\n", keys[k], median(before, keys[k]),
        median(after, keys[k]), median(more, keys[k]), median(ratio, keys[k])
  }'
