// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// save() and load(): what of a plan outlives the program. That is the
/// decision, with the counts and the hash of the indices that it was made for;
/// tables are not kept, so that a loaded plan must inspect. It does so by the
/// saved strategy first, without samples and probes, as long as the number of
/// iterations and the backend are the same and the strategy is not forced.
///
/// \code{.cpp}
/// cudaopt::status run_as_before(cudaopt::plan &plan, const scatter &loop,
///                               cudaopt::index_t n) {
///   (void)cudaopt::load(plan, "scatter.plan"); // Else it decides anew.
///   const cudaopt::status s = cudaopt::run(plan, loop, n);
///   if (s == cudaopt::status::ok)
///     (void)cudaopt::save(plan, "scatter.plan");
///   return s;
/// }
/// \endcode
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_SAVED_PLAN_HPP
#define CUDAOPT_LEVELIZE_SAVED_PLAN_HPP

#include "cudaopt/levelize/detail/plan/pattern.hpp"
#include "cudaopt/levelize/plan.hpp"

#include <cstdio>

namespace cudaopt {

/// The decision of a plan. May be copied and stored as bytes; only machines of
/// the same byte order understand it.
struct saved_plan {
  std::uint64_t format = current_format;
  std::int64_t iterations = 0, accesses = 0, levels = 0; ///< As in plan_info.
  std::uint64_t hash[2] = {};          ///< plan_info::pattern_hash.
  std::uint32_t chosen = 0, where = 0; ///< A strategy and a backend.
  std::uint64_t check = 0;             ///< The sum() of all members before.

  static constexpr std::uint64_t current_format = 0x0001'6e616c70'6f6475ull;

  /// Returns a checksum of all members but check.
  std::uint64_t sum() const {
    detail::word_hash h;
    const std::uint64_t words[] = {format,
                                   std::uint64_t(iterations),
                                   std::uint64_t(accesses),
                                   hash[0],
                                   std::uint64_t(levels),
                                   hash[1],
                                   chosen,
                                   where};
    for (std::uint64_t k = 0; k < 8; ++k)
      h.add(words[k], k);
    return h.first;
  }
};

/// Copies the decision of a plan.
/// \param p A valid plan, which does not change.
/// \param result Gets the decision; unchanged unless status::ok is returned.
///
/// Returns status::ok, or status::unsupported if the plan is not valid. Neither
/// waits nor takes memory.
inline status save(const plan &p, saved_plan &result) {
  if (!p.is_valid())
    return status::unsupported;
  const plan_info &i = p.info();
  result = {};
  result.iterations = i.iterations;
  result.accesses = i.accesses;
  result.levels = i.levels;
  result.hash[0] = i.pattern_hash[0];
  result.hash[1] = i.pattern_hash[1];
  result.chosen = std::uint32_t(i.chosen);
  result.where = std::uint32_t(i.where);
  result.check = result.sum();
  return status::ok;
}

/// Replaces a plan by one that remembers a decision.
/// \param p Any plan. What it held is freed, in the order of its stream; it is
///     not valid before the next inspection, which tries the decision first.
/// \param saved What save() made, by this program or another. A decision that
///     no longer suits the loop costs speed, never the result.
///
/// Returns status::ok, or status::unsupported if \p saved is damaged or of
/// another version; \p p is then as before. Does not wait.
inline status load(plan &p, const saved_plan &saved) {
  if (saved.format != saved_plan::current_format ||
      saved.check != saved.sum() || saved.chosen >= num_strategies)
    return status::unsupported;
  p = plan();
  detail::plan_contents &contents = detail::contents_of(p);
  contents.remembered = strategy(saved.chosen);
  contents.remembered_where = backend(saved.where);
  contents.remembered_iterations = saved.iterations;
  return status::ok;
}

/// Writes the decision of a plan to a file.
/// \param p A valid plan, which does not change.
/// \param path The file, which is replaced, not appended to.
///
/// Returns status::ok, or status::unsupported if the plan is not valid, \p path
/// is null or the file cannot be written, which may leave it incomplete: load()
/// refuses it then. The call blocks as long as the file is written.
inline status save(const plan &p, const char *path) {
  saved_plan saved;
  const status s = save(p, saved);
  if (s != status::ok)
    return s;
  std::FILE *file = path ? std::fopen(path, "wb") : nullptr;
  if (!file)
    return status::unsupported;
  bool is_good = std::fwrite(&saved, sizeof(saved), 1, file) == 1;
  is_good = std::fclose(file) == 0 && is_good;
  return is_good ? status::ok : status::unsupported;
}

/// Reads a decision from a file and replaces a plan, as load() of a saved_plan
/// does.
/// \param p Any plan.
/// \param path A file that save() wrote.
///
/// Returns what that load() returns, and status::unsupported if \p path is null
/// or there is no such file; \p p is then as before.
inline status load(plan &p, const char *path) {
  saved_plan saved;
  std::FILE *file = path ? std::fopen(path, "rb") : nullptr;
  if (!file)
    return status::unsupported;
  const bool is_good = std::fread(&saved, sizeof(saved), 1, file) == 1;
  (void)std::fclose(file);
  return is_good ? load(p, saved) : status::unsupported;
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_SAVED_PLAN_HPP
