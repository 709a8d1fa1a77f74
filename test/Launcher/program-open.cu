// RUN: rm -rf %t && split-file %s %t && cd %t && cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: sed -e 's|DIR|%/t|g' -e 's|FLAGS|%parse-flags|g' database.in > compile_commands.json
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2>&1 | FileCheck --check-prefix=ABSENT %s
// RUN: FileCheck --check-prefix=OPEN --input-file=a.o %s
// RUN: not grep compile_commands a.d
// RUN: echo 'int x = ;' > b.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2>&1 | FileCheck --check-prefix=BROKEN %s
// RUN: ls -i cache > entries
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2>&1 | FileCheck --check-prefix=BROKEN %s
// RUN: ls -i cache | diff entries -
// RUN: FileCheck --check-prefix=OPEN --input-file=a.o %s
//
// While a file of the program cannot be read, its launches are not known.
//
// ABSENT: warning: a.cu: launches of its kernels by other files count as unknown: {{.*}}/b.cu: {{.*}}no such file
// BROKEN: warning: a.cu: launches of its kernels by other files count as unknown: {{.*}}/b.cu: first error: {{.*}}b.cu:1:9: error: expected expression
// OPEN-LABEL: void k(
// OPEN-NEXT: __shared__ float s[1024];

// As soon as it can be read, they are, both where it is compiled for the host and where
// for the device.
//
// RUN: sed "/^\/\//d" sides.cu > b.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2>&1 | FileCheck --check-prefix=READ %s
// RUN: FileCheck --check-prefix=CLOSED --input-file=a.o %s
// RUN: grep compile_commands a.d
// RUN: sed -i s/640/128/ b.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o 2>&1 | FileCheck --check-prefix=READ %s
// RUN: FileCheck --check-prefix=HOST --input-file=a.o %s
//
// READ-NOT: warning
// READ: a.cu: 1 kernel
// CLOSED-LABEL: void k(
// CLOSED-NEXT: __shared__ float s[640];
// HOST-LABEL: void k(
// HOST-NEXT: __shared__ float s[512];

// A file, or a command, that the database does not know; a module, whose kernels others
// launch by name.
//
// RUN: cp a.cu new.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c new.cu -o a.o 2>&1 | FileCheck --check-prefix=NEW %s
// RUN: FileCheck --check-prefix=OPEN --input-file=a.o %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -DOTHER -c a.cu -o a.o 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: FileCheck --check-prefix=OPEN --input-file=a.o %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -cubin a.cu -o a.o 2>&1 | FileCheck --check-prefix=MODULE %s
// RUN: FileCheck --check-prefix=OPEN --input-file=a.o %s
//
// NEW: warning: new.cu: {{.*}} count as unknown: this command is not in {{.*}}compile_commands.json
// OTHER: warning: a.cu: {{.*}} count as unknown: this command is not in {{.*}}compile_commands.json
// MODULE: warning: a.cu: {{.*}} count as unknown: others load a module, and launch its kernels by name

// What changes while the compiler runs may be older than the product.
//
// RUN: mv nvcc real && cp %t/edits nvcc && chmod +x nvcc
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o 2>&1 | FileCheck --check-prefix=EDITED %s
// RUN: mv real nvcc && not grep '128\]' a.o
//
// EDITED: {{^}}nvcc {{.*}}-c a.o.cuda-opt/a.cu
// EDITED: warning: a.cu: the program was changed meanwhile; compiling the original
// EDITED: {{^}}nvcc {{.*}}-c a.cu

// No database: the original is compiled, or nothing, as --fallback says.
//
// RUN: rm -rf a.o a.o.cuda-opt
// RUN: %cuda-opt --whole-program -p none ./nvcc %parse-flags -c a.cu -o a.o 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not ls a.o.cuda-opt
// RUN: %exits 3 %cuda-opt --whole-program -p none --fallback=error ./nvcc %parse-flags -c a.cu -o b.o 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not ls b.o
// RUN: %exits 2 %cuda-opt --whole-program ./nvcc %parse-flags -c a.cu 2>&1 | FileCheck --check-prefix=WHERE %s
// RUN: %exits 2 %cuda-opt -p . ./nvcc %parse-flags -c a.cu 2>&1 | FileCheck --check-prefix=ALONE %s
//
// NONE: cuda-opt: warning: a.cu: no compilation database 'none': {{.*}}; compiling the original
// NONE: {{^}}nvcc {{.*}}-c a.cu -o a.o
// ERROR: cuda-opt: error: a.cu: no compilation database 'none':
// WHERE: error: --whole-program needs -p
// ALONE: error: '-p' is not for launching

//--- database.in
[{"directory": "DIR", "file": "a.cu", "command": "nvcc FLAGS -c a.cu"},
 {"directory": "DIR", "file": "b.cu", "command": "nvcc -arch=sm_80 -gencode arch=compute_90,code=sm_90 FLAGS -c b.cu"}]

//--- edits
#!/bin/sh
echo '//' >> b.cu
exec ./real "$@"

//--- sides.cu
#include "cuda.h"
__global__ void k(float *, const float *);
void other(float *out, const float *in) {
#ifndef __CUDA_ARCH__
  k<<<1, 512>>>(out, in);
#elif __CUDA_ARCH__ >= 900
  k<<<1, 256>>>(out, in);
#else
  k<<<1, 640>>>(out, in);
#endif
}

//--- a.cu
#include "cuda.h"
__global__ void k(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
void launch(float *out, const float *in) { k<<<1, 128>>>(out, in); }
