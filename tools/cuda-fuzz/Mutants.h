// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Mutants: damages what cuda-opt wrote in the ways in which a rewriter goes
/// wrong, in order to see whether the comparison notices (mutation testing of
/// the judge).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_MUTANTS_H
#define CUDAOPT_FUZZ_MUTANTS_H

#include "KernelText.h"
#include "Random.h"
#include "cudaopt/Source/Edits.h"

#include <optional>

namespace cudaopt::fuzz {

enum class MutantKind : uint8_t {
  Size,    ///< An array is one row, or one element, too small.
  Layout,  ///< Two elements get the same place.
  Stale,   ///< A reference keeps the original subscript.
  Index,   ///< A reference uses the next column.
  Barrier, ///< A barrier is removed.
  Sharing, ///< Two arrays get the same bytes.
  Poison,  ///< An array is overwritten at a barrier.
};
inline constexpr unsigned NumMutantKinds = 7;
llvm::StringRef nameOf(MutantKind Kind);

/// Returns edits that turn \p Text into a mutant of what cuda-opt made with
/// \p Edits; std::nullopt if the kernel has no place for this kind. Offsets
/// refer to the kernel's own text.
std::optional<FileEdits> mutate(MutantKind Kind, const KernelText &Text,
                                const FileEdits &Edits, Random &R);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_MUTANTS_H
