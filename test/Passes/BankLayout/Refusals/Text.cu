// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt --passes=bank-layout %t/text.cu -o %t/new.cu -Rpass-missed --report=json:%t/text.json -- %cuda-flags 2>&1 | FileCheck %t/text.cu
// RUN: diff %t/text.cu %t/new.cu
// RUN: FileCheck %t/text.cu --check-prefix=ID < %t/text.json
// RUN: %cuda-opt --passes=bank-layout %t/includes.cu -o %t/new.cu -Rpass-missed --report=json:%t/includes.json -- %cuda-flags 2>&1 | FileCheck %t/includes.cu
// RUN: diff %t/includes.cu %t/new.cu
// RUN: FileCheck %t/includes.cu --check-prefix=ID < %t/includes.json
//
// Text that cannot be edited, or means several things, keeps an array.

//--- text.cu
#include "cuda.h"

#define COLUMN line[threadIdx.x * 32]

// CHECK: :[[@LINE+4]]:3: remark: {{.*}}: macro 'COLUMN' writes the text that would change
// ID: "reason": "in-macro"
__global__ void inMacro() {
  __shared__ float line[1024];
  COLUMN = 0;
}

// CHECK: :[[@LINE+4]]:1: remark: {{.*}}: a part of the kernel that is switched off by #if mentions it
// ID: "reason": "inactive-region"
__global__ void inactiveRegion() {
  __shared__ float tile[32][32];
#if 0
  tile[0][32] = 0;
#endif
  tile[threadIdx.x][0] = 0;
}

// The struct of arrays would need a declaration of its own.
// CHECK: :[[@LINE+4]]:19: remark: shared array 'first' {{.*}}: its declaration cannot be edited
// ID: "reason": "shared-declarator"
struct Body { float x, y, z, w; };
__global__ void sharedDeclarator(float *Out) {
  __shared__ Body first[32], second[32];
  Out[0] = first[threadIdx.x].x;
}

// CHECK: :[[@LINE+6]]:3: remark: {{.*}}: a subscript has a side effect
// ID: "reason": "side-effect"
__device__ int next(int);
__global__ void sideEffect() {
  __shared__ float line[1024];
  line[threadIdx.x * 8] = 0;
  line[next(1)] = 0;
}

// A bracket of two characters.
// CHECK: :[[@LINE+5]]:10: remark: {{.*}}: a subscript is not written as array[index]
// ID: "reason": "unusual-subscript"
__global__ void unusualSubscript() {
  __shared__ float line[1024];
  line[threadIdx.x * 32] = 0;
  line<:0:> = 0;
}

// Other instances could not be told from that of a lambda, or of a type that is
// declared later.
// CHECK: :[[@LINE+4]]:20: remark: {{.*}}: the template has arguments that its text cannot name, so that no assertion can keep other instances away
// CHECK: :[[@LINE+7]]:20: remark: {{.*}}: the template has arguments that its text cannot name
// ID: "reason": "unnamed-argument"
template <class T> __global__ void ofLambda(T Call) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = Call();
}
template <class T> __global__ void ofLaterType() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 0;
}
struct Later;

void launch(float *F) {
  ofLambda<<<1, 32>>>([] { return 1; });
  ofLaterType<Later *><<<1, 32>>>();
  inMacro<<<1, 32>>>();
  inactiveRegion<<<1, 32>>>();
  sharedDeclarator<<<1, 32>>>(F);
  sideEffect<<<1, 32>>>();
  unusualSubscript<<<1, 32>>>();
}

//--- includes.cu
#include "cuda.h"

// CHECK: kernel.cuh:2:20: remark: {{.*}}: it is declared in an included file; use -i, --output-dir or the launcher to edit '{{.*}}kernel.cuh'
// ID: "reason": "in-header"
#include "kernel.cuh"

// CHECK: template.cuh:2:20: remark: {{.*}}: it is part of a template in an included file, and other files may instantiate it otherwise
// ID: "reason": "template-in-header"
#include "template.cuh"

// The array is here, and the kernel whose argument it gets is there.
// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: it is part of a template in an included file, and other files may instantiate it otherwise
#include "caller.cuh"
__device__ void calledByTemplate(int Row) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][Row] = 0;
}

// CHECK: body.inc:2:20: remark: {{.*}}: its file is included more than once
// ID: "reason": "included-twice"
#define NAME once
#include "body.inc"
#undef NAME
#define NAME twice
#include "body.inc"

void launch() {
  inHeader<<<1, 32>>>();
  inTemplate<32><<<1, 32>>>();
  caller<3><<<1, 32>>>();
  once<<<1, 32>>>();
  twice<<<1, 32>>>();
}

//--- kernel.cuh
__global__ void inHeader() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 0;
}

//--- template.cuh
template <int N> __global__ void inTemplate() {
  __shared__ float tile[N][N];
  tile[threadIdx.x][0] = 0;
}

//--- caller.cuh
__device__ void calledByTemplate(int Row);
template <int Row> __global__ void caller() { calledByTemplate(Row); }

//--- body.inc
__global__ void NAME() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 0;
}
