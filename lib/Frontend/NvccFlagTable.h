// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The options of nvcc, which NvccFlags.def lists, and how they are written.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_NVCCFLAGTABLE_H
#define CUDAOPT_LIB_FRONTEND_NVCCFLAGTABLE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// A row of the table.
struct NvccFlag {
  enum class Form { Flag, Value, Joined, Number, Listed };
  enum class Role {
    Drop,
    Add,
    AddIf,
    Each,
    EachAfter,
    Arch,
    HostCompiler,
    OptionsFile,
    ForwardUnknown
  };

  llvm::StringLiteral Long, Short;
  Form Argument;
  Role Effect;
  llvm::StringLiteral Text;

  /// True if \p Next, the word after this option, is its argument.
  bool takesNext(llvm::StringRef Next) const;
};

/// An option of nvcc as it stands on a command line.
struct NvccFlagUse {
  const NvccFlag *Flag = nullptr;
  std::optional<llvm::StringRef> Value;
};

/// Returns the option of nvcc that \p Argument is, with the value that is
/// written in the same word.
NvccFlagUse findNvccFlag(llvm::StringRef Argument);

/// Splits \p List as nvcc does: a comma in double quotes, or after a backslash,
/// separates nothing.
std::vector<std::string> splitNvccList(llvm::StringRef List);

/// Splits the text of an options file as nvcc does, which differs from a shell:
/// single quotes are letters, and backslashes are taken off twice. Nothing is
/// returned for a double quote that has no partner.
std::optional<std::vector<std::string>> splitNvccFile(llvm::StringRef Text);

/// Splits \p Text, of a row, at spaces.
llvm::SmallVector<llvm::StringRef, 8> splitNvccWords(llvm::StringRef Text);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_NVCCFLAGTABLE_H
