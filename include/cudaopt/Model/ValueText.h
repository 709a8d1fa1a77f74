// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Values as readers of the source understand them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_VALUETEXT_H
#define CUDAOPT_MODEL_VALUETEXT_H

#include "cudaopt/Model/ValueGraph.h"

namespace cudaopt {

/// Prints \p Id as ValueGraph::print does, but the entries of a sequence, of
/// which there may be hundreds, by their rule: "{1, doubled each time}".
void printForUser(const ValueGraph &Graph, ValueId Id, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_VALUETEXT_H
