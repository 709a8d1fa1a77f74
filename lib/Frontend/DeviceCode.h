// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The code that clang makes of the functions that were parsed, of the device
/// and of the host, before it is optimized: what the independent check of plans
/// reads.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_DEVICECODE_H
#define CUDAOPT_LIB_FRONTEND_DEVICECODE_H

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

/// The place that debug information names for \p Loc.
check::SourcePoint makePoint(const clang::SourceManager &SM,
                             clang::SourceLocation Loc);

class DeviceCode {
public:
  explicit DeviceCode(const clang::CompilerInstance &CI) : CI(CI) {}

  /// Notes what the parser has finished, instances of templates included.
  void note(clang::DeclGroupRef Group);

  /// The functions of the user that have a body, but for those that contain one
  /// of \p Errors.
  const std::vector<clang::FunctionDecl *> &
  listFunctions(llvm::ArrayRef<clang::SourceLocation> Errors);

  /// Analyses the code of listFunctions(), the first time. Null if there is
  /// none.
  const check::DeviceCheck *check(llvm::ArrayRef<clang::SourceLocation> Errors);

  /// The same of the functions of the host, as far as the device's parse shows
  /// them.
  const check::HostCheck *
  checkHost(llvm::ArrayRef<clang::SourceLocation> Errors);

private:
  std::unique_ptr<clang::CodeGenerator>
  generate(llvm::ArrayRef<clang::FunctionDecl *> Functions);

  const clang::CompilerInstance &CI;
  std::vector<clang::Decl *> Noted;
  std::optional<std::vector<clang::FunctionDecl *>> Listed;
  bool IsMade = false, IsHostMade = false;
  // Each dies before what it refers to.
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<check::DeviceCheck> Check;
  std::unique_ptr<check::HostCheck> Host;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_DEVICECODE_H
