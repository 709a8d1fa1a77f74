// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Findings: what the threads of an inspection on the device notice, such as an
/// index out of range, and what the host makes of it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_FINDINGS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_FINDINGS_HPP

#include "cudaopt/levelize/detail/inspect/inspection.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// What the threads of one inspection share, in memory of the device.
struct findings {
  /// The first iteration with an index out of range; ~0 if there is none.
  unsigned long long bad_iteration = ~0ull;
  /// Not 0: the loop lacks the property that the strategy needs.
  std::uint32_t refused = 0;
  std::uint32_t unused = 0;
  unsigned long long count = 0; ///< Whatever the strategy counts.
};

/// In place of an iteration: no index is out of range.
constexpr index_t none_bad = index_t(~0ull >> 1);

#if defined(__CUDACC__)
__device__ inline void note_bad(findings *f, index_t iteration) {
  atomicMin(&f->bad_iteration, static_cast<unsigned long long>(iteration));
}
__device__ inline void refuse(findings *f) { store_relaxed(&f->refused, 1u); }
__device__ inline bool is_refused(const findings *f) {
  return load_relaxed(&f->refused) != 0;
}
__device__ inline index_t first_bad(const findings *f) {
  const unsigned long long i = load_relaxed(&f->bad_iteration);
  return i == ~0ull ? none_bad : index_t(i);
}
#endif

/// Findings on the device, initialised and read in the order of an inspection's
/// stream.
class findings_buffer {
public:
  status allocate(scratch &memory) {
    status s = buffer_.allocate(memory, 1);
    if (s != status::ok)
      return s;
    const findings none;
    return memory.check(cudaMemcpyAsync(buffer_.data(), &none, sizeof(none),
                                        cudaMemcpyHostToDevice, memory.on()));
  }
  findings *data() const { return buffer_.data(); }

  /// Copies the findings to the host. Waits for the stream.
  status read(scratch &memory, findings &result) const {
    status s =
        memory.check(cudaMemcpyAsync(&result, buffer_.data(), sizeof(result),
                                     cudaMemcpyDeviceToHost, memory.on()));
    return s == status::ok ? memory.check(cudaStreamSynchronize(memory.on()))
                           : s;
  }

  /// As read(), and returns status::unsupported if the strategy does not apply,
  /// or status::index_out_of_range.
  status judge(inspection &in, findings &result) const {
    if (status s = read(in.memory, result); s != status::ok)
      return s;
    if (result.refused) // Threads stopped early: not all indices were seen.
      return status::unsupported;
    if (result.bad_iteration == ~0ull)
      return status::ok;
    in.info.bad_iteration = index_t(result.bad_iteration);
    return status::index_out_of_range;
  }

private:
  buffer<findings> buffer_;
};

/// Returns true if the numbers 0 to \p count fit into 32 bits, and all ones is
/// left for "none".
inline bool fits_word(index_t count) { return count < index_t(0xffffffff); }

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_FINDINGS_HPP
