// The least of cooperative groups, pipelines and barriers: what the toolkit's
// headers declare, for tests that run without a toolkit.
#pragma GCC system_header
#ifndef CUDAOPT_TEST_GROUPS_CUH
#define CUDAOPT_TEST_GROUPS_CUH

__device__ int __syncthreads_or(int Predicate);
__device__ void __barrier_sync(unsigned Id);
__device__ inline unsigned __cvta_generic_to_shared(const void *) { return 0; }
__device__ inline void __pipeline_memcpy_async(void *, const void *, size_t) {}
__device__ inline void __pipeline_commit() {}
__device__ inline void __pipeline_wait_prior(size_t) {}

namespace cooperative_groups {
struct thread_block {
  __device__ static void sync() {}
  void *Data;
};
template <unsigned Size> struct thread_block_tile {
  __device__ void sync() const {}
};
struct cluster_group {
  __device__ void sync() const {}
  template <typename T> __device__ T *map_shared_rank(T *P, int) const {
    return P;
  }
};
__device__ inline thread_block this_thread_block() { return {}; }
__device__ inline cluster_group this_cluster() { return {}; }
template <unsigned Size>
__device__ inline thread_block_tile<Size> tiled_partition(thread_block) {
  return {};
}
template <typename Group> __device__ void sync(const Group &) {}
template <typename Group> __device__ void wait(const Group &) {}
template <typename Group, typename T>
__device__ void memcpy_async(const Group &, T *, const T *, size_t) {}
} // namespace cooperative_groups

namespace cuda {
struct barrier {
  __device__ void arrive_and_wait() {}
  unsigned long State;
};
namespace ptx {
template <typename T>
__device__ void cp_async_bulk(T *, const T *, unsigned) {}
} // namespace ptx
} // namespace cuda

namespace cub {
struct BlockScan {
  struct TempStorage {
    float Sums[32];
  };
  TempStorage &Storage;
  __device__ BlockScan(TempStorage &Storage) : Storage(Storage) {}
  __device__ void Sum(float In, float &Out) { Out = In + Storage.Sums[0]; }
};
} // namespace cub

#endif // CUDAOPT_TEST_GROUPS_CUH
