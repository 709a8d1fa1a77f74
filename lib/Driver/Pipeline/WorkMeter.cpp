// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Optimizes a copy of the code of one kernel, and has it counted.
//===----------------------------------------------------------------------===//

#include "WorkMeter.h"

#include "RunClaims.h"

#include "cudaopt/Check/WorkCount.h"
#include "cudaopt/Simt/Optimizer.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
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
                                               const std::string &Symbol,
                                               const BlockShape &Block,
                                               const Target &T) {
  const check::LaunchClaim Launch = makeLaunchClaim(Block);
  if (!Launch.isKnown() || Launch.IsUnseen)
    return std::nullopt;
  std::unique_ptr<llvm::Module> M = llvm::CloneModule(Code.module());
  std::optional<KernelWork> Work;
  const bool WasGuarded = llvm::CrashRecoveryContext::GetCurrent();
  llvm::CrashRecoveryContext Guard;
  llvm::CrashRecoveryContext::Enable();
  const bool IsAlive = Guard.RunSafely(
      [&] { Work = countIn(*M, Code.symbols(), Symbol, Launch, T); });
  if (!WasGuarded)
    llvm::CrashRecoveryContext::Disable();
  if (IsAlive)
    return Work;
  // Leaked on purpose: after a crash its state cannot be destroyed safely.
  (void)M.release();
  return std::nullopt;
}
