// RUN: %cuda-opt --print=model %s -- %cuda-flags -std=c++20 | FileCheck %s
//
// What changes a local in an unusual way makes it unknown, or is followed; it
// never leaves the old value.

#include "cuda.h"

__device__ void set(int &Index);
namespace cfg {
__device__ int warpSize;
}

// CHECK-LABEL: kernel changed
__global__ void changed(float *Out, int N) {
  __shared__ float line[1024];
  int A = 0, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0;
  // The value of an assignment is the variable.
  (A = 5) = 40;
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}} -> line[40]
  line[A] = 0;
  ++(++B);
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}} -> line[2]
  line[B] = 0;
  // A reference to it.
  int &Reference = ++C;
  Reference = 40;
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}} -> line[40]
  line[C] = 0;
  set(++D);
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}}: line opaque
  line[D] = 0;
  // An operand that is not evaluated changes nothing.
  Out[0] = sizeof(E = 5) + noexcept(E = 5);
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}} -> line[0]
  line[E] = 0;
  // The second operand of ?: may not be evaluated.
  N ?: (F = 5);
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}}: line opaque
  line[F] = 0;
  // A bool is 0 or 1.
  bool Flag = false;
  Flag -= 1;
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}} -> line[1]
  line[Flag] = 0;
  // Only CUDA's warpSize is 32.
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}}: line opaque
  line[cfg::warpSize] = 0;
  // `continue` reaches the step, too.
  // CHECK: write 4 bytes line [[@LINE+1]] {{.*}} at most
  for (int I = 0; I < 64; line[I] = 0, ++I)
    if (I >= 32)
      continue;
  // A condition variable is initialised in each iteration.
  int J = 10;
  while (int K = J % 64) {
    // CHECK: write 4 bytes line [[@LINE+1]] {{.*}} (-10 + i1 + o0) mod 64 = 0
    line[K] = 0;
    --J;
  }
  if consteval {
    line[0] = 0;
  }
}
void launchChanged(float *Out, int N) { changed<<<1, 32>>>(Out, N); }

// A narrow counter wraps around.
// CHECK-LABEL: kernel narrow
// CHECK: write 4 bytes {{.*}} bounds not proved
__global__ void narrow(int N) {
  __shared__ float tile[2][128];
  signed char I = 127;
  if (threadIdx.x > 3)
    I = 5;
  I++;
  tile[0][I] = 0;
}
void launchNarrow(int N) { narrow<<<1, 32>>>(N); }

// Neither a row number that wraps around nor a bound that looks negative in 64
// bits proves anything.
// CHECK-LABEL: kernel wraps
// CHECK: write 4 bytes line [[@LINE+7]]
// CHECK-NOT: rows of
// CHECK: read 4 bytes line [[@LINE+8]]
// CHECK-SAME: bounds not proved
__global__ void wraps(float *Out) {
  __shared__ float line[1024];
  __shared__ float tile[32][32];
  line[(threadIdx.y + 0x8000000u) * 32u + threadIdx.x] = 0;
  size_t I = threadIdx.x * 2;
  if (I < (size_t)-1)
    Out[0] = tile[0][I];
}
void launchWraps(float *Out) { wraps<<<1, dim3(32, 32)>>>(Out); }
