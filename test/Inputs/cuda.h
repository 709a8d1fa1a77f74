// The least of CUDA that a kernel and its launch need to parse, and a kernel to
// run: tests that do not concern the toolkit's headers run without a toolkit.
#pragma GCC system_header
#ifndef CUDAOPT_TEST_CUDA_H
#define CUDAOPT_TEST_CUDA_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __align__(N) __attribute__((aligned(N)))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

typedef __SIZE_TYPE__ size_t;

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1,
                                     unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(16))) double2 {
  double x, y;
};

// clang's own: threadIdx.x is a property that reads a register.
#include <__clang_cuda_builtin_vars.h>
#define CUDAOPT_TEST_CONVERSIONS(VARIABLE, TYPE)                               \
  __device__ inline TYPE::operator dim3() const {                              \
    return dim3(VARIABLE.x, VARIABLE.y, VARIABLE.z);                           \
  }                                                                            \
  __device__ inline TYPE::operator uint3() const {                             \
    return {VARIABLE.x, VARIABLE.y, VARIABLE.z};                               \
  }
CUDAOPT_TEST_CONVERSIONS(threadIdx, __cuda_builtin_threadIdx_t)
CUDAOPT_TEST_CONVERSIONS(blockIdx, __cuda_builtin_blockIdx_t)
CUDAOPT_TEST_CONVERSIONS(blockDim, __cuda_builtin_blockDim_t)
CUDAOPT_TEST_CONVERSIONS(gridDim, __cuda_builtin_gridDim_t)
#undef CUDAOPT_TEST_CONVERSIONS

// A builtin of clang.
extern "C" __device__ void __syncthreads();
__device__ inline void __syncwarp(unsigned Mask = 0xffffffff) {
  __nvvm_bar_warp_sync(Mask);
}

__device__ inline int atomicAdd(int *Address, int Value) {
  return __nvvm_atom_add_gen_i(Address, Value);
}
__device__ inline unsigned atomicAdd(unsigned *Address, unsigned Value) {
  return __nvvm_atom_add_gen_i((int *)Address, Value);
}
__device__ inline float atomicAdd(float *Address, float Value) {
  return __nvvm_atom_add_gen_f(Address, Value);
}
__device__ inline int atomicMax(int *Address, int Value) {
  return __nvvm_atom_max_gen_i(Address, Value);
}
__device__ inline int atomicCAS(int *Address, int Expected, int Value) {
  return __nvvm_atom_cas_gen_i(Address, Expected, Value);
}

// The last operand: the segments of lanes, and the lane not to read beyond.
__device__ inline int __shfl_sync(unsigned Mask, int Value, int Lane,
                                  int Width = 32) {
  return __nvvm_shfl_sync_idx_i32(Mask, Value, Lane, (32 - Width) << 8 | 31);
}
__device__ inline float __shfl_sync(unsigned Mask, float Value, int Lane,
                                    int Width = 32) {
  return __nvvm_shfl_sync_idx_f32(Mask, Value, Lane, (32 - Width) << 8 | 31);
}
__device__ inline int __shfl_down_sync(unsigned Mask, int Value, unsigned Delta,
                                       int Width = 32) {
  return __nvvm_shfl_sync_down_i32(Mask, Value, Delta, (32 - Width) << 8 | 31);
}
__device__ inline float __shfl_down_sync(unsigned Mask, float Value,
                                         unsigned Delta, int Width = 32) {
  return __nvvm_shfl_sync_down_f32(Mask, Value, Delta, (32 - Width) << 8 | 31);
}
__device__ inline int __shfl_xor_sync(unsigned Mask, int Value, int LaneMask,
                                      int Width = 32) {
  return __nvvm_shfl_sync_bfly_i32(Mask, Value, LaneMask,
                                   (32 - Width) << 8 | 31);
}
__device__ inline float __shfl_xor_sync(unsigned Mask, float Value,
                                        int LaneMask, int Width = 32) {
  return __nvvm_shfl_sync_bfly_f32(Mask, Value, LaneMask,
                                   (32 - Width) << 8 | 31);
}
__device__ inline long long __shfl_sync(unsigned Mask, long long Value,
                                        int Lane, int Width = 32) {
  const int Low = __shfl_sync(Mask, int(Value), Lane, Width);
  const int High = __shfl_sync(Mask, int(Value >> 32), Lane, Width);
  return (long long)High << 32 | unsigned(Low);
}
__device__ inline unsigned __activemask() {
  unsigned Mask;
  asm volatile("activemask.b32 %0;" : "=r"(Mask));
  return Mask;
}
__device__ inline int __all_sync(unsigned Mask, int Predicate) {
  return __nvvm_vote_all_sync(Mask, Predicate);
}
__device__ inline unsigned __ballot_sync(unsigned Mask, int Predicate) {
  return __nvvm_vote_ballot_sync(Mask, Predicate);
}

__device__ inline unsigned __brev(unsigned Value) {
  return __builtin_bitreverse32(Value);
}
__device__ inline int min(int A, int B) { return A < B ? A : B; }
__device__ inline int max(int A, int B) { return A > B ? A : B; }

typedef int cudaError_t;
typedef struct CUstream_st *cudaStream_t;
extern "C" cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid,
                                        dim3 Block, void **Arguments,
                                        size_t Shared, cudaStream_t Stream);
extern "C" unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block,
                                                size_t Shared = 0,
                                                void *Stream = 0);
extern "C" unsigned cudaConfigureCall(dim3 Grid, dim3 Block, size_t Shared = 0,
                                      cudaStream_t Stream = 0);

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
template <class T>
inline cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int) {
  return 0;
}

#endif // CUDAOPT_TEST_CUDA_H
