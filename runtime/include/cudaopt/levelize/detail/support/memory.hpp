// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Accesses to memory that other threads may use at the same time: relaxed,
/// acquire and release atomics. On the device they have the scope of the GPU
/// and go to the L2 cache, past the L1 caches, which are not coherent; on the
/// host they are atomics of the compiler.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_MEMORY_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_MEMORY_HPP

#include "cudaopt/levelize/config.hpp"

#include <cstring>
#include <type_traits>

namespace cudaopt::detail {

/// An unsigned integer as large as T, which has 1, 2, 4 or 8 bytes.
template <class T>
using bits_of = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<
        sizeof(T) == 2, std::uint16_t,
        std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// std::bit_cast of C++20, for C++17 and the device.
template <class To, class From> CUDAOPT_HOST_DEVICE To bit_cast(const From &f) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &f, sizeof(To));
  return to;
}

/// True for types that are accessed as one; others are accessed plainly.
template <class T>
constexpr bool is_word =
    sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;

#if CUDAOPT_CUDA
__device__ inline std::uint8_t load_bits(const std::uint8_t *p) {
  std::uint32_t v;
  asm volatile("ld.relaxed.gpu.global.u8 %0, [%1];"
               : "=r"(v)
               : "l"(p)
               : "memory");
  return std::uint8_t(v);
}
__device__ inline std::uint16_t load_bits(const std::uint16_t *p) {
  std::uint16_t v;
  asm volatile("ld.relaxed.gpu.global.u16 %0, [%1];"
               : "=h"(v)
               : "l"(p)
               : "memory");
  return v;
}
__device__ inline std::uint32_t load_bits(const std::uint32_t *p) {
  std::uint32_t v;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
               : "=r"(v)
               : "l"(p)
               : "memory");
  return v;
}
__device__ inline std::uint64_t load_bits(const std::uint64_t *p) {
  std::uint64_t v;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
               : "=l"(v)
               : "l"(p)
               : "memory");
  return v;
}
__device__ inline void store_bits(std::uint8_t *p, std::uint8_t v) {
  asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(p),
               "r"(std::uint32_t(v))
               : "memory");
}
__device__ inline void store_bits(std::uint16_t *p, std::uint16_t v) {
  asm volatile("st.relaxed.gpu.global.u16 [%0], %1;" ::"l"(p), "h"(v)
               : "memory");
}
__device__ inline void store_bits(std::uint32_t *p, std::uint32_t v) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v)
               : "memory");
}
__device__ inline void store_bits(std::uint64_t *p, std::uint64_t v) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v)
               : "memory");
}
#endif

/// Reads what any thread of the device wrote before; orders no other accesses.
template <class T> CUDAOPT_HOST_DEVICE T load_relaxed(const T *p) {
  if constexpr (!is_word<T>) {
    return *p;
  } else {
#if CUDAOPT_ON_DEVICE
    return bit_cast<T>(load_bits(reinterpret_cast<const bits_of<T> *>(p)));
#else
    return bit_cast<T>(__atomic_load_n(reinterpret_cast<const bits_of<T> *>(p),
                                       __ATOMIC_RELAXED));
#endif
  }
}

template <class T> CUDAOPT_HOST_DEVICE void store_relaxed(T *p, T v) {
  if constexpr (!is_word<T>) {
    *p = v;
  } else {
#if CUDAOPT_ON_DEVICE
    store_bits(reinterpret_cast<bits_of<T> *>(p), bit_cast<bits_of<T>>(v));
#else
    __atomic_store_n(reinterpret_cast<bits_of<T> *>(p), bit_cast<bits_of<T>>(v),
                     __ATOMIC_RELAXED);
#endif
  }
}

CUDAOPT_HOST_DEVICE inline std::uint32_t load_acquire(const std::uint32_t *p) {
#if CUDAOPT_ON_DEVICE
  std::uint32_t v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
               : "=r"(v)
               : "l"(p)
               : "memory");
  return v;
#else
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
#endif
}

CUDAOPT_HOST_DEVICE inline void add_release(std::uint32_t *p, std::uint32_t v) {
#if CUDAOPT_ON_DEVICE
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(p), "r"(v)
               : "memory");
#else
  __atomic_fetch_add(p, v, __ATOMIC_RELEASE);
#endif
}

/// A value and the number of the execution that it belongs to (the epoch), read
/// and written as one: a thread that sees the epoch sees the value, without a
/// fence and whatever the value's bits. Epochs grow, so that cells need no
/// clearing between executions.
struct alignas(16) cell {
  std::uint64_t value;
  std::uint64_t epoch;
};

#if CUDAOPT_CUDA
/// PTX ISA 8.4: 128-bit relaxed accesses are single copy atomic on sm_70 and
/// later.
__device__ inline cell load_cell(const cell *p) {
  cell c;
  asm volatile("{ .reg .b128 t; ld.relaxed.gpu.global.b128 t, [%2]; "
               "mov.b128 {%0, %1}, t; }"
               : "=l"(c.value), "=l"(c.epoch)
               : "l"(p)
               : "memory");
  return c;
}
__device__ inline void store_cell(cell *p, cell c) {
  asm volatile("{ .reg .b128 t; mov.b128 t, {%1, %2}; "
               "st.relaxed.gpu.global.b128 [%0], t; }" ::"l"(p),
               "l"(c.value), "l"(c.epoch)
               : "memory");
}
#endif

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_MEMORY_HPP
