// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the runtime takes from the compiler: with nvcc or clang in CUDA mode it
/// has two backends, elsewhere the CPU alone. Programs use the macro
/// CUDAOPT_HOST_DEVICE, which marks functions of loops (nothing without CUDA),
/// CUDAOPT_CUDA, which is 1 or 0, and the types at the end.
///
/// \code{.cpp}
/// CUDAOPT_HOST_DEVICE inline cudaopt::index_t at_row(cudaopt::index_t i,
///                                                    cudaopt::index_t pitch) {
///   return i * pitch;
/// }
/// \endcode
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CONFIG_HPP
#define CUDAOPT_LEVELIZE_CONFIG_HPP

#include <cstdint>

#if defined(__CUDACC__) || (defined(__clang__) && defined(__CUDA__))
#include <cuda_runtime_api.h>
#define CUDAOPT_CUDA 1
#define CUDAOPT_HOST_DEVICE __host__ __device__
#else
#define CUDAOPT_CUDA 0
#define CUDAOPT_HOST_DEVICE
#endif

// Before a host-device function that is called on the host alone and calls
// functions of the host: nvcc then does not warn.
#if defined(__NVCC__)
#define CUDAOPT_CALLS_HOST _Pragma("nv_exec_check_disable")
#else
#define CUDAOPT_CALLS_HOST
#endif

// Code that hardly ever runs stays out of the loops that call it, as a call
// takes fewer of their instructions and registers than inlined code.
#if defined(__GNUC__)
#define CUDAOPT_NOINLINE __attribute__((noinline))
#define CUDAOPT_COLD __attribute__((cold, noinline))
#define CUDAOPT_ALWAYS_INLINE inline __attribute__((always_inline))
#define CUDAOPT_LIKELY(CONDITION) __builtin_expect(!!(CONDITION), 1)
#else
#define CUDAOPT_NOINLINE
#define CUDAOPT_COLD
#define CUDAOPT_ALWAYS_INLINE inline
#define CUDAOPT_LIKELY(CONDITION) (CONDITION)
#endif

// A function that saves the registers of its caller, so that a loop beside the
// call may use all. It must not throw, as unwinding restores few of them, and
// must be hidden, as the dynamic linker saves not all of them. Its symbol has a
// tag: another compiler's object may hold the same function without this
// convention, and the linker keeps one of two with one name.
#if defined(__clang__) && !defined(__NVCC__) && !defined(__CUDA_ARCH__) &&     \
    !defined(_WIN32) && (defined(__x86_64__) || defined(__aarch64__))
#define CUDAOPT_SAVES_REGISTERS                                                \
  __attribute__((preserve_most, visibility("hidden"),                          \
                 abi_tag("saves_registers")))
#else
#define CUDAOPT_SAVES_REGISTERS
#endif

#if defined(__CUDA_ARCH__)
#define CUDAOPT_ON_DEVICE 1
#else
#define CUDAOPT_ON_DEVICE 0
#endif

namespace cudaopt {

/// The type of indices, and of numbers of iterations, elements and accesses.
using index_t = std::int64_t;

/// A CUDA stream, and a pool of device memory. Null is the default stream, and
/// the runtime's own pool.
#if CUDAOPT_CUDA
using stream = cudaStream_t;
using memory_pool = cudaMemPool_t;
#else
/// There is no device: always null.
using stream = void *;
using memory_pool = void *;
#endif

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_CONFIG_HPP
