// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the environment asks for, read anew by each inspection:
///
///   CUDAOPT_LEVELIZE=auto|gpu|cpu|off   where loops run; off: in order
///   CUDAOPT_LEVELIZE_FORCE=strategy     e.g. tickets
///   CUDAOPT_LEVELIZE_STALL_MS=number    the watchdog's limit, 1 to 999999999
///   CUDAOPT_LEVELIZE_TRACE=1            a line to stderr for each inspection
///
/// What the program asks for by options wins. Values that are none of these are
/// ignored.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ENVIRONMENT_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ENVIRONMENT_HPP

#include "cudaopt/levelize/options.hpp"

#include <cstdlib>
#include <cstring>

namespace cudaopt::detail {

/// The value of a variable, "" if it is not set.
inline const char *variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// Returns true if each inspection shall write a line.
inline bool is_traced() {
  const char *value = variable("CUDAOPT_LEVELIZE_TRACE");
  return *value && std::strcmp(value, "0") != 0;
}

/// The strategy that \p name is the name of; automatic if there is none.
inline strategy strategy_of(const char *name) {
  for (int s = 0; s < num_strategies; ++s)
    if (std::strcmp(name, name_of(strategy(s))) == 0)
      return strategy(s);
  return strategy::automatic;
}

/// Returns \p o with the environment's values where it asks for nothing.
inline options with_environment(options o) {
  const char *where = variable("CUDAOPT_LEVELIZE");
  if (o.where == backend::automatic) {
    if (std::strcmp(where, "gpu") == 0)
      o.where = backend::gpu;
    else if (std::strcmp(where, "cpu") == 0)
      o.where = backend::cpu;
  }
  if (o.force == strategy::automatic) {
    if (std::strcmp(where, "off") == 0)
      o.force = strategy::sequential;
    else
      o.force = strategy_of(variable("CUDAOPT_LEVELIZE_FORCE"));
  }
  if (o.stall_ms == 0) {
    const long ms = std::atol(variable("CUDAOPT_LEVELIZE_STALL_MS"));
    o.stall_ms = ms > 0 && ms < 1'000'000'000 ? unsigned(ms) : 10'000u;
  }
  return o;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ENVIRONMENT_HPP
