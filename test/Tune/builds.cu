// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && cp %S/../Inputs/timed-program.py run.py
//
// A build that does not compile a kernel again would be measured with the wrong one.
// RUN: sed 's/transpose/second/' transpose.cu > second.cu
// RUN: echo 'set -e; [ -f b.o ] || %cuda-opt ./nvcc %parse-flags -c second.cu -o b.o; %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o; cat a.o b.o > app' > build.sh
// RUN: %exits 3 %cuda-opt tune --timer=program --product=app sh build.sh -- %python run.py app 2>&1 | FileCheck --check-prefix=PARTIAL %s
//
// PARTIAL: error: the build did not compile kernel 'second' again: make it compile everything (make -B)

// A variant whose rewritten text does not compile is left out.
// RUN: mv nvcc real-nvcc.py
// RUN: printf '#!/bin/sh\nif grep -q "x ^ threadIdx.y" app.cuda-opt/transpose.cu 2>/dev/null; then exit 1; fi\nexec %python real-nvcc.py "$@"\n' > nvcc && chmod +x nvcc
// RUN: %cuda-opt tune --no-pin --rounds=1 --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app "TILE + 1=600" 2>&1 | FileCheck --check-prefix=BROKEN %s
// RUN: mv real-nvcc.py nvcc
//
// BROKEN: layout=xor is built, but not all of it compiles: it is left out
// BROKEN-NOT: layout=xor {{.*}} us

// Energy that is not measured decides nothing.
// RUN: %exits 3 %cuda-opt tune --objective=energy --rounds=1 --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- %python run.py app 2>&1 | FileCheck --check-prefix=ENERGY %s
//
// ENERGY: error: the energy of a run is not known

// Arrays of device functions are shared by the kernels that call them, and stay as by
// default.
// RUN: printf '#include "cuda.h"\n__device__ float turn(float x) {\n  __shared__ float t[32][32];\n  t[threadIdx.y][threadIdx.x] = x;\n  __syncthreads();\n  return t[threadIdx.x][threadIdx.y];\n}\nstatic __global__ void transpose(float *p, const float *q, int n) {\n  __shared__ float s[32][32];\n  s[threadIdx.y][threadIdx.x] = q[threadIdx.x];\n  __syncthreads();\n  p[threadIdx.x] = turn(s[threadIdx.x][threadIdx.y]);\n}\nvoid go(float *p) { transpose<<<1, dim3(32, 32)>>>(p, p, 1); }\n' > calls.cu
// RUN: %cuda-opt tune --rounds=1 --timer=program --product=app ./nvcc %parse-flags calls.cu -o app -- %python run.py app "x ^=500" 2>&1 | FileCheck --check-prefix=FUNCTION %s
// RUN: grep 'Layout: .auto, transpose=xor.' .cuda-opt && grep 't.32..32 + 1.' app
//
// FUNCTION: not tuned, as device functions: turn
// FUNCTION: layout=xor {{.*}} best
