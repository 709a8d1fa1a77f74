// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeCheck.h"

#include "PlanCheck.h"
#include "PlanClaims.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

using namespace cudaopt;
using namespace clang;

std::optional<check::Disagreement>
CodeCheck::findDisagreement(const Kernel &K, const Plan &P,
                            llvm::ArrayRef<SourceLocation> Errors) {
  const check::DeviceCheck *Check = Code.check(Errors);
  if (!Check)
    return check::Disagreement{
        check::Disagreement::Kind::Code, "clang makes no code of it", {}};
  ASTContext &Context = CI.getASTContext();
  if (!Points)
    Points.emplace(Context, Code.listFunctions(Errors));
  for (const check::KernelClaims &Claims : makeClaims(K, P, *Points, Context)) {
    if (auto Found = Check->compare(Claims))
      return Found;
    const check::HostCheck *Host =
        Claims.Shapes ? Code.checkHost(Errors) : nullptr;
    if (Host)
      if (auto Found = Host->compare(Claims))
        return Found;
  }
  return std::nullopt;
}

/// The place of \p At in the file of \p Near; else \p Near.
static SourceLocation findLocation(const SourceManager &SM, SourceLocation Near,
                                   const check::SourcePoint &At) {
  const FileID File = SM.getFileID(SM.getExpansionLoc(Near));
  const auto Entry = SM.getFileEntryRefForID(File);
  if (!At.isValid() || !Entry ||
      llvm::sys::path::filename(Entry->getName()) != At.File)
    return Near;
  const SourceLocation Loc = SM.translateLineCol(File, At.Line, At.Column);
  return Loc.isValid() ? Loc : Near;
}

void CodeCheck::check(const Kernel &K, Plan &P,
                      llvm::ArrayRef<SourceLocation> Errors) {
  while (P.isRewritten()) {
    const auto Found = findDisagreement(K, P, Errors);
    if (!Found)
      return;
    std::string Detail = Found->Text;
    if (Found->At.isValid())
      Detail = (Found->At.File + ":" + llvm::Twine(Found->At.Line) + ":" +
                llvm::Twine(Found->At.Column) + ": " + Detail)
                   .str();
    const bool IsOfStorage =
        (Found->What == check::Disagreement::Kind::Leave ||
         Found->What == check::Disagreement::Kind::Thread) &&
        P.Reuse && P.Reuse->isRewritten();
    if (!IsOfStorage)
      return keepAll(K, P, Reason::CodeDisagrees, Detail);
    keepStorage(P, {Reason::CodeDisagrees, Detail,
                    findLocation(CI.getSourceManager(), K.Decl->getLocation(),
                                 Found->At)});
  }
}
