// RUN: rm -rf %t && split-file %s %t && mkdir "%t/build" && cd %t
// RUN: sed -e 's|DIR|%/t|g' -e 's|FLAGS|%cuda-flags|g' database.in > build/compile_commands.json
// RUN: %cuda-opt -p build --diff > new.diff 2> summary
// RUN: FileCheck %s < new.diff
// RUN: FileCheck %s --check-prefix=SUMMARY < summary
// RUN: %exits 1 %cuda-opt -p build --check -q --report=html:r.html --report=json:r.json --report=sarif:r.sarif | FileCheck %s --check-prefix=CHECKED
// RUN: not grep %t r.html
// RUN: not grep '"file": "/' r.json
// RUN: FileCheck %s --check-prefix=SARIF < r.sarif
// RUN: git init -q . && git apply new.diff
// RUN: %cuda-opt -p build --check -q | count 0
//
// With a compilation database, too, files are named from the folder in which
// the tool runs, so that git takes the diff there.
//
// CHECK: --- a/src/a b.cu
// CHECK-NEXT: +++ b/src/a b.cu
// CHECK: --- a/src/tile.cuh
// CHECK-NEXT: +++ b/src/tile.cuh
// SUMMARY: {{^}}src/a b.cu: 1 kernel,
// CHECKED: would change src/a b.cu
// CHECKED-NEXT: would change src/tile.cuh
// SARIF: "uri": "src/a%20b.cu",
// SARIF-NEXT: "uriBaseId": "%SRCROOT%"

// RUN: git apply -R new.diff && cd src && %exits 1 %cuda-opt -p ../build --check -q "%/t/src/two.cu" | FileCheck %s --check-prefix=INSIDE
// RUN: cd %t/build && %exits 1 %cuda-opt -p . --check -q ../src/two.cu | FileCheck %s --check-prefix=OUTSIDE
//
// INSIDE: would change tile.cuh
// OUTSIDE: would change {{/.*}}/src/tile.cuh

//--- database.in
[
  {"directory": "DIR/build", "file": "../src/a b.cu",
   "command": "nvcc FLAGS -c '../src/a b.cu'"},
  {"directory": "DIR/build", "file": "../src/three.cu",
   "command": "nvcc FLAGS -c ../src/three.cu"},
  {"directory": "DIR/build", "file": "../src/two.cu",
   "command": "nvcc FLAGS -c ../src/two.cu"}
]
//--- src/tile.cuh
__global__ static void inHeader(float *o) {
  __shared__ float s[32][32];
  s[threadIdx.x][0] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x ^ 1][0];
}
//--- src/three.cu
#include "cuda.h"
#include "tile.cuh"
void again(float *o) { inHeader<<<1, 32>>>(o); }
//--- src/a b.cu
#include "cuda.h"
__global__ void column(float *o) {
  __shared__ float s[32][32];
  s[threadIdx.x][0] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x ^ 1][0];
}
void launch(float *o) { column<<<1, 32>>>(o); }
//--- src/two.cu
#include "cuda.h"
#include "tile.cuh"
void launch(float *o) { inHeader<<<1, 32>>>(o); }
