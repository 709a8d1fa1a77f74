// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measures how fast a GPU works: the rates of its pipes, of its memory and of
/// its cache, per multiprocessor and cycle, and the cycles that requests to
/// shared memory take. `cuda-opt calibrate` compiles and runs it. It prints
/// lines of words, separated by tabs:
///
///   gpu <name> <architecture> <multiprocessors>    rate <key> <number>
///   request <bytes a lane> <stride in words> <cycles>
///
/// A program that fails prints a line that begins with "error" and exits with
/// 1.
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int Threads = 1024, Chains = 8, Steps = 512, Rounds = 5;
constexpr double WarpSize = 32;

void check(cudaError_t Status) {
  if (Status == cudaSuccess)
    return;
  std::printf("error\t%s\n", cudaGetErrorString(Status));
  std::exit(1);
}

double medianOf(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  return Values[Values.size() / 2];
}

/// The instructions whose rates are measured; each continues a chain.
struct FloatStep {
  using Value = float;
  static __device__ void step(float &X, float Y) {
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(X) : "f"(Y));
  }
};
struct IntegerStep {
  using Value = unsigned;
  static __device__ void step(unsigned &X, unsigned Y) {
    asm volatile("lop3.b32 %0, %0, %1, %1, 0x6a;" : "+r"(X) : "r"(Y));
  }
};
struct DoubleStep {
  using Value = double;
  static __device__ void step(double &X, double Y) {
    asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(X) : "d"(Y));
  }
};
struct SpecialStep {
  using Value = float;
  static __device__ void step(float &X, float) {
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(X));
  }
};

/// Runs the chains of all warps of a block, and writes the cycles that the
/// block takes.
template <class Step>
__global__ void runChains(typename Step::Value Y, typename Step::Value *Out,
                          long long *Cycles) {
  typename Step::Value X[Chains];
  for (int I = 0; I < Chains; ++I)
    X[I] = typename Step::Value(threadIdx.x + I);
  __syncthreads();
  const long long Begin = clock64();
  for (int S = 0; S < Steps; ++S)
#pragma unroll
    for (int I = 0; I < Chains; ++I)
      Step::step(X[I], Y);
  __syncthreads();
  if (threadIdx.x == 0)
    *Cycles = clock64() - Begin;
  typename Step::Value Sum = 0;
  for (int I = 0; I < Chains; ++I)
    Sum += X[I];
  Out[threadIdx.x] = Sum;
}

/// Memory for results that nobody reads, and for one number.
struct Scratch {
  void *Out = nullptr;
  long long *Cycles = nullptr;
  Scratch() {
    check(cudaMalloc(&Out, Threads * sizeof(double)));
    check(cudaMallocManaged(&Cycles, sizeof(*Cycles)));
  }
};

template <class Step> double measureRate(const Scratch &S) {
  std::vector<double> Rates;
  for (int R = 0; R < Rounds; ++R) {
    runChains<Step><<<1, Threads>>>(typename Step::Value(1),
                                    static_cast<typename Step::Value *>(S.Out),
                                    S.Cycles);
    check(cudaDeviceSynchronize());
    const double Instructions = Threads / WarpSize * Chains * Steps;
    Rates.push_back(Instructions / double(*S.Cycles));
  }
  return medianOf(Rates);
}

/// Reads \p Count vectors again and again, in all blocks the same or each its
/// part.
__global__ void readMemory(const uint4 *In, size_t Count, int Repeats,
                           uint4 *Out) {
  const size_t Stride = size_t(gridDim.x) * blockDim.x;
  uint4 Sum = {};
  for (int R = 0; R < Repeats; ++R)
    for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
         I += Stride) {
      uint4 V;
      asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                   : "l"(In + I));
      Sum.x ^= V.x ^ V.y ^ V.z ^ V.w;
    }
  if (Sum.x == 1)
    *Out = Sum;
}

/// Returns the bytes a second of reading \p Bytes bytes, \p Repeats times.
double measureBandwidth(const uint4 *In, size_t Bytes, int Repeats, int Blocks,
                        const Scratch &S) {
  cudaEvent_t Begin, End;
  check(cudaEventCreate(&Begin));
  check(cudaEventCreate(&End));
  std::vector<double> Rates;
  for (int R = 0; R < Rounds; ++R) {
    check(cudaEventRecord(Begin));
    readMemory<<<Blocks, Threads>>>(In, Bytes / sizeof(uint4), Repeats,
                                    static_cast<uint4 *>(S.Out));
    check(cudaEventRecord(End));
    check(cudaEventSynchronize(End));
    float Milliseconds = 0;
    check(cudaEventElapsedTime(&Milliseconds, Begin, End));
    Rates.push_back(double(Bytes) * Repeats / (Milliseconds * 1e-3));
  }
  return medianOf(Rates);
}

/// Writes the cycles and the nanoseconds of a while of work.
__global__ void measureClock(long long *Cycles) {
  long long From, To;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(From));
  const long long Begin = clock64();
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(To));
  } while (To - From < 20'000'000);
  *Cycles = (clock64() - Begin) * 1'000'000 / (To - From);
}

/// Loads of all warps of a block, in which lane L reads Words words at
/// L * Stride.
template <int Words>
__global__ void readShared(int Stride, unsigned *Out, long long *Cycles) {
  extern __shared__ unsigned Data[];
  for (int I = threadIdx.x; I < 32 * 40 * 4; I += blockDim.x)
    Data[I] = I;
  __syncthreads();
  const unsigned Lane = threadIdx.x % 32;
  const unsigned At =
      static_cast<unsigned>(__cvta_generic_to_shared(Data + Lane * Stride));
  unsigned Sum = 0;
  const long long Begin = clock64();
  for (int S = 0; S < Steps / 8; ++S)
#pragma unroll
    for (int I = 0; I < 8; ++I) {
      unsigned A = 0, B = 0, C = 0, D = 0;
      if (Words == 1)
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(A) : "r"(At));
      else if (Words == 2)
        asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];"
                     : "=r"(A), "=r"(B)
                     : "r"(At));
      else
        asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(A), "=r"(B), "=r"(C), "=r"(D)
                     : "r"(At));
      Sum ^= A ^ B ^ C ^ D;
    }
  __syncthreads();
  if (threadIdx.x == 0)
    *Cycles = clock64() - Begin;
  Out[threadIdx.x] = Sum;
}

template <int Words> void measureRequests(const Scratch &S) {
  for (int Stride = Words; Stride <= 36; Stride += Words) {
    std::vector<double> Cycles;
    for (int R = 0; R < Rounds; ++R) {
      readShared<Words><<<1, Threads, 32 * 40 * 4 * 4>>>(
          Stride, static_cast<unsigned *>(S.Out), S.Cycles);
      check(cudaDeviceSynchronize());
      Cycles.push_back(double(*S.Cycles) / (Threads / WarpSize * Steps));
    }
    std::printf("request\t%d\t%d\t%.3f\n", Words * 4, Stride, medianOf(Cycles));
  }
}

void printRate(const char *Key, double Value) {
  std::printf("rate\t%s\t%.6g\n", Key, Value);
}

} // namespace

int main() {
  int Device = 0;
  cudaDeviceProp Properties;
  check(cudaGetDevice(&Device));
  check(cudaGetDeviceProperties(&Properties, Device));
  const int Count = Properties.multiProcessorCount;
  std::printf("gpu\t%s\tsm_%d%d\t%d\n", Properties.name, Properties.major,
              Properties.minor, Count);
  const Scratch S;

  measureClock<<<1, 1>>>(S.Cycles);
  check(cudaDeviceSynchronize());
  measureClock<<<Count, 256>>>(S.Cycles); // The clock has risen by now.
  check(cudaDeviceSynchronize());
  const double KHz = double(*S.Cycles);
  printRate("mhz", KHz * 1e-3);
  printRate("float", measureRate<FloatStep>(S));
  printRate("integer", measureRate<IntegerStep>(S));
  printRate("double", measureRate<DoubleStep>(S));
  printRate("special", measureRate<SpecialStep>(S));

  const size_t Cached = Properties.l2CacheSize / 4;
  const size_t Large =
      std::min<size_t>(size_t(4) << 30, Properties.totalGlobalMem / 4);
  uint4 *Memory = nullptr;
  check(cudaMalloc(&Memory, Large));
  check(cudaMemset(Memory, 0, Large));
  const double CyclesOfAll = Count * KHz * 1e3;
  printRate("memory",
            measureBandwidth(Memory, Large, 1, 2 * Count, S) / CyclesOfAll);
  printRate("cache",
            measureBandwidth(Memory, Cached, 50, 2 * Count, S) / CyclesOfAll);
  measureRequests<1>(S);
  measureRequests<2>(S);
  measureRequests<4>(S);
  return 0;
}
