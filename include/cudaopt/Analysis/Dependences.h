// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which pairs of a kernel's statements must keep their order, by their
/// effects. The analysis is conservative: a statement that is not understood
/// keeps its order with all others.
///
/// \verbatim
///   StatementEffects Effects(Kernel);
///   findConflict(Effects.of(First), Effects.of(Second)) == Conflict::None
///     // -> the neighbours may be swapped, unless one contains a barrier
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_DEPENDENCES_H
#define CUDAOPT_ANALYSIS_DEPENDENCES_H

#include "cudaopt/Analysis/Effects.h"

#include <utility>

namespace cudaopt {

/// Why two statements must keep their order.
enum class Conflict {
  None,     ///< They may be swapped.
  Thread,   ///< A dependence through a thread's own variables, or by name.
  Block,    ///< A dependence through memory that other threads access, too.
  MayAlias, ///< As Block, if two parameters point to the same memory.
  Ordered,  ///< One of them has Effects::IsOrdered.
};

/// Returns the strongest reason why statements with the effects \p A and \p B
/// must keep their order: Ordered, then Block, MayAlias, Thread.
Conflict findConflict(const Effects &A, const Effects &B);

/// Returns two pointer parameters, the first used by \p A and the second by
/// \p B, that may point to the same memory while at least one of the two uses
/// is a write; two null pointers if there are none. Two parameters of which
/// both are `__restrict__` do not alias.
std::pair<const clang::VarDecl *, const clang::VarDecl *>
findAliases(const Effects &A, const Effects &B);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_DEPENDENCES_H
