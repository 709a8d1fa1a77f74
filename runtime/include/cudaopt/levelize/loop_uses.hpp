// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a rewritten loop says of itself beside its struct, as arguments of
/// run_loop(): what memory it uses besides its conflict arrays (memory_use),
/// and what the clauses of its CUDAOPT_LEVELIZE mark ask for (loop_options).
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

/// Memory that a loop uses besides its conflict arrays. Made by in(), index(),
/// out() and fixed(). run_loop() needs it for two things: to see that nothing
/// that the loop writes overlaps what it uses elsewhere, and to copy the arrays
/// to the device.
///
/// \code{.cpp}
/// // B[i] = a * A[w[i]], where A is the only conflict array.
/// std::vector<cudaopt::memory_use> uses_of(float *B, const int *w,
///                                          const float &a,
///                                          cudaopt::index_t n) {
///   return {cudaopt::out(B, n), cudaopt::index(w, n), cudaopt::fixed(a)};
/// }
/// \endcode
struct memory_use {
  const void *data;
  std::size_t bytes;
  bool is_written;
  bool is_index; ///< The slice reads it.
  bool is_array; ///< Otherwise a value that the loop has a copy of.
};

namespace detail {
/// Returns true if the memory of \p use is inside of the address space.
inline bool is_possible(const memory_use &use) {
  return use.bytes <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(use.data);
}

template <class T>
memory_use use(const T *data, index_t size, bool is_written, bool is_index) {
  // A size that cannot be becomes one that is_possible() refuses.
  const bool is_possible =
      size >= 0 &&
      std::uint64_t(size) <= std::uint64_t(PTRDIFF_MAX) / sizeof(T);
  return {static_cast<const void *>(data),
          is_possible ? std::size_t(size) * sizeof(T) : ~std::size_t(0),
          is_written, is_index, true};
}
} // namespace detail

/// Describes an array that the loop only reads, in its body alone.
/// \param data Element 0, of the host or the device. The array may overlap
///     others that in() and index() describe.
/// \param size The number of elements. A negative one, or more than fit the
///     address space, make run_loop() leave the loop to the program.
template <class T> memory_use in(const T *data, index_t size) {
  return detail::use(data, size, false, false);
}
/// Describes an array that the loop only reads, also in its slice: a plan that
/// is kept serves again while the contents are the same. The parameters are
/// those of in().
template <class T> memory_use index(const T *data, index_t size) {
  return detail::use(data, size, false, true);
}
/// Describes an array that the loop only writes, each element in one iteration
/// at most. Elements that it does not write keep their values. The parameters
/// are those of in(), but the array must not overlap anything else of the loop:
/// run_loop() checks that.
template <class T> memory_use out(T *data, index_t size) {
  return detail::use(data, size, true, false);
}
/// Describes a variable that the loop's struct has a copy of, and that no array
/// which the loop writes may overlap: the sequential loop would read what it
/// wrote, and run_loop() leaves such a loop to the program.
/// \param value The variable itself, which must outlive the call of run_loop().
template <class T> memory_use fixed(const T &value) {
  return {static_cast<const void *>(&value), sizeof(T), false, false, false};
}

/// What the clauses of a loop's mark say. Each function sets one clause and
/// returns the object. None of them has errors, waits or takes memory.
///
/// \code{.cpp}
/// cudaopt::loop_options clauses(cudaopt::plan &kept, int pitch) {
///   return cudaopt::loop_options().reused(kept, pitch).resident();
/// }
/// \endcode
class loop_options {
public:
  /// reassoc: floating-point updates may be made in any order.
  loop_options &reassociated() {
    inspection_options.exact = false;
    return *this;
  }
  /// approx: the device and the compiler may round otherwise than the source
  /// says.
  loop_options &approximate() {
    is_approximate = true;
    return *this;
  }
  /// strategy(s): no other strategy than \p s; where it does not apply, the
  /// program runs its own loop.
  loop_options &forced(strategy s) {
    inspection_options.force = s;
    return *this;
  }
  /// resident: arrays of the host are worth a copy to the device, whatever
  /// compare() says.
  loop_options &resident() {
    is_resident = true;
    return *this;
  }
  /// reuse(...): the inspection that \p kept has serves again if the index
  /// arrays have the same contents and \p values, the numbers that the slice
  /// reads, are the same. \p kept must outlive the calls of run_loop(); two of
  /// them must not use it at the same time. Values are compared by their bytes,
  /// so that they have no padding.
  template <class... T> loop_options &reused(plan &kept, T... values) {
    this->kept = &kept;
    (add_value(values), ...);
    return *this;
  }

  /// What the clauses ask of the inspection.
  options inspection_options;
  bool is_resident = false;    ///< See resident().
  bool is_approximate = false; ///< See approximate().
  plan *kept = nullptr;        ///< The plan of reused(); null without it.

private:
  /// Adds the bytes of \p value to the hash, in the order of the calls.
  template <class T> void add_value(const T &value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (unsigned char b : bytes)
      inspection_options.slice_values =
          (inspection_options.slice_values ^ b) * 0x100000001b3ull +
          0x94d049bb133111ebull;
  }
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_LOOP_USES_HPP
