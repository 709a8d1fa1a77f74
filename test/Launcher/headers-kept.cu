// RUN: rm -rf %t && split-file %s %t && cd %t && cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: cp src/tile.h outside/angled.h && cp src/tile.h outside/named.h
//
// Which headers stay, and why.

// Those that the default, or the user, does not name.
// RUN: %cuda-opt -Rpass-missed=cuda-opt ./nvcc %parse-flags -DNAME='"../outside/named.h"' -c src/macro.cu -o a.o 2>&1 | FileCheck --check-prefixes=NOT-NAMED,KEPT %s
// RUN: %cuda-opt -Rpass-missed=cuda-opt ./nvcc %parse-flags -I outside -c src/angled.cu -o a.o 2>&1 | FileCheck --check-prefixes=KEPT %s
// RUN: %cuda-opt -Rpass-missed=cuda-opt --header-filter='nothing' ./nvcc %parse-flags -I outside -c src/below.cu -o a.o 2>&1 | FileCheck --check-prefixes=NOT-NAMED,KEPT %s
// RUN: %exits 2 %cuda-opt --header-filter='(' ./nvcc -c src/below.cu 2>&1 | FileCheck --check-prefix=MALFORMED %s
//
// NOT-NAMED: remark: {{.*}}an included file that may not change; --header-filter names those that may
// KEPT: {{^}}nvcc {{.*}}-c src
// MALFORMED: cuda-opt: error: malformed --header-filter=(

// RUN: %cuda-opt --header-filter=outside ./nvcc %parse-flags -I outside -c src/angled.cu -o a.o 2>&1 | FileCheck --check-prefixes=CHANGED %s
// RUN: %cuda-opt ./nvcc %parse-flags -c src/below.cu -o a.o 2>&1 | FileCheck --check-prefixes=CHANGED %s
//
// CHANGED: 1 kernel, 1 array rewritten, 0 kept
// CHANGED: {{^}}nvcc {{.*}}-c a.o.cuda-opt

// Those that are included where no text of ours can stand.
// RUN: %cuda-opt -Rpass-missed=cuda-opt --header-filter=named.h ./nvcc %parse-flags -DNAME='"../outside/named.h"' -c src/macro.cu -o a.o 2>&1 | FileCheck --check-prefixes=UNUSUAL,STAYS %s
// RUN: %cuda-opt -Rpass-missed=cuda-opt ./nvcc %parse-flags -include cuda.h -include src/tile.h -c src/forced.cu -o a.o 2>&1 | FileCheck --check-prefixes=FORCED,STAYS %s
// RUN: %cuda-opt -Rpass-missed=cuda-opt ./nvcc %parse-flags -c src/hidden.cu -o a.o 2>&1 | FileCheck --check-prefixes=HIDDEN,STAYS %s
// RUN: %cuda-opt -Rpass-missed=cuda-opt --header-filter=tile.h ./nvcc %parse-flags -isystem outside -I src -c src/system.cu -o a.o 2>&1 | FileCheck --check-prefixes=SYSTEM,STAYS %s
//
// UNUSUAL: no other text can replace: 'src/macro.cu' includes files in an unusual way
// HIDDEN: no other text can replace: it may also be included where #if does not let it be now
// SYSTEM: no other text can replace: 'src/tile.h' is a header of the system
// FORCED: no other text can replace: 'src/tile.h' is included by the command line
// STAYS: {{^}}nvcc {{.*}}-c src

//--- src/tile.h
#ifndef TILE_H
#define TILE_H
static __global__ void included(float *x) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.y] = tile[threadIdx.x][threadIdx.y];
}
#endif

//--- src/launch.h
inline void launch(float *x) { included<<<1, dim3(32, 32)>>>(x); }

//--- src/below.cu
#include "cuda.h"
#include "tile.h"
#include "launch.h"

//--- src/macro.cu
// __shared__
#include "cuda.h"
#include NAME
#include "launch.h"

//--- src/angled.cu
// __shared__
#include "cuda.h"
#include <angled.h>
#include "launch.h"

//--- src/forced.cu
// __shared__
#include "launch.h"

//--- src/hidden.cu
#include "cuda.h"
#include "tile.h"
#include "launch.h"
#ifndef __CUDA_ARCH__
#include "host.h"
#endif

//--- src/host.h
#include "tile.h"

//--- outside/system.h
#include <tile.h>

//--- src/system.cu
// __shared__
#include "cuda.h"
#include "tile.h"
#include <system.h>
#include "launch.h"
