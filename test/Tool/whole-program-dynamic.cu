// RUN: rm -rf %t && split-file %s %t
// RUN: sed -e 's|DIR|%/t|g' -e 's|FLAGS|%cuda-flags|g' %t/database.in > %t/compile_commands.json
// RUN: %cuda-opt --whole-program -p %t -Rpass-missed=.* -Rpass-analysis=launches -o %t/out.cu %t/a.cu 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=OUT --input-file=%t/out.cu %s
//
// Static memory becomes dynamic only where all launches can be told so: those of other
// files are known, and stay as they are.
//
// CHECK-DAG: shared memory of kernel 'both' is not reused: {{.*}}b.cu' launches it, too
// CHECK-DAG: kernel 'both' is launched in {{.*}}a.cu:21 (and 1 more) with blocks of 64 x 1
// OUT-LABEL: void both(
// OUT-NEXT: __shared__ float only[256][64];
// OUT-LABEL: void own(
// OUT: extern __shared__
// OUT: both<<<1, 64>>>(out);

//--- database.in
[{"directory": "DIR", "file": "a.cu", "command": "clang++ FLAGS -c a.cu"},
 {"directory": "DIR", "file": "b.cu", "command": "clang++ FLAGS -c b.cu"}]

//--- b.cu
#include "cuda.h"
__global__ void both(float *);
void other(float *out) { both<<<1, 64>>>(out); }

//--- a.cu
#include "cuda.h"
__global__ void both(float *out) {
  __shared__ float only[256][64];
  int t = threadIdx.x;
  for (int r = 0; r < 256; r++)
    only[r][t] = out[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 256; r++)
    out[r * 64 + t] = only[r][63 - t];
}
__global__ void own(float *out) {
  __shared__ float only[256][64];
  int t = threadIdx.x;
  for (int r = 0; r < 256; r++)
    only[r][t] = out[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 256; r++)
    out[r * 64 + t] = only[r][63 - t];
}
void launch(float *out) {
  both<<<1, 64>>>(out);
  own<<<1, 64>>>(out);
}
