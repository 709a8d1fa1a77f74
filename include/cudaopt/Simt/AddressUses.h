// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which shared variables have addresses that a program uses for more than to
/// access them: that it stores, prints, compares, or computes with.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_ADDRESSUSES_H
#define CUDAOPT_SIMT_ADDRESSUSES_H

#include "cudaopt/Simt/Program.h"

#include <vector>

namespace cudaopt::simt {

/// Indices into Program::Shared, in ascending order. Of all other variables no
/// address reaches a value, a branch or an operation other than sums, so that
/// where they lie decides nothing but which bytes are accessed.
std::vector<unsigned> findAddressUses(const Program &P);

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_ADDRESSUSES_H
