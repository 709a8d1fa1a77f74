// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The sentences that explain() writes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_PLAN_EXPLANATION_HPP
#define CUDAOPT_LEVELIZE_DETAIL_PLAN_EXPLANATION_HPP

#include "cudaopt/levelize/options.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace cudaopt::detail {

/// Writes text of limited length into a caller's memory, with a final 0; what
/// does not fit is left out.
class text_writer {
public:
  text_writer(char *text, std::size_t size)
      : text_(text), size_(text ? size : 0) {
    if (size_)
      *text_ = 0;
  }
  __attribute__((format(printf, 2, 3))) void add(const char *format, ...) {
    if (size_ == 0)
      return;
    std::va_list values;
    va_start(values, format);
    const int written = std::vsnprintf(text_, size_, format, values);
    va_end(values);
    const std::size_t used =
        std::min(size_ - 1, std::size_t(std::max(written, 0)));
    text_ += used;
    size_ -= used;
  }

private:
  char *text_;
  std::size_t size_;
};

/// Why strategy \p s does not run the loop, if its inspection gave \p answer.
inline const char *reason_of(strategy s, status answer) {
  if (answer == status::out_of_memory)
    return "would need more memory than there is";
  if (answer != status::unsupported)
    return name_of(answer);
  switch (s) {
  case strategy::doall:
    return "iterations depend on each other";
  case strategy::last_writer:
    return "the loop does not only write";
  case strategy::atomic_reduction:
    return "the result would depend on the order of the updates";
  case strategy::ordered_reduction:
    return "the loop does not only update";
  case strategy::chains:
    return "an iteration conflicts over several locations";
  case strategy::owner:
    return "a location has several writers";
  case strategy::renaming:
    return "elements overlap or are larger than 8 bytes";
  default:
    return "the loop has not what it needs";
  }
}

inline void explain_counts(text_writer &out, const plan_info &i) {
  out.add("%lld iterations", static_cast<long long>(i.iterations));
  if (i.accesses)
    out.add(" with %lld accesses", static_cast<long long>(i.accesses));
  if (i.locations)
    out.add(" to %lld locations, at most %lld to one",
            static_cast<long long>(i.locations),
            static_cast<long long>(i.longest_chain));
  if (i.levels)
    out.add("; %lld levels", static_cast<long long>(i.levels));
  else if (i.estimated_levels)
    out.add("; about %lld levels", static_cast<long long>(i.estimated_levels));
  out.add(".\n");
  if (i.bad_iteration >= 0)
    out.add("Iteration %lld has an index out of range.\n",
            static_cast<long long>(i.bad_iteration));
}

/// As explain(); \p i belongs to the plan, which \p is_valid or not.
inline void explain_plan(const plan_info &i, bool is_valid, char *text,
                         std::size_t size) {
  text_writer out(text, size);
  explain_counts(out, i);
  for (int s = 0; s < num_strategies; ++s)
    if (i.was_tried[s] && i.tried[s] != status::ok)
      out.add("Not %s: %s.\n", name_of(strategy(s)),
              reason_of(strategy(s), i.tried[s]));
  if (!is_valid) {
    out.add("There is no plan.\n");
    return;
  }
  out.add("Runs by %s on the %s", name_of(i.chosen),
          i.where == backend::gpu ? "GPU" : "CPU");
  if (i.was_forced)
    out.add(", as was asked for");
  else if (const float ms = i.predicted_ms[int(i.chosen)]; ms > 0)
    out.add(", expected to take %.3g ms", double(ms));
  out.add("; inspected in %.3g ms, %zu bytes of scratch.\n",
          double(i.inspect_ms), i.bytes);
  for (int s = 0; s < num_strategies; ++s)
    if (!i.was_tried[s] && i.predicted_ms[s] > 0)
      out.add("%s is expected to take %.3g ms.\n", name_of(strategy(s)),
              double(i.predicted_ms[s]));
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_PLAN_EXPLANATION_HPP
