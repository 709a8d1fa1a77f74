// RUN: %cuda-opt --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=CLOSED
//
// By what a kernel may tell threads apart whose elements are the same: the array
// stays for the launches of other files. For those of this file it need not.
#include "cuda.h"
#include "cuda/groups.cuh"

// A dimension of the thread that is no subscript.
// CHECK-LABEL: plan readsDimension
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan readsDimension
// CLOSED: private s
__global__ void readsDimension(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  if (threadIdx.z == 0)
    v += 1;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// The size of the block in such a dimension.
// CHECK-LABEL: plan readsSize
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan readsSize
// CLOSED: private s
__global__ void readsSize(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += blockDim.z;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// The same in a function.
// CHECK-LABEL: plan calleeReads
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan calleeReads
// CLOSED: private s
__device__ int offset() { return threadIdx.y; }
__global__ void calleeReads(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += offset();
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// What numbers the threads of a warp.
// CHECK-LABEL: plan readsLane
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan readsLane
// CLOSED: private s
__global__ void readsLane(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += __nvvm_read_ptx_sreg_laneid();
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// The register itself.
// CHECK-LABEL: plan readsRegister
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan readsRegister
// CLOSED: private s
__global__ void readsRegister(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += __nvvm_read_ptx_sreg_tid_z();
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// Values of other threads of the warp.
// CHECK-LABEL: plan shuffles
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan shuffles
// CLOSED: private s
__global__ void shuffles(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v = __shfl_sync(0xffffffff, v, 0);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan votes
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan votes
// CLOSED: private s
__global__ void votes(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += __ballot_sync(0xffffffff, v > 0);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// Barriers that count threads.
// CHECK-LABEL: plan countsThreads
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan countsThreads
// CLOSED: private s
__global__ void countsThreads(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = __syncthreads_or(t < n);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// Threads of a warp may be ordered otherwise than those of others.
// CHECK-LABEL: plan waitsForWarp
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan waitsForWarp
// CLOSED: private s
__global__ void waitsForWarp(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  __syncwarp();
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// Each thread gets another number.
// CHECK-LABEL: plan takesNumber
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan takesNumber
// CLOSED: private s
__global__ void takesNumber(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += atomicAdd(count, 1);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// Nor any other atomic is known.
// CHECK-LABEL: plan counts
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan counts
// CLOSED: private s
__global__ void counts(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  atomicAdd(count, 1);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan assembles
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan assembles
// CLOSED: private s
__global__ void assembles(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  asm("" : "+r"(v));
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// Another thread may have written it.
// CHECK-LABEL: plan readsVolatile
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan readsVolatile
// CLOSED: private s
__global__ void readsVolatile(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += *(volatile int *)count;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan readsVolatileMember
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan readsVolatileMember
// CLOSED: private s
struct Flag {
  volatile int set;
};
__global__ void readsVolatileMember(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += reinterpret_cast<Flag *>(count)->set;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan readsAtomicType
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan readsAtomicType
// CLOSED: private s
__global__ void readsAtomicType(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += *(_Atomic(int) *)count;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan computesOnTheWay
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan computesOnTheWay
// CLOSED: private s
__global__ void computesOnTheWay(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += (v = __nvvm_read_ptx_sreg_laneid(), threadIdx).x;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// The address of a local variable is the thread's own.
// CHECK-LABEL: plan numbersAddress
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan numbersAddress
// CLOSED: private s
__global__ void numbersAddress(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += (long)&v % 64;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan comparesAddresses
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan comparesAddresses
// CLOSED: private s
__global__ void comparesAddresses(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += &v < in;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan punsAddress
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan punsAddress
// CLOSED: private s
union Bits {
  int *pointer;
  long number;
};
__global__ void punsAddress(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  Bits bits;
  bits.pointer = &v;
  v += bits.number % 64;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan hasInactiveText
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan hasInactiveText
// CLOSED: private s
__device__ int varies(int x) {
#ifdef OTHER
  x += threadIdx.y;
#endif
  return x;
}
__global__ void hasInactiveText(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v = varies(v);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan hasOtherText
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan hasOtherText
// CLOSED: private s
#ifdef OTHER
__device__ int replaced(int x) { return x + threadIdx.y; }
#else
__device__ int replaced(int x) { return x; }
#endif
__global__ void hasOtherText(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v = replaced(v);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan expressionStatement
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan expressionStatement
// CLOSED: private s
__global__ void expressionStatement(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += ({ threadIdx.y; });
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// One duplicate would read what another one has written.
// CHECK-LABEL: plan increments
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan increments
// CLOSED: private s
__global__ void increments(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    s[t] += 1;
  __syncthreads();
  out[t] = s[t];
}

// The same in the next iteration.
// CHECK-LABEL: plan writesNext
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan writesNext
// CLOSED: private s
__global__ void writesNext(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    if (t < k)
      s[t] = in[k];
    __syncthreads();
    if (t > 0)
      out[k] = s[t];
  }
}

// A subscript in which other threads have the same number.
// CHECK-LABEL: plan narrow
// CHECK-NOT: private
// CLOSED-LABEL: plan narrow
// CLOSED: private s
__global__ void narrow(int *out, const int *in, int *count, int n) {
  __shared__ int s[256];
  unsigned char c = threadIdx.x;
  if (threadIdx.x < n)
    s[c] = in[c];
  __syncthreads();
  if (c > 0)
    out[c] = s[c];
}

// The write of one duplicate and the read of another have no order.
// CHECK-LABEL: plan increasesUnderCondition
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan increasesUnderCondition
// CLOSED: private s
__global__ void increasesUnderCondition(int *out, const int *in, int *count,
                                        int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t > 0)
    s[t] = s[t] + 1;
  __syncthreads();
  out[t] = s[t];
}

void launch(int *out, const int *in, int *count, int n) {
  readsDimension<<<1, 64>>>(out, in, count, n);
  readsSize<<<1, 64>>>(out, in, count, n);
  calleeReads<<<1, 64>>>(out, in, count, n);
  readsLane<<<1, 64>>>(out, in, count, n);
  readsRegister<<<1, 64>>>(out, in, count, n);
  shuffles<<<1, 64>>>(out, in, count, n);
  votes<<<1, 64>>>(out, in, count, n);
  countsThreads<<<1, 64>>>(out, in, count, n);
  waitsForWarp<<<1, 64>>>(out, in, count, n);
  takesNumber<<<1, 64>>>(out, in, count, n);
  counts<<<1, 64>>>(out, in, count, n);
  assembles<<<1, 64>>>(out, in, count, n);
  readsVolatile<<<1, 64>>>(out, in, count, n);
  readsVolatileMember<<<1, 64>>>(out, in, count, n);
  readsAtomicType<<<1, 64>>>(out, in, count, n);
  computesOnTheWay<<<1, 64>>>(out, in, count, n);
  numbersAddress<<<1, 64>>>(out, in, count, n);
  comparesAddresses<<<1, 64>>>(out, in, count, n);
  punsAddress<<<1, 64>>>(out, in, count, n);
  hasInactiveText<<<1, 64>>>(out, in, count, n);
  hasOtherText<<<1, 64>>>(out, in, count, n);
  increments<<<1, 64>>>(out, in, count, n);
  writesNext<<<1, 64>>>(out, in, count, n);
  narrow<<<1, 64>>>(out, in, count, n);
  expressionStatement<<<1, 64>>>(out, in, count, n);
  increasesUnderCondition<<<1, 64>>>(out, in, count, n);
}
