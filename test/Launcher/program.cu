// RUN: rm -rf %t && split-file %s %t && cd %t && cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: sed -e 's|DIR|%/t|g' -e 's|FLAGS|%parse-flags|g' database.in > compile_commands.json
// RUN: env CUDAOPT_CACHE_DIR=%t/cache CUDAOPT_FLAGS="--whole-program -p %/t" %cuda-opt -Rpass-analysis=launches ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2> log
// RUN: FileCheck --check-prefix=SMALL --input-file=a.o %s
// RUN: FileCheck --check-prefix=DEPENDENCIES --input-file=a.d %s
// RUN: FileCheck --check-prefix=LOG --input-file=log %s
//
// A launched compiler knows the launches of all files of the compilation database,
// whose commands may be launched themselves. What it makes of a kernel that they could
// launch depends on all files that were read.
//
// SMALL-LABEL: void shown(
// SMALL-NEXT: __shared__ float s[512];
// SMALL-LABEL: void hidden(
// SMALL-NEXT: __shared__ float s[128];
// DEPENDENCIES: a.o : a.cu
// DEPENDENCIES-DAG: {{ }}[[DIR:/.*]]/a.cu
// DEPENDENCIES-DAG: /b.cu
// DEPENDENCIES-DAG: /b.h
// DEPENDENCIES-DAG: /c.cpp
// DEPENDENCIES-DAG: /compile_commands.json
// DEPENDENCIES-NOT: /etc/
// DEPENDENCIES: /b.h:
// LOG: remark: kernel 'shown' is launched in a.cu:31 with blocks of 128 x 1
// LOG: remark: kernel 'shown' is launched in b.cu:3 with blocks of 512 x 1
// LOG: remark: kernel 'hidden' is launched in a.cu:32 with blocks of 128 x 1
// LOG: remark: no file of the program launches kernel 'idle' by its name
// LOG: remark: kernel 'addressed' is launched in a.cu:33
// LOG: remark: the address of kernel 'addressed' is taken in c.cpp:2, so launches that are not known count

// Nobody reads a file again that stays as it is: the same program, from another file.
//
// RUN: ls -i cache > entries
// RUN: env CUDAOPT_CACHE_DIR=%t/cache CUDAOPT_FLAGS="--whole-program -p %/t" %cuda-opt ./nvcc %parse-flags -DNAME=own -c d.cu -o d.o -MD -MF d.d 2>&1 | FileCheck --check-prefix=READ %s
// RUN: sh -c 'ls -i cache | grep -F -x -f entries' > still && diff entries still
// RUN: grep -c cu d.d | count 1 && not grep b.cu d.d
//
// READ: d.cu: 1 kernel, {{.*}}1 kernel in less shared memory

// The same question finds the same result, without a parse.
//
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache CUDAOPT_FLAGS="--whole-program -p %/t" %cuda-opt -Rpass-analysis=launches ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2>&1 | FileCheck --check-prefix=LOG %s

// Neither does it ask where launches stand, unless somebody wants to hear of it.
//
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d
// RUN: sed -i '1i //' b.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c d.cu -DNAME=own
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2>&1 | FileCheck --check-prefix=SILENT %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache CUDAOPT_FLAGS="--whole-program -p %/t" %cuda-opt -Rpass-analysis=launches ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2>&1 | FileCheck --check-prefix=MOVED %s
//
// SILENT: a.cu: 4 kernels
// MOVED: remark: kernel 'shown' is launched in b.cu:4 with blocks of 512 x 1

// Another file launches the kernel otherwise: the old result does not count.
//
// RUN: sed -i 's/512/1024/' b.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache CUDAOPT_FLAGS="--whole-program -p %/t" %cuda-opt ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2> log
// RUN: FileCheck --check-prefix=LARGE --input-file=a.o %s
// RUN: sed -i 's/1024/256/' b.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2> log
// RUN: FileCheck --check-prefix=MEDIUM --input-file=a.o %s
// RUN: sed -i 's/256/512/' b.h
// RUN: env TMPDIR=%t/none CUDAOPT_CACHE_DIR= %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o 2>&1 | FileCheck --check-prefix=MISS %s
//
// LARGE-LABEL: void shown(
// LARGE-NEXT: __shared__ float s[1024];
// MEDIUM-LABEL: void shown(
// MEDIUM-NEXT: __shared__ float s[256];
// MISS: a.cu: no temporary file: No such file or directory; compiling the original

// The program has one file more.
//
// RUN: sed -i 's|^ {"directory": \(.*\), "file": "d.cu"|{"directory": \1, "file": "e.cu", "command": "nvcc %parse-flags -c e.cu"}, &|' compile_commands.json
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p . ./nvcc %parse-flags -c a.cu -o a.o -MD -MF a.d 2> log
// RUN: FileCheck --check-prefix=MORE --input-file=a.o %s
//
// MORE-LABEL: void hidden(
// MORE-NEXT: __shared__ float s[768];

//--- database.in
[{"directory": "DIR", "file": "a.cu", "command": "cuda-opt --whole-program -p DIR DIR/nvcc FLAGS -c a.cu -o a.o"},
 {"directory": "DIR", "file": "b.cu", "command": "cuda-opt-nvcc FLAGS -c b.cu -o b.o"},
 {"directory": "DIR", "file": "d.cu", "command": "cuda-opt ccache nvcc FLAGS -DNAME=own -c d.cu -o d.o"},
 {"directory": "DIR", "file": "c.cpp", "command": "c++ -c c.cpp"}]

//--- b.h
#define SIZE 512

//--- b.cu
#include "b.h"
#include "cuda.h"
__global__ void shown(float *, const float *); void other(float *out, const float *in) { shown<<<1, SIZE>>>(out, in); }

//--- c.cpp
void addressed(float *, const float *);
void *address() { return (void *)addressed; }

//--- d.cu
#include "cuda.h"
static __global__ void NAME(float *out, const float *in) {
  __shared__ float s[8192];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
void start(float *out, const float *in) { NAME<<<1, 128>>>(out, in); }

//--- e.cu
#include "cuda.h"
__global__ void hidden(float *, const float *);
void more(float *out, const float *in) { hidden<<<1, 768>>>(out, in); }

//--- a.cu
#include "cuda.h"
__global__ void shown(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void hidden(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void idle(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
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
