// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Damages what cuda-opt wrote, in the ways in which a rewriter goes wrong, to
/// see that a comparison notices.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_MUTANTS_H
#define CUDAOPT_FUZZ_MUTANTS_H

#include "KernelText.h"
#include "Random.h"
#include "cudaopt/Rewrite/Edits.h"

#include <optional>

namespace cudaopt::fuzz {

enum class MutantKind : uint8_t {
  Size,    ///< An array one row, or one element, too small.
  Layout,  ///< Two elements at one place.
  Stale,   ///< A reference with the original subscript.
  Index,   ///< A reference to the next column.
  Barrier, ///< A barrier dropped.
  Sharing, ///< Two arrays at the same bytes.
  Poison,  ///< An array overwritten at a barrier.
};
inline constexpr unsigned NumMutantKinds = 7;
llvm::StringRef nameOf(MutantKind Kind);

/// Returns the edits that make of \p Text not what cuda-opt made with \p Edits
/// but a mutant of it; nothing if the kernel has no place for one. Offsets are
/// those of the kernel's own text.
std::optional<FileEdits> mutate(MutantKind Kind, const KernelText &Text,
                                const FileEdits &Edits, Random &R);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_MUTANTS_H
