// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Tells of inspections on stderr, if CUDAOPT_LEVELIZE_TRACE asks for it, and
/// of inspections and executions to profilers, by NVTX ranges.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_TRACE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_TRACE_HPP

#include "cudaopt/levelize/detail/support/environment.hpp"
#include "cudaopt/levelize/plan.hpp"

#include <cstdio>

#if CUDAOPT_CUDA && __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define CUDAOPT_NVTX 1
#else
#define CUDAOPT_NVTX 0
#endif

namespace cudaopt::detail {

/// A scope that profilers show as a range; nothing where there is no NVTX.
class trace_range {
public:
#if CUDAOPT_NVTX
  explicit trace_range(const char *name) { nvtxRangePushA(name); }
  ~trace_range() { nvtxRangePop(); }
#else
  explicit trace_range(const char *) {}
  ~trace_range() {}
#endif
  trace_range(const trace_range &) = delete;
  trace_range &operator=(const trace_range &) = delete;
};

/// Writes a line about the plan's last inspection, which ended with \p s, if
/// the environment asks for it.
inline void trace(const plan &p, status s) {
  if (!is_traced())
    return;
  const plan_info &info = p.info();
  std::fprintf(stderr,
               "cudaopt levelize: %lld iterations, %s on the %s (%s), "
               "inspected in %.3f ms, %lld levels, %zu bytes\n",
               static_cast<long long>(info.iterations), name_of(info.chosen),
               info.where == backend::gpu ? "gpu" : "cpu", name_of(s),
               double(info.inspect_ms), static_cast<long long>(info.levels),
               info.bytes);
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_TRACE_HPP
