// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Detects that a program depends on when it is compiled, so that its results
/// are not cached.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_LAUNCHER_CLOCKWATCH_H
#define CUDAOPT_LIB_DRIVER_LAUNCHER_CLOCKWATCH_H

#include "cudaopt/Driver/Cache/FileFacts.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/StringRef.h"

namespace cudaopt {

/// Watches for expansions of the macros whose value is a date or a time.
class ClockWatch : public clang::PPCallbacks {
public:
  explicit ClockWatch(FileFacts &Seen) : Seen(Seen) {}
  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &,
                    clang::SourceRange, const clang::MacroArgs *) override {
    const clang::IdentifierInfo *Identifier = Name.getIdentifierInfo();
    if (!Identifier)
      return;
    const llvm::StringRef Macro = Identifier->getName();
    if (Macro == "__TIME__" || Macro == "__DATE__" || Macro == "__TIMESTAMP__")
      Seen.setUnlasting();
  }

private:
  FileFacts &Seen;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_LAUNCHER_CLOCKWATCH_H
