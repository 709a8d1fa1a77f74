// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes a kernel as CUDA C++, with the function that launches it, and
/// remembers where what is, for those who damage the text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_KERNELTEXT_H
#define CUDAOPT_FUZZ_KERNELTEXT_H

#include "Kernel.h"

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudaopt::fuzz {

/// Offsets into a kernel's text.
struct DeclarationMark {
  unsigned Array;
  unsigned Begin, Name; ///< Of `__shared__`, and of the array's name.
  unsigned FirstClose;  ///< The bracket behind the first dimension.
  unsigned End;         ///< The semicolon.
};
struct ReferenceMark {
  unsigned Array;
  unsigned Begin;               ///< Of the array's name.
  unsigned LastOpen, LastClose; ///< Around the last subscript.
};
struct BarrierMark {
  unsigned Begin, Length;
};

struct KernelText {
  std::string Text;
  std::vector<DeclarationMark> Declarations; ///< None of dynamic arrays.
  std::vector<ReferenceMark> References;
  std::vector<BarrierMark> Barriers;
  /// The function of another file that launches the kernel, too; empty if there
  /// is none.
  std::string OtherLaunch;
  unsigned NumOutputs = 0; ///< Elements that the kernel writes.
};

KernelText printKernel(const Kernel &K);

/// What of CUDA the kernels need, and their device functions: a file begins
/// with it.
llvm::StringRef getKernelPrelude();

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_KERNELTEXT_H
