// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass levelize: which sequential loops of the host become calls of the
/// runtime, which runs their iterations in parallel on the device with the
/// result of the sequential loop, bit for bit (docs/Levelize.md). The runtime
/// orders iterations that access the same elements, by an inspector and an
/// executor; the pass proves where that is not necessary.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PASSES_LEVELIZE_LEVELIZE_H
#define CUDAOPT_PASSES_LEVELIZE_LEVELIZE_H

#include "cudaopt/Plan/LoopDecision.h"

#include <list>

namespace cudaopt {

/// Returns \p L as a row loop; std::nullopt if it has another form.
std::optional<RowForm> findRowForm(const HostLoop &L,
                                   const clang::ASTContext &Context);

/// Returns the choice called "marked", "propose" or "auto"; std::nullopt for
/// other names.
std::optional<LevelizeChoice> parseLevelizeChoice(llvm::StringRef Name);

/// The input of a pass over the host's loops.
struct HostPassInput {
  clang::ASTContext &Context;
  const IslContext &Isl;
  LevelizeChoice Choice;
  llvm::ArrayRef<clang::SourceLocation> Errors; ///< Places of clang's errors.
  llvm::ArrayRef<HostPragma> Pragmas;           ///< The marks of the file.
  const FloatingPoint &Floats;
};

/// Decides on the host loops of the main file, in the order of the text. The
/// instantiations of a loop of a template share one decision: they have one
/// text, so that either all are rewritten or none.
std::list<LevelizeDecision> planLevelize(const HostPassInput &In);

} // namespace cudaopt

#endif // CUDAOPT_PASSES_LEVELIZE_LEVELIZE_H
