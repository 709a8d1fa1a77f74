// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints values in the way readers of the source understand them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_VALUETEXT_H
#define CUDAOPT_MODEL_VALUETEXT_H

#include "cudaopt/Model/ValueGraph.h"

namespace cudaopt {

/// Prints \p Id as ValueGraph::print does, but describes a sequence, which may
/// have hundreds of entries, by its rule: "{1, doubled each time}".
void printForUser(const ValueGraph &Graph, ValueId Id, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_VALUETEXT_H
