// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Sorts and prefix sums on the device, by CUB, in memory of a scratch. All are
/// asynchronous.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_DEVICE_ALGORITHMS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_DEVICE_ALGORITHMS_HPP

#include "cudaopt/levelize/detail/support/buffer.hpp"

#if CUDAOPT_CUDA

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace cudaopt::detail {

/// Calls \p algorithm(temporary, bytes) twice, as CUB's functions want it: with
/// null, to get the size of its temporary memory, and to run.
template <class Algorithm>
status with_temporary(scratch &memory, Algorithm algorithm) {
  std::size_t bytes = 0;
  if (status s = memory.check(algorithm(nullptr, bytes)); s != status::ok)
    return s;
  buffer<char> temporary;
  if (status s = temporary.allocate(memory, index_t(bytes ? bytes : 1));
      s != status::ok)
    return s;
  status s =
      memory.check(algorithm(static_cast<void *>(temporary.data()), bytes));
  temporary.give_back(memory);
  return s;
}

/// Sorts pairs by the bits [begin_bit, end_bit) of their keys; equal ones keep
/// their order. The buffers may be swapped for new ones.
template <class Key, class Value>
status sort_pairs(scratch &memory, buffer<Key> &keys, buffer<Value> &values,
                  int begin_bit, int end_bit) {
  if (begin_bit >= end_bit || keys.size() < 2)
    return status::ok;
  buffer<Key> other_keys;
  buffer<Value> other_values;
  status s = other_keys.allocate(memory, keys.size());
  if (s == status::ok)
    s = other_values.allocate(memory, keys.size());
  if (s != status::ok)
    return s;
  cub::DoubleBuffer<Key> k(keys.data(), other_keys.data());
  cub::DoubleBuffer<Value> v(values.data(), other_values.data());
  s = with_temporary(memory, [&](void *temporary, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, k, v, keys.size(),
                                           begin_bit, end_bit, memory.on());
  });
  if (k.Current() != keys.data())
    std::swap(keys, other_keys);
  if (v.Current() != values.data())
    std::swap(values, other_values);
  other_keys.give_back(memory);
  other_values.give_back(memory);
  return s;
}

/// Replaces each of \p size numbers by the sum of those before it.
template <class Number>
status sums_before(scratch &memory, Number *numbers, index_t size) {
  return with_temporary(memory, [&](void *temporary, std::size_t &bytes) {
    return cub::DeviceScan::ExclusiveSum(temporary, bytes, numbers, numbers,
                                         size, memory.on());
  });
}

/// Replaces each of \p size items by `combine` of those before it.
template <class Item, class Combine>
status combined_before(scratch &memory, Item *items, index_t size,
                       Combine combine) {
  return with_temporary(memory, [&](void *temporary, std::size_t &bytes) {
    return cub::DeviceScan::ExclusiveScan(temporary, bytes, items, items,
                                          combine, Item{}, size, memory.on());
  });
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_DEVICE_ALGORITHMS_HPP
