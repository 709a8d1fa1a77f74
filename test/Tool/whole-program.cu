// RUN: rm -rf %t && split-file %s %t
// RUN: sed -e 's|DIR|%/t|g' -e 's|FLAGS|%cuda-flags|g' %t/database.in > %t/compile_commands.json
// RUN: %cuda-opt --whole-program -p %t %t/a.cu 2>&1 | grep -v '^ *//' | FileCheck %s
// RUN: %cuda-opt -p %t %t/a.cu 2>&1 | grep -v '^ *//' | FileCheck %s --check-prefix=OPEN
// RUN: echo 'int x = ;' >> %t/c.cpp
// RUN: %cuda-opt --whole-program -p %t %t/a.cu 2>&1 | grep -v '^ *//' | FileCheck %s --check-prefixes=BROKEN,OPEN
// RUN: %exits 2 %cuda-opt --whole-program %t/a.cu 2>&1 | FileCheck %s --check-prefix=NO-DATABASE
//
// With --whole-program all launches of the files of a compilation database
// count, and there are no others; a file that cannot be read may launch
// anything.
//
// BROKEN: warning: {{.*}}c.cpp: its launches cannot be read, so others than those of each file count as unknown; first error:
// NO-DATABASE: --whole-program needs -p

//--- database.in
[{"directory": "DIR", "file": "a.cu", "command": "clang++ FLAGS -c a.cu"},
 {"directory": "DIR", "file": "b.cu", "command": "clang++ FLAGS -c b.cu"},
 {"directory": "DIR", "file": "c.cpp", "command": "clang++ -c c.cpp"}]

//--- b.cu
#include "cuda.h"
__global__ void shown(float *, const float *);
void other(float *out, const float *in) { shown<<<1, 512>>>(out, in); }

//--- c.cpp
void addressed(float *, const float *);
void *address() { return (void *)addressed; }

//--- a.cu
#include "cuda.h"

// Another file launches it larger.
// CHECK-LABEL: void shown(
// CHECK-NEXT: __shared__ float s[512];
// OPEN-LABEL: void shown(
// OPEN-NEXT: __shared__ float s[1024];
__global__ void shown(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}

// No other file names it.
// CHECK-LABEL: void hidden(
// CHECK-NEXT: __shared__ float s[128];
// OPEN-LABEL: void hidden(
// OPEN-NEXT: __shared__ float s[1024];
__global__ void hidden(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}

// Another file takes its address.
// CHECK-LABEL: void addressed(
// CHECK-NEXT: __shared__ float s[1024];
__global__ void addressed(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}

void launch(float *out, const float *in) {
  shown<<<1, 128>>>(out, in);
  hidden<<<1, 128>>>(out, in);
  addressed<<<1, 128>>>(out, in);
}
