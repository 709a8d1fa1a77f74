// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates unoptimized LLVM IR, with line tables, for the user's functions of
/// both sides from the AST that the pipeline has parsed. The independent check
/// of plans reads it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_DEVICECODE_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_DEVICECODE_H

#include "cudaopt/Check/DeviceCheck.h"
#include "cudaopt/Check/HostCheck.h"

#include "clang/AST/DeclGroup.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <optional>
#include <vector>

namespace clang {
class CodeGenerator;
class CompilerInstance;
class FunctionDecl;
class SourceManager;
} // namespace clang

namespace cudaopt {

/// Returns the source position that debug information has for \p Loc: that of
/// the outermost macro expansion.
check::SourcePoint makePoint(const clang::SourceManager &SM,
                             clang::SourceLocation Loc);

/// The IR of one translation unit; each side is generated at the first question
/// and kept.
class DeviceCode {
public:
  explicit DeviceCode(const clang::CompilerInstance &CI) : CI(CI) {}

  /// Records declarations that the parser has finished, including instances of
  /// templates.
  void note(clang::DeclGroupRef Group);

  /// Returns the user's functions that have a body, except those that contain
  /// one of \p Errors.
  const std::vector<clang::FunctionDecl *> &
  listFunctions(llvm::ArrayRef<clang::SourceLocation> Errors);

  /// Returns the analysis of the device code of listFunctions(); null if clang
  /// can generate no code.
  const check::DeviceCheck *check(llvm::ArrayRef<clang::SourceLocation> Errors);

  /// Returns the analysis of host code, as far as the device-side parse shows
  /// it; null if clang can generate no code.
  const check::HostCheck *
  checkHost(llvm::ArrayRef<clang::SourceLocation> Errors);

private:
  std::unique_ptr<clang::CodeGenerator>
  generate(llvm::ArrayRef<clang::FunctionDecl *> Functions);

  const clang::CompilerInstance &CI;
  std::vector<clang::Decl *> Noted;
  std::optional<std::vector<clang::FunctionDecl *>> Listed;
  bool IsMade = false, IsHostMade = false;
  // These are destroyed in reverse order, each before what it refers to.
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<check::DeviceCheck> Check;
  std::unique_ptr<check::HostCheck> Host;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_DEVICECODE_H
