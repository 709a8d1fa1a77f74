// RUN: %cuda-opt --passes=bank-layout --layout=pad --color=always --diff -Rpass=.* %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefixes=COLOR,REMARK
// RUN: %cuda-opt --passes=bank-layout --layout=pad --color=never --diff -Rpass=.* %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %cuda-opt --passes=bank-layout --layout=pad --diff -Rpass=.* %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: env CLICOLOR_FORCE=1 %cuda-opt --passes=bank-layout --layout=pad --diff %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=COLOR
// RUN: env CLICOLOR_FORCE=0 %cuda-opt --passes=bank-layout --layout=pad --diff %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: env CLICOLOR_FORCE=1 NO_COLOR=1 %cuda-opt --passes=bank-layout --layout=pad --diff %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: env NO_COLOR=1 %cuda-opt --passes=bank-layout --layout=pad --color=always --diff %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=COLOR
// RUN: %exits 2 %cuda-opt --passes=bank-layout --layout=pad --color=red %s 2>&1 | FileCheck %s --check-prefix=RED
//
// The option decides on colours, then NO_COLOR, then CLICOLOR_FORCE, then the
// terminal.
//
// REMARK: {{.\[[0-9;]*m}}remark: {{.\[}}
// COLOR: {{.\[[0-9;]*m}}+{{ *}}__shared__
// PLAIN-NOT: {{.\[[0-9;]*m}}
// RED: cuda-opt: error: unknown choice in --color=red (known: auto, always, never)

#include "cuda.h"
__global__ void k() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 0;
}
void f() { k<<<1, dim3(32, 32)>>>(); }
