// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a rewritten loop says of itself, beside its struct: what else it uses,
/// and what its mark asks for.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_LOOP_USES_HPP
#define CUDAOPT_LEVELIZE_LOOP_USES_HPP

#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/options.hpp"
#include "cudaopt/levelize/plan.hpp"

#include <cstddef>
#include <cstring>
#include <initializer_list>

namespace cudaopt {

/// Memory that a loop uses besides its conflict arrays.
struct memory_use {
  const void *data;
  std::size_t bytes;
  bool is_written;
  bool is_index; ///< The slice reads it.
  bool is_array; ///< Else a value that the loop has a copy of.
};

namespace detail {
/// Whether memory can be where \p use says that it is.
inline bool is_possible(const memory_use &use) {
  return use.bytes <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(use.data);
}

template <class T>
memory_use use(const T *data, index_t size, bool is_written, bool is_index) {
  // What cannot be is told from what is by its bytes: see is_possible().
  const bool is_possible =
      size >= 0 &&
      std::uint64_t(size) <= std::uint64_t(PTRDIFF_MAX) / sizeof(T);
  return {static_cast<const void *>(data),
          is_possible ? std::size_t(size) * sizeof(T) : ~std::size_t(0),
          is_written, is_index, true};
}
} // namespace detail

/// Only read, by the body alone.
template <class T> memory_use in(const T *data, index_t size) {
  return detail::use(data, size, false, false);
}
/// Only read, also by the slice.
template <class T> memory_use index(const T *data, index_t size) {
  return detail::use(data, size, false, true);
}
/// Only written; an element by one iteration.
template <class T> memory_use out(T *data, index_t size) {
  return detail::use(data, size, true, false);
}
/// A value that the loop must not change.
template <class T> memory_use fixed(const T &value) {
  return {static_cast<const void *>(&value), sizeof(T), false, false, false};
}

/// What the mark of a loop says.
class loop_options {
public:
  loop_options &reassociated() {
    Options.exact = false;
    return *this;
  }
  /// Its values may be rounded otherwise.
  loop_options &approximate() {
    IsApproximate = true;
    return *this;
  }
  loop_options &forced(strategy s) {
    Options.force = s;
    return *this;
  }
  /// Arrays of the host are worth a copy to the device.
  loop_options &resident() {
    IsResident = true;
    return *this;
  }
  /// An inspection that \p kept has serves again if the indices are the same,
  /// and the numbers \p values, which the slice reads, too.
  template <class... T> loop_options &reused(plan &kept, T... values) {
    Kept = &kept;
    (add_value(values), ...);
    return *this;
  }

  options Options;
  bool IsResident = false, IsApproximate = false;
  plan *Kept = nullptr;

private:
  template <class T> void add_value(const T &value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (unsigned char b : bytes)
      Options.slice_values =
          (Options.slice_values ^ b) * 0x100000001b3ull + 0x94d049bb133111ebull;
  }
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_LOOP_USES_HPP
