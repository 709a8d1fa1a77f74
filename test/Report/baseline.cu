// RUN: rm -rf %t && mkdir -p %t/src && cp %s %t/src/a.cu && cd %t
// RUN: %exits 1 %cuda-opt --check --write-baseline=base.sarif src/a.cu -- %cuda-flags
// RUN: %cuda-opt --check --diff --baseline=base.sarif --report=sarif-all:r.sarif src/a.cu -- %cuda-flags | count 0
// RUN: FileCheck %s --check-prefix=NONE < r.sarif
// RUN: grep -c '"uri": "src/a.cu"' base.sarif
//
// What is in the baseline is not reported again, and does not fail.
//
// NONE: "results": [],

// RUN: echo '// Another line.' > src/a.cu && cat %s >> src/a.cu
// RUN: %cuda-opt --check --baseline=base.sarif src/a.cu -- %cuda-flags | count 0
// RUN: echo '__global__ void more(float *o) { __shared__ float s[32][32]; s[threadIdx.x][0] = o[0]; __syncthreads(); o[0] = s[threadIdx.x ^ 1][0]; }' >> src/a.cu
// RUN: echo 'void also(float *o) { more<<<1, 32>>>(o); }' >> src/a.cu
// RUN: %exits 1 %cuda-opt --check --baseline=base.sarif --report=sarif:r.sarif src/a.cu -- %cuda-flags | FileCheck %s --check-prefix=CHECK
// RUN: FileCheck %s --check-prefix=NEW < r.sarif
//
// Lines may move; a new kernel is new.
//
// CHECK: would change src/a.cu
// NEW-NOT: transpose::
// NEW: "cudaOptSite/v1": "more::s/layout-changed"
// NEW-NOT: transpose::

// RUN: %exits 1 %cuda-opt --check --write-baseline=more.sarif src/a.cu -- %cuda-flags
// RUN: cp src/a.cu src/b.cu && sed -i 's|src/a.cu|src/b.cu|' more.sarif
// RUN: echo '__global__ void more(double *o) { __shared__ double s[32][32]; s[threadIdx.x][0] = o[0]; __syncthreads(); o[0] = s[threadIdx.x ^ 1][0]; }' >> src/b.cu
// RUN: echo 'void also(double *o) { more<<<1, 32>>>(o); }' >> src/b.cu
// RUN: %exits 1 %cuda-opt --check --baseline=more.sarif --report=sarif:o.sarif src/b.cu -- %cuda-flags
// RUN: FileCheck %s --check-prefix=OVERLOAD < o.sarif
//
// An overload is another kernel.
//
// OVERLOAD: "cudaOptSite/v1": "more::s/layout-changed#2"
// OVERLOAD-NOT: "cudaOptSite/v1"

// RUN: cp src/a.cu src/edited.cu && %cuda-opt -i --baseline=base.sarif src/edited.cu -- %cuda-flags
// RUN: grep '32 + 1' src/edited.cu
//
// Edits are made all the same.

// RUN: %exits 2 %cuda-opt --check --baseline=none.sarif src/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: echo '{}' > bad.sarif
// RUN: %exits 2 %cuda-opt --check --baseline=bad.sarif src/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %exits 2 %cuda-opt --check --baseline=base.sarif --report=sarif:base.sarif src/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %exits 1 %cuda-opt --check --baseline=base.sarif --write-baseline=base.sarif src/a.cu -- %cuda-flags
// RUN: %cuda-opt --check --baseline=base.sarif src/a.cu -- %cuda-flags | count 0
// RUN: cp base.sarif kept.sarif && echo 'int f( {' > broken.cu
// RUN: %exits 3 %cuda-opt --check --write-baseline=kept.sarif broken.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: diff base.sarif kept.sarif
// RUN: mkdir folder
// RUN: %exits 2 %cuda-opt --check --baseline=folder src/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: %exits 2 %cuda-opt --check --write-baseline=folder src/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: sed 's|"name": "cuda-opt"|"name": "clang"|' base.sarif > other.sarif
// RUN: %exits 2 %cuda-opt --check --baseline=other.sarif src/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's|cudaOptSite/v1|cudaOptSite/v0|' base.sarif > prints.sarif
// RUN: %exits 2 %cuda-opt --check --baseline=prints.sarif src/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PRINTS
// RUN: sed 's|"version": "2.1.0"|"version": "2.0.0"|' base.sarif > old.sarif
// RUN: %exits 2 %cuda-opt --check --baseline=old.sarif src/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: %python -c "import json; d = json.load(open('base.sarif')); d['runs'].insert(0, {'tool': {'driver': {'name': 'clang'}}}); json.dump(d, open('merged.sarif', 'w'))"
// RUN: %cuda-opt --check --baseline=merged.sarif src/a.cu -- %cuda-flags | count 0
//
// What is no baseline of ours is an error; in a merged log, other runs are not.
//
// FOLDER: cuda-opt: error: the baseline 'folder' is a folder; name a file
// OTHER: cuda-opt: error: 'other.sarif' is no baseline: none of its runs is one of cuda-opt
// PRINTS: cuda-opt: error: 'prints.sarif' is no baseline: a result has no fingerprint 'cudaOptSite/v1', {{.*}}; --write-baseline=prints.sarif writes it anew
// OLD: cuda-opt: error: 'old.sarif' is no baseline: it is of version '2.0.0' of SARIF, not '2.1.0'
// BROKEN: cuda-opt: error: the baseline 'kept.sarif' is not written, since not all files could be read
// ABSENT: cuda-opt: error: cannot read the baseline 'none.sarif': {{.*}}; --write-baseline=none.sarif writes it
// BAD: cuda-opt: error: 'bad.sarif' is no baseline: it is no SARIF log
// SAME: cuda-opt: error: a report would replace the baseline 'base.sarif'; --write-baseline=base.sarif renews it

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
