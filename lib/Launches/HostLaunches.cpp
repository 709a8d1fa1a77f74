// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the shapes of launches off the IR of the host functions around them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Launches/HostLaunches.h"

#include "cudaopt/IR/Build.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

/// The limit of operations for host functions. What they compute for their
/// launches is short; the rest of what they call need not be built.
static constexpr unsigned MaxOperations = 4000;

HostLaunches::HostLaunches(ASTContext &Context, llvm::ArrayRef<Decl *> Own)
    : Context(Context) {
  for (Decl *D : Own)
    Changes.find(D);
}

/// Returns true if nothing changes \p D after its initialisation. The search
/// has seen this file only: variables that other files can name, or that are
/// declared in a system header, may change elsewhere. (The IR treats const
/// variables as unchanged by itself.)
bool HostLaunches::isUnchanged(const VarDecl *D) const {
  const SourceManager &Sources = Context.getSourceManager();
  return !Changes.isChanged(D) &&
         !Context.getBaseElementType(D->getType()).isConstQualified() &&
         (D->hasLocalStorage() || !D->isExternallyVisible()) &&
         !Sources.isInSystemHeader(Sources.getExpansionLoc(D->getLocation()));
}

/// Returns operand \p I of \p O if it is a literal; std::nullopt otherwise.
static std::optional<uint64_t> readOperand(const ir::Function &F,
                                           const ir::Operation &O, unsigned I) {
  const ir::Value &V = F.value(O.Operands[I]);
  return V.What == ir::Value::Literal && V.Ty.isIntegral()
             ? V.Integer.tryZExtValue()
             : std::nullopt;
}

/// Returns the three operands of \p O from \p First on; std::nullopt unless all
/// are literals.
static std::optional<LaunchArguments::Extents>
readExtents(const ir::Function &F, const ir::Operation &O, unsigned First) {
  LaunchArguments::Extents Result;
  for (unsigned Axis = 0; Axis != Result.size(); ++Axis) {
    const std::optional<uint64_t> Number = readOperand(F, O, First + Axis);
    if (!Number)
      return std::nullopt;
    Result[Axis] = static_cast<uint32_t>(*Number);
  }
  return Result;
}

/// Builds the IR of \p F and records the shapes of its launches.
void HostLaunches::evaluate(const FunctionDecl *F) {
  ir::BuildOptions Options;
  Options.MaxOperations = MaxOperations;
  Options.SplicesLibraries = false;
  Options.IsUnchanged = [this](const VarDecl *D) { return isUnchanged(D); };
  const std::unique_ptr<ir::Function> Built = ir::build(F, Context, Options);
  if (!Built)
    return;
  llvm::DenseMap<const Stmt *, LaunchArguments> Found;
  for (const std::unique_ptr<ir::Block> &B : Built->blocks())
    for (const ir::Operation &O : B->Operations) {
      if (!O.IsLaunch || O.Where.Path)
        continue;
      const LaunchArguments Each = {readExtents(*Built, O, 0),
                                    readExtents(*Built, O, 3),
                                    readOperand(*Built, O, 6), false};
      // Several operations for one statement may have different shapes; then
      // nothing is known.
      const auto [Same, IsNew] = Found.try_emplace(O.Where.Node, Each);
      if (!IsNew && Same->second != Each)
        Same->second = {};
    }
  for (const Stmt *S : Built->deadLaunches()) {
    LaunchArguments Dead;
    Dead.IsDead = true;
    Found.try_emplace(S, Dead);
  }
  Known.insert(Found.begin(), Found.end());
}

LaunchArguments HostLaunches::find(const Expr *Launch,
                                   const FunctionDecl *Around) {
  const FunctionDecl *Definition = nullptr;
  if (!Around || !Around->hasBody(Definition) ||
      Definition->isDependentContext())
    return {};
  if (Evaluated.insert(Definition).second)
    evaluate(Definition);
  return Known.lookup(Launch);
}

} // namespace cudaopt
