// The least of CUDA that a kernel and its launch need to parse: tests that do
// not concern the toolkit's headers run without a toolkit.
#pragma GCC system_header
#ifndef CUDAOPT_TEST_CUDA_H
#define CUDAOPT_TEST_CUDA_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
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

extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ const int warpSize;

__device__ void __syncthreads();
__device__ void __syncwarp(unsigned Mask = 0xffffffff);
__device__ int atomicAdd(int *Address, int Value);
__device__ float atomicAdd(float *Address, float Value);
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

#endif // CUDAOPT_TEST_CUDA_H
