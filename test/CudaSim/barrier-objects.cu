// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim -arch=sm_80 %s 2>&1 | FileCheck %s
// RUN: %exits 1 %cuda-sim -DRACE %s 2>&1 | FileCheck --check-prefix=RACE %s
//
// Barriers that are objects in shared memory order what threads do: of two
// warps, of the lanes of one warp that take different paths, of copies that
// arrive later. Without the wait, there is a race.
//
// CHECK: split right
// CHECK-NEXT: roles right
// CHECK-NEXT: dropped right
// CHECK-NEXT: copied right
// CHECK-NEXT: primitives right
// CHECK: cuda-sim: 5 launches, {{.*}}, 0 findings
//
// RACE-DAG: barrier-objects.cu:{{.*}}: error: threads of different warps race on exchanged at byte {{.*}} [race]
// RACE-DAG: barrier-objects.cu:{{.*}}: warning: threads of one warp race on handed: {{.*}} [warp-race]
// RACE-DAG: barrier-objects.cu:{{.*}}: error: threads of different warps race on arrived at byte {{.*}} [race]

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>
#include <cstdio>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void wait(Barrier &b, Barrier::arrival_token &&token) {
#ifndef RACE
  b.wait(std::move(token));
#endif
}

__global__ void split(int *out) {
  __shared__ Barrier bar;
  __shared__ int exchanged[64];
  const int t = threadIdx.x;
  if (t == 0)
    init(&bar, 64);
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    exchanged[t] = t + i;
    auto token = bar.arrive();
    wait(bar, std::move(token));
    out[t] = exchanged[63 - t];
    bar.arrive_and_wait();
  }
}

struct Stage {
  Barrier full, empty;
};

/// One half of a warp hands numbers to the other.
template <int N> __global__ void roles(int *out) {
  __shared__ Stage stage;
  __shared__ int handed[16];
  const int lane = threadIdx.x % 16;
  if (threadIdx.x == 0) {
    init(&stage.full, 32);
    init(&stage.empty, 32);
  }
  __syncwarp();
  int sum = 0;
  for (int i = 0; i < N; ++i) {
    if (threadIdx.x < 16) {
      handed[lane] = i * lane;
      (void)stage.full.arrive();
      stage.empty.arrive_and_wait();
    } else {
      auto token = stage.full.arrive();
      wait(stage.full, std::move(token));
      sum += handed[15 - lane];
      (void)stage.empty.arrive();
    }
  }
  if (threadIdx.x >= 16)
    out[lane] = sum;
}

__global__ void dropped(int *out) {
  __shared__ Barrier bar;
  __shared__ int sums[64];
  const int t = threadIdx.x;
  if (t == 0)
    init(&bar, 64);
  __syncthreads();
  sums[t] = t;
  for (int half = 32; half; half /= 2) {
    if (t >= 2 * half) {
      bar.arrive_and_drop();
      return;
    }
    bar.arrive_and_wait();
    const int other = t < half ? sums[t + half] : 0;
    bar.arrive_and_wait();
    if (t < half)
      sums[t] += other;
  }
  if (t == 0)
    *out = sums[0];
}

__global__ void copied(int *out, const int *in) {
  __shared__ Barrier bar;
  __shared__ alignas(16) int arrived[64];
  auto block = cooperative_groups::this_thread_block();
  const int t = threadIdx.x;
  if (t == 0)
    init(&bar, 64);
  block.sync();
  cuda::memcpy_async(block, arrived, in, sizeof(arrived), bar);
  wait(bar, bar.arrive());
  out[t] = arrived[63 - t];
}

__global__ void primitives(int *out) {
  __shared__ __mbarrier_t bar;
  __shared__ int last[64];
  const int t = threadIdx.x;
  if (t == 0)
    __mbarrier_init(&bar, 64);
  __syncthreads();
  last[t] = t;
  const __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (!__mbarrier_test_wait(&bar, token)) {
  }
  out[t] = last[63 - t];
  __syncthreads();
  if (t == 0)
    __mbarrier_inval(&bar);
}

int *out, *in;

template <class F> void expect(const char *name, int count, F value) {
  cudaDeviceSynchronize();
  bool isRight = true;
  for (int t = 0; t < count; ++t)
    isRight &= out[t] == value(t);
  printf("%s %s\n", name, isRight ? "right" : "wrong");
}

int main() {
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&in, 64 * sizeof(int));
  for (int t = 0; t < 64; ++t)
    in[t] = 3 * t;
  split<<<1, 64>>>(out);
  expect("split", 64, [](int t) { return 65 - t; });
  roles<5><<<1, 32>>>(out);
  expect("roles", 16, [](int t) { return 10 * (15 - t); });
  dropped<<<1, 64>>>(out);
  expect("dropped", 1, [](int) { return 2016; });
  copied<<<1, 64>>>(out, in);
  expect("copied", 64, [](int t) { return 3 * (63 - t); });
  primitives<<<1, 64>>>(out);
  expect("primitives", 64, [](int t) { return 63 - t; });
}
