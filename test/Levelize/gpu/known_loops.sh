#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The loops of known-loops.cu on a device: the original and the rewritten program
# must print the same hashes, wherever the runtime is told to work and whatever
# strategy it is told to take.
#
#   known_loops.sh build CUDA_OPT FOLDER   two programs; needs nvcc and g++
#   known_loops.sh run FOLDER [SIZE...]    needs a device
#
# The last line of "run" tells the number of programs that differed; it is the
# exit status, too.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

build() {
  local cuda_opt=$1 folder=$2 source=$here/../known-loops.cu
  local runtime=$here/../../../runtime/include
  mkdir -p "$folder"
  "$cuda_opt" --passes=levelize "$source" -o "$folder/rewritten.cu" -- \
    -std=c++17 -I "$runtime"
  local flags=(-std=c++17 -O2 -DWITH_MAIN -I "$runtime" -I "$here/../Inputs")
  g++ -x c++ "${flags[@]}" -static "$source" -o "$folder/original"
  # Products and sums stay apart, as on the host.
  nvcc -arch=sm_90 -fmad=false -cudart static "${flags[@]}" \
    "$folder/rewritten.cu" -o "$folder/rewritten"
}

# How many loops ran where they were sent, by the trace.
count() { grep -c "on the $1 (ok)" "$2" || true; }

run() {
  local folder=$1
  shift
  local wrong=0 size where strategy
  local found=$folder/found trace=$folder/trace
  compare() { # NAME: what differs from the original, and how many loops ran.
    local lines
    if lines=$(diff "$folder/expected" "$found"); then
      lines=same
    else
      lines="DIFFERENT: $(grep '^>' <<< "$lines" | cut -d' ' -f2 | xargs)"
      wrong=$((wrong + 1))
    fi
    echo "$size $1: $lines; $(count gpu "$trace") on the gpu, $(count cpu "$trace") on the cpu"
  }
  export CUDAOPT_LEVELIZE_TRACE=1
  for size in "${@:-200}"; do
    "$folder/original" "$size" > "$folder/expected"
    for where in auto gpu cpu off; do
      CUDAOPT_LEVELIZE=$where timeout 60 "$folder/rewritten" "$size" \
        > "$found" 2> "$trace" || echo "exit code $?" >> "$found"
      compare "$where"
    done
    for strategy in sequential doall last_writer atomic_reduction \
      ordered_reduction chains levels_graph levels_cooperative owner renaming \
      tickets reserve paper_levels; do
      CUDAOPT_LEVELIZE=gpu CUDAOPT_LEVELIZE_FORCE=$strategy timeout 60 \
        "$folder/rewritten" "$size" > "$found" 2> "$trace" ||
        echo "exit code $?" >> "$found"
      compare "$strategy"
    done
  done
  echo "$wrong runs differ"
  return $((wrong > 0))
}

"$@"
