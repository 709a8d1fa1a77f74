// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which shared variables have addresses that a program uses for more than to
/// access them: addresses that it stores, prints, compares, or computes with.
/// The results of such a program may depend on where the variable lies.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_ADDRESSUSES_H
#define CUDAOPT_SIMT_ADDRESSUSES_H

#include "cudaopt/Simt/Program.h"

#include <vector>

namespace cudaopt::simt {

/// Returns indices into Program::Shared, in ascending order. The address of any
/// other variable reaches no value, no branch and no operation other than the
/// sums that form addresses, so that where it lies decides nothing but which
/// bytes are accessed.
std::vector<unsigned> findAddressUses(const Program &P);

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_ADDRESSUSES_H
