// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %exits 3 %cuda-opt --passes=bank-layout --layout=pad -j 4 --check a.cu none.cu b.cu c.cu d.cu -- %cuda-flags > log 2>&1
// RUN: %exits 3 %cuda-opt --passes=bank-layout --layout=pad -j 1 --check a.cu none.cu b.cu c.cu d.cu -- %cuda-flags > one 2>&1
// RUN: FileCheck %s < log && diff log one
// RUN: %cuda-opt --passes=bank-layout --layout=pad -j 4 -i a.cu b.cu c.cu d.cu -- %cuda-flags
// RUN: FileCheck --check-prefix=HEADER --input-file=tile.h %s
// RUN: %cuda-opt --passes=bank-layout --layout=pad -j 4 --check a.cu b.cu c.cu d.cu -- %cuda-flags
// RUN: %python %S/../Inputs/on-terminal.py %cuda-opt --diff a.cu b.cu -- %cuda-flags | FileCheck --check-prefix=PROGRESS %s
// RUN: %python %S/../Inputs/on-terminal.py %cuda-opt -q --diff a.cu b.cu -- %cuda-flags | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: %exits 2 %cuda-opt -j 0 a.cu 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: %exits 2 %cuda-opt -j many a.cu 2>&1 | FileCheck %s --check-prefix=ZERO
//
// Several files are worked on at a time; what is told comes in their order. A
// header that one of them edits is read again for the others. A terminal shows which
// file is worked on.
//
// PROGRESS: [1/2] a.cu
// PROGRESS: [2/2] b.cu
// QUIET-NOT: [1/2]
// CHECK: would change {{.*}}tile.h
// CHECK: a.cu: 1 kernel
// CHECK: error: none.cu
// CHECK-NEXT: b.cu: 1 kernel
// CHECK: c.cu: 1 kernel
// CHECK: would change d.cu
// HEADER: tile[32][32 + 1];
// HEADER-NOT: + 1 + 1
// ZERO: cuda-opt: error: malformed -j

//--- tile.h
#include "cuda.h"
// Not static: no other file of a program can have, and launch, it.
__global__ void shared() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 0;
}
//--- a.cu
#include "tile.h"
void a() { shared<<<1, dim3(32, 32)>>>(); }
//--- b.cu
#include "tile.h"
void b() { shared<<<1, dim3(32, 32)>>>(); }
//--- c.cu
#include "tile.h"
void c() { shared<<<1, dim3(32, 32)>>>(); }
//--- d.cu
#include "cuda.h"
__global__ void own() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 0;
}
void d() { own<<<1, dim3(32, 32)>>>(); }
