// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim -DKERNEL=unset %s 2>&1 | FileCheck --check-prefix=UNSET %s
// RUN: %exits 1 %cuda-sim -DKERNEL=again %s 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: %exits 1 %cuda-sim -DKERNEL=many %s 2>&1 | FileCheck --check-prefix=MANY %s
// RUN: %exits 1 %cuda-sim -DKERNEL=few %s 2>&1 | FileCheck --check-prefix=FEW %s
// RUN: %exits 1 %cuda-sim -DKERNEL=unordered %s 2>&1 | FileCheck --check-prefix=UNORDERED %s
// RUN: %exits 1 %cuda-sim -DKERNEL=overwritten %s 2>&1 | FileCheck --check-prefix=OVERWRITTEN %s
// RUN: %exits 1 %cuda-sim -DKERNEL=early %s 2>&1 | FileCheck --check-prefix=EARLY %s
// RUN: %exits 1 %cuda-sim -DKERNEL=loneLane %s 2>&1 | FileCheck --check-prefix=LANE %s
//
// What goes wrong with a barrier that is an object is a finding, not a hang.
//
// UNSET: barrier-misuse.cu:{{.*}}: error: barrier object bar is used before it is initialised, thread 0 of block (0,0,0); seen 64 times [barrier-misuse]
// AGAIN: barrier-misuse.cu:{{.*}}: error: barrier object bar is initialised while it is in use, thread 0 of block (0,0,0) [barrier-misuse]
// MANY: barrier-misuse.cu:{{.*}}: error: barrier object bar gets more arrivals than it expects in a phase, thread 0 of block (0,0,0) [barrier-misuse]
// FEW: barrier-misuse.cu:{{.*}}: error: the barrier waits for threads that never come, thread 0 of block (0,0,0); seen 32 times [barrier-deadlock]
// UNORDERED: barrier-misuse.cu:{{.*}}: error: threads of different warps race on bar {{.*}} [race]
// OVERWRITTEN: barrier-misuse.cu:{{.*}}: error: barrier object bar was overwritten as plain memory, thread 0 of block (0,0,0) [barrier-misuse]
// EARLY: barrier-misuse.cu:{{.*}}: error: data is accessed while an asynchronous copy to it is under way {{.*}} [pending-copy]
// LANE: barrier-misuse.cu:{{.*}}: error: threads of different warps race on data {{.*}} [race]

#include <cuda/barrier>
#include <cstring>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void unset() {
  __shared__ Barrier bar;
  (void)bar.arrive();
}

__global__ void again() {
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, 64);
    init(&bar, 32);
  }
}

__global__ void many() {
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, 4);
    (void)bar.arrive(5);
  }
}

__global__ void few() {
  __shared__ Barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 65);
  __syncthreads();
  bar.arrive_and_wait();
}

__global__ void unordered() {
  __shared__ Barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 64);
  bar.arrive_and_wait();
}

__global__ void overwritten() {
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, 2);
    memset(static_cast<void *>(&bar), 1, 8);
    (void)bar.arrive();
  }
}

__device__ int source[64];

__global__ void early() {
  __shared__ Barrier bar;
  __shared__ alignas(16) int data[64];
  if (threadIdx.x == 0) {
    init(&bar, 1);
    cuda::device::memcpy_async_tx(data, source,
                                  cuda::aligned_size_t<16>(sizeof(data)), bar);
    auto token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(data));
    if (data[0] != 0)
      __trap();
    bar.wait(std::move(token));
  }
}

__global__ void loneLane() {
  __shared__ Barrier bar;
  __shared__ int data[64];
  if (threadIdx.x == 0)
    init(&bar, 2);
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  // A __syncwarp is missing.
  if (threadIdx.x % 32 == 0)
    (void)bar.arrive();
  bar.wait_parity(false);
  if (data[63 - threadIdx.x] < 0)
    __trap();
}

int main() { KERNEL<<<1, 64>>>(); }
