// REQUIRES: clang-apply-replacements
// RUN: rm -rf %t && mkdir -p %t/fixes && cp %s %t/a.cu && cd %t
// RUN: %cuda-opt --assume-closed-world -q --reuse=off --export-fixes=fixes/f.yaml --report=sarif:a.sarif -o out.cu a.cu -- %cuda-flags
// RUN: grep -c DiagnosticName fixes/f.yaml | FileCheck %s --check-prefix=COUNT
// RUN: FileCheck %s --check-prefix=SARIF --input-file=a.sarif
// RUN: %exits 1 %cuda-opt --assume-closed-world -q --reuse=off --check -Rpass=.* a.cu -- %cuda-flags -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s --check-prefix=HINTS
// RUN: %clang-plugin -fplugin-arg-cudaopt-quiet -fplugin-arg-cudaopt-reuse=off -Rpass=.* -fdiagnostics-parseable-fixits a.cu 2>&1 | FileCheck %s --check-prefix=HINTS
// RUN: %python %S/Inputs/apply_hints.py a.cu -- %cuda-opt --assume-closed-world -q --reuse=off --check -Rpass=.* a.cu -- %cuda-flags -fdiagnostics-parseable-fixits > hinted.cu
// RUN: cmp hinted.cu out.cu
// RUN: clang-apply-replacements fixes
// RUN: cmp a.cu out.cu
//
// Each layout has a fix of its own, unless text belongs to two arrays; all of
// them together make the tool's text, by whatever door.
//
// COUNT: {{^}}3{{$}}
// SARIF: Rewrite 'apart', only 'a'
// SARIF: Rewrite 'apart', only 'b'
// SARIF: Rewrite 'together'
// HINTS: a.cu:[[#@LINE+7]]:{{.*}} remark: shared array 'a' is stored as
// HINTS: fix-it:"{{.*}}a.cu":{[[#@LINE+8]]:
// HINTS: remark: shared array 'b' is stored as
// HINTS: fix-it:"{{.*}}a.cu":{[[#@LINE+6]]:
#include "cuda.h"

__global__ void apart(float *Out) {
  __shared__ float a[32][32];
  __shared__ float b[32][32];
  a[threadIdx.x][0] = b[threadIdx.x][1] = Out[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = a[threadIdx.x ^ 1][0] + b[threadIdx.x ^ 1][1];
}
__global__ void together(float *Out) {
  __shared__ float c[32][32];
  __shared__ int d[32][32];
  c[threadIdx.x][0] = Out[threadIdx.x];
  d[threadIdx.x][0] = threadIdx.x;
  __syncthreads();
  Out[threadIdx.x] = c[d[threadIdx.x][0] & 31][0];
}
void launch(float *Out) {
  apart<<<1, 32>>>(Out);
  together<<<1, 32>>>(Out);
}
