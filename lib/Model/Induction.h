// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The closed form of an induction variable, that is, its value in iteration i,
/// and the trip counts of loops.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_INDUCTION_H
#define CUDAOPT_LIB_MODEL_INDUCTION_H

#include "cudaopt/Model/Kernel.h"

#include <optional>

namespace cudaopt {

/// Returns the value that \p Iteration steps \p Kind of \p Amount give from
/// \p Init on: init + i * step, or for a geometric step the i-th entry of a
/// table or a function of it; std::nullopt if there is no such form.
std::optional<ValueId> computeInduction(ValueGraph &G, ValueId Iteration,
                                        ValueKind Kind, ValueId Init,
                                        ValueId Amount);

/// Returns the trip count of \p Loop if it is the same in all threads, blocks
/// and launches and does not depend on the loops around it; std::nullopt
/// otherwise.
std::optional<int64_t> countTrips(const KernelInstance &Instance, LoopId Loop);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_INDUCTION_H
