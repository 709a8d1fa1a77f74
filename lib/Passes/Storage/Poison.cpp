// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass poison, a test of the live ranges: overwrites variables with NaNs
/// behind barriers where they are said to be dead. If the live ranges are
/// correct, the result of the kernel does not change.
///
/// \verbatim
///   __syncthreads();  ->  __syncthreads();
///                         for (... i = thread; i < sizeof(a); i += threads)
///                           ((unsigned char *)&a)[i] = 0xff;
///                         __syncthreads();
/// \endverbatim
//===----------------------------------------------------------------------===//

#include "StorageChoice.h"
#include "cudaopt/Source/Edits.h"
#include "cudaopt/Support/Diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/MapVector.h"

using namespace cudaopt;

namespace {

/// The fills in front of barriers, as a rewrite of its own.
class PoisonRewrite final : public KernelRewrite {
public:
  explicit PoisonRewrite(std::vector<DeadVariable> Dead)
      : Dead(std::move(Dead)) {}

  Note describe(const Kernel &K, bool IsMade) const override {
    return {IsMade ? diag::remark_storage_poisoned : diag::remark_storage_kept,
            "shared-reuse",
            std::nullopt,
            K.Decl->getLocation(),
            {{"Kernel", K.Name}}};
  }
  llvm::Error write(const Kernel &K, clang::ASTContext &Context,
                    Edits &All) const override;
  /// There is nothing to verify: what the rewrite relies on is what it tests.
  llvm::Error verify(const Kernel &, clang::ASTContext &) const override {
    return llvm::Error::success();
  }
  void print(const Kernel &K, llvm::raw_ostream &OS) const override;

private:
  const std::vector<DeadVariable> Dead;
};

} // namespace

/// Returns a loop in which the threads of the block fill the variable \p Name
/// with bytes 0xff: a NaN in every floating-point type.
static std::string writeFill(llvm::StringRef Name) {
  return ("for (unsigned poisoned = threadIdx.x + blockDim.x * (threadIdx.y + "
          "blockDim.y * threadIdx.z); poisoned < sizeof(" +
          Name +
          "); poisoned += blockDim.x * blockDim.y * blockDim.z) ((unsigned "
          "char *)&" +
          Name + ")[poisoned] = 0xff; ")
      .str();
}

llvm::Error PoisonRewrite::write(const Kernel &, clang::ASTContext &,
                                 Edits &All) const {
  llvm::MapVector<const clang::Stmt *, std::string> Fronts;
  for (const DeadVariable &Each : Dead)
    Fronts[Each.Barrier] += writeFill(Each.Name);
  Edits Own = All;
  for (const auto &[Barrier, Text] : Fronts)
    if (llvm::Error Failed =
            Own.insert(Barrier->getBeginLoc(), "__syncthreads(); " + Text))
      return Failed;
  All = std::move(Own);
  return llvm::Error::success();
}

void PoisonRewrite::print(const Kernel &K, llvm::raw_ostream &OS) const {
  const auto &SM = K.Decl->getASTContext().getSourceManager();
  for (const DeadVariable &Each : Dead)
    OS << "  poison " << Each.Name << " at line "
       << SM.getExpansionLineNumber(Each.Barrier->getBeginLoc()) << '\n';
}

Plan cudaopt::planPoison(const PassInput &In, const Plan &Earlier) {
  if (!In.K.Decl->hasAttr<clang::CUDAGlobalAttr>() ||
      In.Options.Reuse != ReuseChoice::Poison)
    return Earlier;
  StorageChoice C(In, Earlier);
  if (C.All.instances().empty() || C.All.refused())
    return C.makePlan();
  std::vector<DeadVariable> Dead = C.All.deadVariables();
  if (Dead.empty())
    C.Decision.Refused = {Reason::AllAlive, "",
                          C.All.variables().front().Decl->getLocation()};
  Plan P = C.makePlan();
  if (!Dead.empty())
    P.Rewrites.push_back(
        {std::make_shared<PoisonRewrite>(std::move(Dead)), {}});
  return P;
}
