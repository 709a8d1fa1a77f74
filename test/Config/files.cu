// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %cuda-opt --diff a.cu -- %cuda-flags | FileCheck %s --check-prefix=PAD
// RUN: %cuda-opt --diff sub/a.cu -- %cuda-flags | FileCheck %s --check-prefix=XOR
// RUN: %cuda-opt --diff --layout=pad sub/a.cu -- %cuda-flags | FileCheck %s --check-prefix=PAD
// RUN: %cuda-opt --diff --config="{Layout: pad, Block: [32, 32], Passes: bank-layout}" sub/a.cu -- %cuda-flags | FileCheck %s --check-prefix=PAD
// RUN: %cuda-opt --diff --config-file=.cuda-opt sub/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefixes=PAD,SUMMARY
// RUN: %cuda-opt --diff sub/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefixes=XOR,SILENT
// RUN: %cuda-opt --diff --no-quiet sub/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefixes=XOR,SUMMARY
// RUN: mkdir sub/deep && cd sub && %cuda-opt --diff deep/../a.cu -- %cuda-flags | FileCheck %s --check-prefix=XOR
// RUN: cd %t && %cuda-opt --diff a.cu sub/a.cu -- %cuda-flags | FileCheck %s --check-prefix=BOTH
//
// The nearest .cuda-opt above a source holds for it, and each source has its own;
// what stands on the command line counts more.
//
// PAD: +  __shared__ float tile[32][32 + 1];
// XOR: ^
// SUMMARY: a.cu: 1 kernel, 1 array rewritten
// SILENT-NOT: 1 kernel
// BOTH: +  __shared__ float tile[32][32 + 1];
// BOTH: +++ b/sub/a.cu
// BOTH: ^

// What holds, and where it is said; it can be read again.
// RUN: %cuda-opt --dump-config sub/a.cu > dump && FileCheck %s --check-prefix=DUMP < dump
// RUN: %cuda-opt --dump-config --config-file=dump a.cu | diff dump -
// RUN: %cuda-opt --explain-config --layout=linear sub/a.cu | FileCheck %s --check-prefix=WHERE
// RUN: env CUDAOPT_FLAGS="--layout=pad --arch=sm_80" %cuda-opt --layout=T --explain-config ./nvcc -c sub/a.cu | FileCheck %s --check-prefix=FLAGS
// RUN: %cuda-opt --dump-config | FileCheck %s --check-prefix=HERE
//
// DUMP: {{^}}Passes: 'bank-layout,levelize'
// DUMP: {{^}}Block: '32,32'
// DUMP: {{^}}Layout: xor
// DUMP: {{^}}Quiet: true
// WHERE: Passes: {{.*}}# {{.*}}/.cuda-opt:2
// WHERE: Arch: '' {{ *}}# default
// WHERE: Block: '32,32' {{ *}}# {{.*}}/.cuda-opt:3
// WHERE: Layout: linear {{ *}}# command line
// WHERE: Quiet: true {{ *}}# {{.*}}/sub/.cuda-opt:3
// FLAGS: Arch: sm_80 {{ *}}# CUDAOPT_FLAGS
// FLAGS: Layout: T {{ *}}# command line
// HERE: Layout: pad

//--- .cuda-opt
# For all.
Passes: [bank-layout, levelize]
Block: [32, 32]
Layout: pad
//--- sub/.cuda-opt
InheritParentConfig: true
Layout: xor
Quiet: true
//--- a.cu
#include "cuda.h"
__global__ void k() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 0;
}
//--- sub/a.cu
#include "cuda.h"
__global__ void k() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 0;
}
