// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: touch -d 2020-01-01 *.cu *.h
// RUN: %python %S/../Inputs/kill-often.py %cuda-opt ./nvcc %parse-flags --keep -c transpose.cu -o a.o
// RUN: FileCheck --input-file=a.o %s
// RUN: ls a.o.cuda-opt | FileCheck --check-prefix=ONLY %s
//
// However often it is killed, wherever it is: what lies there is whole, and the next
// run is right.
//
// CHECK: #line 1 "transpose.cu"
// CHECK: tile[TILE][TILE + 1]
// CHECK: transpose<<<
// ONLY: {{^}}transpose.cu{{$}}
// ONLY-NOT: {{.}}

// Many at once share a cache.
// RUN: rm -rf cache && env CUDAOPT_CACHE_DIR=%t/cache %python %S/../Inputs/many-at-once.py 12 %cuda-opt ./nvcc %parse-flags -c transpose.cu -o
// RUN: cat many-*.o | FileCheck --check-prefix=MANY %s
//
// MANY-COUNT-12: tile[TILE][TILE + 1]
