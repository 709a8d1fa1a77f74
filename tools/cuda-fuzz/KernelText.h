// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints a kernel as CUDA C++, with the function that launches it, and records
/// where its parts are, for Mutants.h, which damages the text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_KERNELTEXT_H
#define CUDAOPT_FUZZ_KERNELTEXT_H

#include "Kernel.h"

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudaopt::fuzz {

/// Offsets in a kernel's text.
struct DeclarationMark {
  unsigned Array;
  /// The offsets of `__shared__` and of the array's name.
  unsigned Begin, Name;
  unsigned FirstClose; ///< The closing bracket of the first dimension.
  unsigned End;        ///< The semicolon.
};
struct ReferenceMark {
  unsigned Array;
  unsigned Begin;               ///< The offset of the array's name.
  unsigned LastOpen, LastClose; ///< The positions around the last subscript.
};
struct BarrierMark {
  unsigned Begin, Length;
};

struct KernelText {
  std::string Text;
  std::vector<DeclarationMark> Declarations; ///< Without dynamic arrays.
  std::vector<ReferenceMark> References;
  std::vector<BarrierMark> Barriers;
  /// A function of another file that launches the kernel, too; empty if there
  /// is none.
  std::string OtherLaunch;
  unsigned NumOutputs = 0; ///< The number of elements that the kernel writes.
};

KernelText printKernel(const Kernel &K);

/// Returns the text with which a file begins: the declarations of CUDA that the
/// kernels need, and their device functions.
llvm::StringRef getKernelPrelude();

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_KERNELTEXT_H
