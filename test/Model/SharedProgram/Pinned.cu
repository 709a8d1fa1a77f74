// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// A variable whose address gets out of sight shares its bytes with nothing, for
// the first reason met; one that only locals and callees lead to is free.

#include "cuda.h"
#include "cuda/groups.cuh"

struct Holder {
  float *P;
  float *__restrict__ R;
};
struct Table {
  float *P;
  __device__ Table(float *P) : P(P) {}
  __device__ float get(int I) const { return P[I]; }
};
__device__ float *Global;
__device__ void unseen(float *P);
__device__ void store(Holder *H, float *P) { H->P = P; }
__device__ void point(float *&To, float *P) { To = P; }
__device__ void alone(float *__restrict__ P) { P[0] = 1; }
__device__ float through(float *P) { return P[threadIdx.x]; }
__device__ float (*Function)(float *);
__shared__ float OfFile[32];

// CHECK: shared OfFile: 128 bytes aligned 4 pinned (file-scope)
// CHECK: shared ToGlobal: {{.*}} pinned (address-stored)
// CHECK: shared ToField: {{.*}} pinned (address-stored)
// CHECK: shared Slot: 8 bytes aligned 8{{$}}
// CHECK: shared ToShared: {{.*}} pinned (address-stored)
// CHECK: shared ToInteger: {{.*}} pinned (address-as-integer)
// CHECK: shared ToWindow: {{.*}} pinned (address-as-integer)
// CHECK: shared ToAsm: {{.*}} pinned (inline-assembly)
// CHECK: shared ToKnownAsm: 128 bytes aligned 4{{$}}
// CHECK: shared ToUnseen: {{.*}} pinned (passed-to-unknown)
// CHECK: shared ToPointer: {{.*}} pinned (passed-to-unknown)
// CHECK: shared ToRestrict: {{.*}} pinned (reached-by-restrict)
// CHECK: shared ToLocalRestrict: {{.*}} pinned (reached-by-restrict)
// CHECK: shared Bar: 8 bytes aligned 8 pinned (holds-barrier)
// CHECK: shared ToBulk: {{.*}} pinned (async-bulk-copy)
// CHECK: shared ToCluster: {{.*}} pinned (distributed-shared)
// CHECK: shared ToTable: 128 bytes aligned 4{{$}}
// CHECK: shared ToLocal: 128 bytes aligned 4{{$}}
// CHECK: shared ToLambda: 128 bytes aligned 4{{$}}
// CHECK: shared Volatile: 128 bytes aligned 4{{$}}
__global__ void kernel(Holder *H, float *Out, int N) {
  __shared__ float ToGlobal[32], ToField[32];
  __shared__ float *Slot;
  __shared__ float ToShared[32], ToInteger[32], ToWindow[32], ToAsm[32];
  __shared__ float ToKnownAsm[32];
  __shared__ float ToUnseen[32], ToPointer[32], ToRestrict[32];
  __shared__ float ToLocalRestrict[32];
  __shared__ cuda::barrier Bar;
  __shared__ float ToBulk[32], ToCluster[32], ToTable[32], ToLocal[32];
  __shared__ float ToLambda[32];
  __shared__ volatile float Volatile[32];
  OfFile[threadIdx.x] = 1;
  Global = ToGlobal;
  store(H, ToField);
  Slot = ToShared + N;
  Out[0] = (unsigned long)ToInteger;
  Out[1] = __cvta_generic_to_shared(ToWindow);
  float *P = N ? ToAsm : nullptr, *Q = N ? ToKnownAsm : nullptr;
  asm volatile("multimem.st.f32 [%0], 0f00000000;" ::"l"(P));
  asm volatile("st.f32 [%0], 0f00000000;" ::"l"(Q));
  unseen(&ToUnseen[N]);
  Function(ToPointer);
  alone(ToRestrict);
  float *__restrict__ R = ToLocalRestrict;
  R[0] = 1;
  Bar.arrive_and_wait();
  cuda::ptx::cp_async_bulk(ToBulk, Out, 4);
  *cooperative_groups::this_cluster().map_shared_rank(ToCluster, 1) = 2;
  Table T(ToTable);
  float *L;
  point(L, ToLocal);
  auto Get = [&](int I) { return ToLambda[I]; };
  Volatile[threadIdx.x] = 3;
  Out[2] = T.get(N) + through(L) + Get(1) + Volatile[0];
}

void host(Holder *H, float *Out) { kernel<<<1, 32>>>(H, Out, 3); }
