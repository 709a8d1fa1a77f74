// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// From a location to its element, and from an update_kind to the type and
/// operation that folds compute with. Integers of all widths are computed in 64
/// bits: their low bits are the same.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_UPDATE_KINDS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_UPDATE_KINDS_HPP

#include "cudaopt/levelize/detail/inspect/update_facts.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// Reads the number of \p bytes bytes at \p p; integers are extended to \p V by
/// its sign.
template <class V> __device__ V load_number(const void *p, unsigned bytes) {
  if constexpr (std::is_floating_point_v<V>) {
    return *static_cast<const V *>(p);
  } else {
    constexpr bool is_signed = std::is_signed_v<V>;
    switch (bytes) {
    case 1:
      return is_signed ? V(*static_cast<const std::int8_t *>(p))
                       : V(*static_cast<const std::uint8_t *>(p));
    case 2:
      return is_signed ? V(*static_cast<const std::int16_t *>(p))
                       : V(*static_cast<const std::uint16_t *>(p));
    case 4:
      return is_signed ? V(*static_cast<const std::int32_t *>(p))
                       : V(*static_cast<const std::uint32_t *>(p));
    default:
      return *static_cast<const V *>(p);
    }
  }
}

/// Writes the low \p bytes bytes of an integer, or a floating-point number.
template <class V> __device__ void store_number(void *p, unsigned bytes, V v) {
  if constexpr (std::is_floating_point_v<V>) {
    *static_cast<V *>(p) = v;
  } else {
    switch (bytes) {
    case 1:
      *static_cast<std::uint8_t *>(p) = std::uint8_t(v);
      return;
    case 2:
      *static_cast<std::uint16_t *>(p) = std::uint16_t(v);
      return;
    case 4:
      *static_cast<std::uint32_t *>(p) = std::uint32_t(v);
      return;
    default:
      *static_cast<V *>(p) = v;
    }
  }
}

/// Calls `f(V(), Op())` for the type \p V in which \p kind is computed and its
/// operation.
template <class F>
__device__ void with_kind(const update_kind &kind, const F &f) {
  auto of_order = [&](auto zero) {
    if (kind.operation == minimum::id)
      f(zero, minimum{});
    else
      f(zero, maximum{});
  };
  auto of_float = [&](auto zero) {
    if (kind.operation == plus::id)
      f(zero, plus{});
    else if (kind.operation == multiplies::id)
      f(zero, multiplies{});
    else
      of_order(zero);
  };
  if (kind.type == number_type::floating) {
    if (kind.bytes == 4)
      return of_float(0.0f);
    return of_float(0.0);
  }
  switch (kind.operation) {
  case plus::id:
    return f(std::uint64_t(0), plus{});
  case multiplies::id:
    return f(std::uint64_t(0), multiplies{});
  case bit_and::id:
    return f(std::uint64_t(0), bit_and{});
  case bit_or::id:
    return f(std::uint64_t(0), bit_or{});
  case bit_xor::id:
    return f(std::uint64_t(0), bit_xor{});
  default:
    if (kind.type == number_type::integer)
      return of_order(std::int64_t(0));
    return of_order(std::uint64_t(0));
  }
}

/// An element that updates are folded into.
struct folded_element {
  void *place;
  update_kind kind;
};
__device__ inline folded_element element_at(const updated_arrays &arrays,
                                            index_t location) {
  const int a = arrays.array_of(location);
  return {static_cast<char *>(arrays.data[a]) +
              (location - arrays.map.origin[a]) * arrays.kinds[a].bytes,
          arrays.kinds[a]};
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_UPDATE_KINDS_HPP
