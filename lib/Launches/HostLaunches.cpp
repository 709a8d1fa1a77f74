// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Launches/HostLaunches.h"

#include "cudaopt/IR/Build.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

/// What a function of the host computes for its launches is short; the rest of
/// what it calls need not be read.
static constexpr unsigned MaxOperations = 4000;

HostLaunches::HostLaunches(ASTContext &Context, llvm::ArrayRef<Decl *> Own)
    : Context(Context) {
  for (Decl *D : Own)
    Changes.find(D);
}

/// Another file may change what it can name; so may a header of the system,
/// whose functions nobody has looked at. What is const, the IR knows.
bool HostLaunches::isUnchanged(const VarDecl *D) const {
  const SourceManager &Sources = Context.getSourceManager();
  return !Changes.isChanged(D) &&
         !Context.getBaseElementType(D->getType()).isConstQualified() &&
         (D->hasLocalStorage() || !D->isExternallyVisible()) &&
         !Sources.isInSystemHeader(Sources.getExpansionLoc(D->getLocation()));
}

/// The number that operand \p I of \p O always is.
static std::optional<uint64_t> readOperand(const ir::Function &F,
                                           const ir::Operation &O, unsigned I) {
  const ir::Value &V = F.value(O.Operands[I]);
  return V.What == ir::Value::Literal && V.Ty.isIntegral()
             ? V.Integer.tryZExtValue()
             : std::nullopt;
}

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
      // A statement that the graph holds several times, and of which they say
      // different things.
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
