// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The options of nvcc that NvccFlags.def lists, and the syntax in which they
/// are written.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PARSE_NVCCFLAGTABLE_H
#define CUDAOPT_DRIVER_PARSE_NVCCFLAGTABLE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// One row of the table. NvccFlags.def explains the forms and roles.
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

  /// Returns true if \p Next, the word after this option, is its argument.
  bool takesNext(llvm::StringRef Next) const;
};

/// An option of nvcc as it occurs on a command line.
struct NvccFlagUse {
  const NvccFlag *Flag = nullptr;
  std::optional<llvm::StringRef> Value;
};

/// Returns the option of nvcc that \p Argument spells, with the value in the
/// same word (`-arch=sm_90`), if there is one. Flag is null if nvcc has no such
/// option.
NvccFlagUse findNvccFlag(llvm::StringRef Argument);

/// Splits \p List at commas as nvcc does: commas in double quotes or after a
/// backslash do not separate.
std::vector<std::string> splitNvccList(llvm::StringRef List);

/// Splits the text of an options file into words as nvcc does. It differs from
/// a shell: single quotes are ordinary characters, and backslashes are removed
/// twice. Returns std::nullopt if a double quote has no partner.
std::optional<std::vector<std::string>> splitNvccFile(llvm::StringRef Text);

/// Splits the text of a table row at spaces.
llvm::SmallVector<llvm::StringRef, 8> splitNvccWords(llvm::StringRef Text);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PARSE_NVCCFLAGTABLE_H
