// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim --global-races --json=%t.json %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: %cuda-sim %s 2>&1 | FileCheck %s --check-prefix=NONE
//
// Races on global memory are looked for on demand: between blocks, unless a
// fence and an atomic order them.
//
// CHECK: global-races.cu:[[#@LINE+12]]:{{[0-9]+}}: error: threads of different warps race on cudaMalloc #1 at byte 0, thread 0 of block (1,0,0) and thread 0 of block (0,0,0); the other access is at {{.*}}global-races.cu:[[#@LINE+12]]:{{[0-9]+}} [race]
// CHECK-NEXT: in number(int*), launch 1
// CHECK-NEXT: cuda-sim: 2 launches, {{[0-9]+}} warp instructions, 1 finding{{$}}
// NONE: cuda-sim: 2 launches, {{[0-9]+}} warp instructions, 0 findings
// JSON: "block": [
// JSON-NEXT: 1,
// JSON: "id": "race"
// JSON: "otherBlock": [
// JSON-NEXT: 0,

__global__ void number(int *Sum) {
  if (threadIdx.x == 0)
    *Sum = blockIdx.x;
}

__device__ unsigned Done;

// The block that ends last adds up what the others left.
__global__ void add(int *Sum, int *Parts) {
  if (threadIdx.x != 0)
    return;
  Parts[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicInc(&Done, gridDim.x) != gridDim.x - 1)
    return;
  for (unsigned I = 0; I < gridDim.x; ++I)
    *Sum += Parts[I];
}

int main() {
  int *Data;
  cudaMalloc(&Data, 256);
  number<<<2, 32>>>(Data);
  add<<<2, 32>>>(Data, Data + 1);
}
