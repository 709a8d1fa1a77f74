// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Optimizes a copy of the code of one kernel, and has it counted.
//===----------------------------------------------------------------------===//

#include "WorkMeter.h"

#include "CrashGuard.h"
#include "RunClaims.h"

#include "cudaopt/Check/WorkCount.h"
#include "cudaopt/Simt/Optimizer.h"

#include "clang/AST/Mangle.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace cudaopt;

namespace {

/// Drops what LLVM says about loops that it does not unroll as the user asks,
/// while it is alive.
class SilentContext {
public:
  explicit SilentContext(llvm::LLVMContext &Context)
      : Context(Context), Others(Context.getDiagnosticHandler()) {
    Context.setDiagnosticHandler(std::make_unique<Silent>());
  }
  ~SilentContext() { Context.setDiagnosticHandler(std::move(Others)); }

private:
  struct Silent final : llvm::DiagnosticHandler {
    bool handleDiagnostics(const llvm::DiagnosticInfo &) override {
      return true;
    }
  };

  llvm::LLVMContext &Context;
  std::unique_ptr<llvm::DiagnosticHandler> Others;
};

} // namespace

/// Counts the work in \p M, a copy of the code.
static std::optional<KernelWork> countIn(llvm::Module &M,
                                         const check::SymbolTable &Symbols,
                                         const std::string &Symbol,
                                         const check::LaunchClaim &Launch,
                                         const Target &T) {
  if (!check::prepareForOptimization(M, Symbols, Symbol))
    return std::nullopt;
  const SilentContext Silence(M.getContext());
  simt::optimizeAndMerge(M);
  return check::countWork(M, Symbols, Symbol, Launch, T.Shared);
}

/// What is only a prediction must not end the program: where LLVM crashes, the
/// work is not known.
std::optional<KernelWork> cudaopt::measureWork(const check::DeviceCheck &Code,
                                               const CountedLaunch &Launch,
                                               const Target &T) {
  const check::LaunchClaim Claim = makeLaunchClaim(Launch.Block);
  if (!Claim.isKnown() || Claim.IsUnseen)
    return std::nullopt;
  std::unique_ptr<llvm::Module> M = llvm::CloneModule(Code.module());
  std::optional<KernelWork> Work;
  if (surviveCrash(
          [&] { Work = countIn(*M, Code.symbols(), Launch.Symbol, Claim, T); }))
    return Work;
  (void)M.release(); // Leaked on purpose.
  return std::nullopt;
}

CountedLaunch cudaopt::makeCountedLaunch(const KernelInstance &I) {
  return {clang::ASTNameGenerator(I.Decl->getASTContext()).getName(I.Decl),
          I.Block};
}
