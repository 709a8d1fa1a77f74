// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether the plan of an earlier inspection still serves: a hash of the memory
/// that slices read (options::indices), computed where the memory is.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_PLAN_PATTERN_HPP
#define CUDAOPT_LEVELIZE_DETAIL_PLAN_PATTERN_HPP

#include "cudaopt/levelize/detail/inspect/device_dispatch.hpp"
#include "cudaopt/levelize/detail/plan/plan_contents.hpp"
#include "cudaopt/levelize/detail/support/arguments.hpp"
#include "cudaopt/levelize/detail/support/environment.hpp"
#include "cudaopt/levelize/detail/support/warp.hpp"

#include <algorithm>

namespace cudaopt::detail {

/// The two hashes of one 8-byte word at a position. Words are added up, so that
/// threads may take them in any order; positions are part of the hash, so that
/// equal words at other places give another sum.
struct word_hash {
  std::uint64_t first = 0, second = 0;

  CUDAOPT_HOST_DEVICE static std::uint64_t stir(std::uint64_t h) {
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
    return h ^ (h >> 31);
  }
  CUDAOPT_HOST_DEVICE void add(std::uint64_t word, std::uint64_t position) {
    first += stir(word + stir(position + 0x9e3779b97f4a7c15ull));
    second += stir(word ^ stir(position * 0xd1342543de82ef95ull + 1));
  }
};

/// Word \p k of \p bytes bytes at \p p; the last one is filled up with 0.
CUDAOPT_HOST_DEVICE inline std::uint64_t
word_at(const unsigned char *p, std::uint64_t bytes, std::uint64_t k) {
  std::uint64_t word = 0;
  const std::uint64_t left = bytes - 8 * k;
  if (left >= 8 && (reinterpret_cast<std::uintptr_t>(p) & 7) == 0)
    return reinterpret_cast<const std::uint64_t *>(p)[k];
  for (std::uint64_t b = 0; b < 8 && b < left; ++b)
    word |= std::uint64_t(p[8 * k + b]) << 8 * b;
  return word;
}

#if CUDAOPT_CUDA
/// Adds the hashes of all words to the two \p sums. \p salt shifts their
/// positions, so that equal words of different arrays have different hashes.
template <int BlockSize>
__global__ void __launch_bounds__(BlockSize)
    hash_words(const unsigned char *p, std::uint64_t bytes, std::uint64_t salt,
               unsigned long long *sums) {
  word_hash mine;
  const std::uint64_t words = (bytes + 7) / 8;
  for (std::uint64_t k = std::uint64_t(blockIdx.x) * BlockSize + threadIdx.x;
       k < words; k += std::uint64_t(gridDim.x) * BlockSize)
    mine.add(word_at(p, bytes, k), k + salt);
  mine.first = warp_sum(mine.first);
  mine.second = warp_sum(mine.second);
  if (lane_of_warp() == 0) {
    atomicAdd(sums, static_cast<unsigned long long>(mine.first));
    atomicAdd(sums + 1, static_cast<unsigned long long>(mine.second));
  }
}

/// Adds the hash of device memory to \p sums of the device.
inline status hash_on_device(const index_data &data, std::uint64_t salt,
                             unsigned long long *sums, scratch &memory) {
  constexpr int block_size = 256;
  int device = 0, processors = 0, resident = 0;
  status s = memory.check(cudaGetDevice(&device));
  if (s == status::ok)
    s = memory.check(cudaDeviceGetAttribute(
        &processors, cudaDevAttrMultiProcessorCount, device));
  if (s == status::ok)
    s = memory.check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, hash_words<block_size>, block_size, 0));
  if (s != status::ok)
    return s;
  const std::uint64_t words = (data.bytes + 7) / 8;
  const std::uint64_t needed = (words + block_size - 1) / block_size;
  const std::uint64_t blocks =
      std::min(needed, std::uint64_t(processors) * std::uint64_t(resident));
  hash_words<block_size><<<unsigned(blocks), block_size, 0, memory.on()>>>(
      static_cast<const unsigned char *>(data.data), data.bytes, salt, sums);
  return memory.check(cudaPeekAtLastError());
}
#endif

inline word_hash hash_on_host(const index_data &data, std::uint64_t salt) {
  word_hash sum;
  const auto *p = static_cast<const unsigned char *>(data.data);
  for (std::uint64_t k = 0; k < (data.bytes + 7) / 8; ++k)
    sum.add(word_at(p, data.bytes, k), k + salt);
  return sum;
}

/// As hash_of(); the stream is not captured and the thread has no error.
inline status find_hash(const options &o, stream s, std::uint64_t (&hash)[2]) {
  word_hash sum;
  hash[0] = hash[1] = 0;
  if (o.when != reuse::checked)
    return status::ok;
#if CUDAOPT_CUDA
  scratch memory(o, s);
  buffer<unsigned long long> sums;
#else
  (void)s;
#endif
  sum.add(o.slice_values, 0);
  for (int k = 0; k < max_index_data && o.indices[k].data; ++k) {
    const index_data &data = o.indices[k];
    const std::uint64_t salt = word_hash::stir(std::uint64_t(k) + 1);
    sum.add(data.bytes, salt);
    if (data.bytes == 0)
      continue;
#if CUDAOPT_CUDA
    if (reach_of(data.data).device) {
      status e = status::ok;
      if (!sums.data())
        e = sums.allocate_filled(memory, 2, 0);
      if (e == status::ok)
        e = hash_on_device(data, salt, sums.data(), memory);
      if (e != status::ok)
        return e;
      continue;
    }
#endif
    const word_hash one = hash_on_host(data, salt);
    sum.first += one.first;
    sum.second += one.second;
  }
#if CUDAOPT_CUDA
  if (sums.data()) {
    unsigned long long words[2];
    status e = memory.check(cudaMemcpyAsync(words, sums.data(), sizeof(words),
                                            cudaMemcpyDeviceToHost, s));
    if (e == status::ok)
      e = memory.check(cudaStreamSynchronize(s));
    if (e != status::ok)
      return e;
    sum.first += words[0];
    sum.second += words[1];
  }
#endif
  hash[0] = sum.first;
  hash[1] = sum.second;
  return status::ok;
}

/// Computes the hash of options::indices and options::slice_values for
/// reuse::checked; otherwise it is 0. Waits for \p s if some indices are on the
/// device.
inline status hash_of(const options &o, stream s, std::uint64_t (&hash)[2]) {
#if CUDAOPT_CUDA
  if (o.when == reuse::checked) {
    if (is_captured(s))
      return status::capturing;
    return with_own_errors(s, [&] { return find_hash(o, s, hash); });
  }
#endif
  return find_hash(o, s, hash);
}

/// Returns true if \p p was made for the same arrays, iterations and options:
/// all that an inspection depends on but the values that slices read.
inline bool is_same_request(const plan_contents &p, const extents &arrays,
                            index_t n, const options &o) {
  return p.state && p.info.iterations == n && are_same(p.arrays, arrays) &&
         p.wanted.force == o.force && p.wanted.exact == o.exact &&
         p.wanted.fallback == o.fallback &&
         p.wanted.max_scratch_bytes == o.max_scratch_bytes &&
         (o.where == backend::automatic || p.wanted.where == o.where);
}

/// Sets \p serves to whether run() with \p wanted may skip the inspection.
/// Returns an error of the hash; wrong arguments are no error here.
inline status is_reusable(const plan_contents &p, const extents &arrays,
                          index_t n, const options &wanted, stream s,
                          bool &serves) {
  serves = false;
  if (wanted.when == reuse::never || !p.state)
    return status::ok;
  const options o = with_environment(wanted);
  if (!is_same_request(p, arrays, n, o))
    return status::ok;
  if (o.when == reuse::unchanged) {
    serves = true;
    return status::ok;
  }
  if (p.wanted.when != reuse::checked)
    return status::ok;
  std::uint64_t hash[2];
  const status result = hash_of(o, s, hash);
  serves = result == status::ok && hash[0] == p.info.pattern_hash[0] &&
           hash[1] == p.info.pattern_hash[1];
  return result;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_PLAN_PATTERN_HPP
