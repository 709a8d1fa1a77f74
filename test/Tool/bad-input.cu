// RUN: rm -rf %t && split-file %s %t
// RUN: %python -c "open(r'%t/binary.cu', 'wb').write(b'int a;\0')"
// RUN: %exits 3 %cuda-opt --check %t/none.cu %t %t/binary.cu %t/syntax.cu %t/include.cu %t/good.cu -- %cuda-flags > %t/out 2> %t/err
// RUN: FileCheck %s < %t/err
// RUN: FileCheck %s --check-prefix=GOOD < %t/out
// RUN: %exits 3 %cuda-opt -o %t/out.cu %t/syntax.cu -- %cuda-flags
// RUN: not ls %t/out.cu
// RUN: %exits 3 %cuda-opt -o %t/no/folder.cu %t/good.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=WRITE
//
// A file that cannot be read, parsed or written is an error; the other files
// are still processed, and no output is made of it.
//
// CHECK: cuda-opt: error: {{.*}}none.cu: No such file or directory
// CHECK-NEXT: cuda-opt: error: {{.*}}: is a directory
// CHECK-NEXT: cuda-opt: error: {{.*}}binary.cu: is a binary file
// CHECK-NEXT: syntax.cu:1:6: error: expected ';'
// CHECK: include.cu:1:10: fatal error: 'none.h' file not found
// CHECK: good.cu: 1 kernel, 1 array rewritten
// GOOD: would change {{.*}}good.cu
// WRITE: cuda-opt: error: {{.*}}folder.cu

//--- syntax.cu
int x
//--- include.cu
#include "none.h"
//--- good.cu
#include "cuda.h"
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
