// RUN: rm -rf %t && split-file %s %t
// RUN: sed -e 's|DIR|%/t|g' -e 's|FLAGS|%cuda-flags|g' %t/database.in > %t/build/compile_commands.json
// RUN: %exits 1 %cuda-opt -p %t/build --check | FileCheck %s
// RUN: %cuda-opt -p %t/build/compile_commands.json -o %t/out.cu %t/src/a.cu
// RUN: grep 'COLUMNS + 1' %t/out.cu
// RUN: %exits 2 %cuda-opt -p %t/build %t/src/none.cu 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: %exits 2 %cuda-opt -p %t/src 2>&1 | FileCheck %s --check-prefix=DATABASE
// RUN: %exits 2 %cuda-opt -p %t/build -o %t/out.cu 2>&1 | FileCheck %s --check-prefix=MANY
//
// -p takes the files and the flags from a compilation database; relative names
// count from the folder of the command.
//
// CHECK: would change {{.*}}a.cu
// CHECK-NOT: would change
// FILE: cuda-opt: error: '{{.*}}none.cu' is not in the compilation database
// DATABASE: cuda-opt: error: no compilation database '{{.*}}compile_commands.json'
// MANY: cuda-opt: error: -o takes one input file

//--- database.in
[
  {"directory": "DIR/build", "file": "../src/a.cu",
   "command": "ccache nvcc -forward-unknown-to-host-compiler --options-file flags.rsp FLAGS -fno-such-flag -x cu -c ../src/a.cu -o a.o"},
  {"directory": "DIR/build", "file": "DIR/src/b.cu",
   "arguments": ["nvcc", "-nocudainc", "-lineinfo", "-c", "DIR/src/b.cu", "-o", "b.o"]},
  {"directory": "DIR/build", "file": "DIR/src/c.cpp",
   "arguments": ["c++", "-c", "DIR/src/c.cpp"]}
]
//--- build/flags.rsp
-DROWS=32 "--generate-code=arch=compute_80,code=[compute_80,sm_80]"
--include-path=../inc
//--- inc/columns.h
#define COLUMNS 32
//--- src/a.cu
#include "columns.h"
#include "cuda.h"
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[ROWS][COLUMNS];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
//--- src/b.cu
int unchanged;
//--- src/c.cpp
#error not for us
