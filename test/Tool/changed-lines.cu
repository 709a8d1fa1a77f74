// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: git init -q . && git add a.cu b.cu && git -c user.name=n -c user.email=e commit -qm first
// RUN: sed -i 's/= 1;/= 2;/' a.cu
// RUN: %cuda-opt --changed-lines --block=32,32 --passes=bank-layout --print=plan a.cu b.cu c.cu -- %cuda-flags | FileCheck %s
// RUN: git -c user.name=n -c user.email=e commit -qam second
// RUN: %cuda-opt --changed-lines --block=32,32 --check b.cu a.cu -- %cuda-flags
// RUN: %exits 1 %cuda-opt --changed-lines=HEAD~1 --block=32,32 --check b.cu a.cu -- %cuda-flags | FileCheck %s --check-prefix=ONE
// RUN: %exits 2 %cuda-opt --changed-lines=nobody --check a.cu 2>&1 | FileCheck %s --check-prefix=REF
// RUN: %exits 2 %cuda-opt --changed-lines=--output=x --check a.cu 2>&1 | FileCheck %s --check-prefix=DASH
// RUN: %exits 2 %cuda-opt --changed-lines ./nvcc -c a.cu 2>&1 | FileCheck %s --check-prefix=LAUNCH
// RUN: %cuda-opt --block=32,32 --passes=bank-layout --print=plan "--line-filter=[{\"name\": \"a.cu\", \"lines\": [[1, 3]]}]" a.cu -- %cuda-flags | FileCheck %s --check-prefix=LINES
// RUN: %exits 2 %cuda-opt "--line-filter=[{\"name\": 1}]" a.cu 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: %exits 2 %cuda-opt --line-filter=[] --changed-lines a.cu 2>&1 | FileCheck %s --check-prefix=BOTH
//
// --changed-lines works on kernels with lines that differ from a commit, and on
// files that git does not know; --line-filter on those that it names.
//
// CHECK-LABEL: plan first
// CHECK-NEXT: keep tile: its lines are not among those to work on
// CHECK-LABEL: plan second
// CHECK-NEXT: layout tile
// CHECK-LABEL: plan third
// CHECK-NEXT: keep tile: its lines are not
// CHECK-LABEL: plan fourth
// CHECK-NEXT: layout tile
// ONE: would change a.cu
// ONE-NOT: would
// REF: cuda-opt: error: git: fatal: bad revision 'nobody'
// DASH: cuda-opt: error: malformed --changed-lines=--output=x: give a commit
// LAUNCH: cuda-opt: error: '--changed-lines' is not for launching './nvcc'
// LINES-LABEL: plan first
// LINES-NEXT: layout tile
// LINES-LABEL: plan second
// LINES-NEXT: keep tile: its lines are not
// JSON: cuda-opt: error: malformed --line-filter: give [{"name": "a.cu", "lines": {{.*}}}]
// BOTH: cuda-opt: error: --changed-lines and --line-filter exclude each other

//--- a.cu
#include "cuda.h"
__global__ void first() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 1 + 0;
}
__global__ void second() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 1;
}
//--- b.cu
#include "cuda.h"
__global__ void third() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 3;
}
//--- c.cu
#include "cuda.h"
__global__ void fourth() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 4;
}
