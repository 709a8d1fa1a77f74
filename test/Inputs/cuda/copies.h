// The least of the toolkit's functions that go through rows of an array:
// copies, and fragments of matrices. Those of a group copy with its first
// thread.
#pragma GCC system_header
#ifndef CUDAOPT_TEST_COPIES_H
#define CUDAOPT_TEST_COPIES_H

#include "../cuda.h"

extern "C" __device__ __forceinline__ void *memcpy(void *To, const void *From,
                                                   size_t Size) {
  return __builtin_memcpy(To, From, Size);
}

__device__ inline void __pipeline_memcpy_async(void *To, const void *From,
                                               size_t Size, size_t Zeros = 0) {
  if (Size == 16)
    *static_cast<float4 *>(To) = *static_cast<const float4 *>(From);
  else
    *static_cast<float *>(To) = *static_cast<const float *>(From);
}

namespace cuda {
template <size_t Alignment> struct aligned_size_t {
  size_t value;
  __device__ explicit aligned_size_t(size_t Size) : value(Size) {}
};
struct barrier {};
template <class T, class Size>
__device__ void memcpy_async(T *To, const T *From, Size, barrier &);
} // namespace cuda

namespace cooperative_groups {
struct thread_block {};
__device__ inline thread_block this_thread_block() { return {}; }
template <class Group, class T>
__device__ void memcpy_async(const Group &, T *To, const T *From, size_t Size) {
  if (threadIdx.x == 0)
    for (size_t I = 0; I < Size / sizeof(T); ++I)
      To[I] = From[I];
}
} // namespace cooperative_groups

struct __attribute__((aligned(2))) half {
  unsigned short Bits;
};

namespace nvcuda::wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct b1;
} // namespace precision
enum layout_t { mem_row_major, mem_col_major };
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {};
template <class Fragment, class T>
__device__ void load_matrix_sync(Fragment &To, const T *From, unsigned Ldm);
template <class Fragment, class T>
__device__ void load_matrix_sync(Fragment &To, const T *From, unsigned Ldm,
                                 layout_t Layout);
template <class Fragment, class T>
__device__ void store_matrix_sync(T *To, const Fragment &From, unsigned Ldm,
                                  layout_t Layout);
} // namespace nvcuda::wmma

#endif // CUDAOPT_TEST_COPIES_H
