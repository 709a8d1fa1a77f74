// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The value of an option that may choose something else for some kernels, and
/// for some of their arrays:
///
///   --layout=auto,lu=pad,fft::radix8.twiddles=keep
///
/// Kernels are named with their namespaces, except unnamed ones, and without
/// template arguments. All instances and overloads of a name choose alike.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PASSES_KERNELCHOICES_H
#define CUDAOPT_PASSES_KERNELCHOICES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudaopt {

/// The choices of one option.
struct KernelChoices {
  struct Exception {
    std::string Kernel;
    std::string Array; ///< Empty for all arrays of the kernel.
    std::string Choice;
  };
  std::string General; ///< The choice for all others; empty if none is given.
  std::vector<Exception> Exceptions;

  /// Parses \p Text. Fails if a word is malformed, stands twice, or names two
  /// general choices.
  static llvm::Expected<KernelChoices> parse(llvm::StringRef Text);

  /// Returns the choice for \p Kernel, whose name may contain
  /// "(anonymous namespace)::", or \p Default if there is none. An exception
  /// for \p Array is stronger than one for the kernel.
  llvm::StringRef of(llvm::StringRef Kernel, llvm::StringRef Array,
                     llvm::StringRef Default) const;

  /// Returns the text that parse() reads: "auto,lu=pad".
  std::string text() const;
};

/// Returns \p Name without its unnamed namespaces.
std::string dropUnnamedNamespaces(llvm::StringRef Name);

} // namespace cudaopt

#endif // CUDAOPT_PASSES_KERNELCHOICES_H
