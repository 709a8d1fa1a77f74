// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A staged loop, as a change of its kernel.
//===----------------------------------------------------------------------===//

#include "StagedRows.h"
#include "cudaopt/Source/Edits.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Support/Diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;

/// Returns the elements that \p Walk loads, each once: "a[r * n + c]".
static std::string listElements(const RowWalk &Walk,
                                const clang::ASTContext &Context) {
  llvm::SmallVector<std::string, 2> Elements;
  for (const RowLoad &Each : Walk.Loads)
    if (std::string Text = getWrittenText(Each.Element, Context);
        !llvm::is_contained(Elements, Text))
      Elements.push_back(std::move(Text));
  return "'" + llvm::join(Elements, "', '") + "'";
}

Note StagedRows::describe(const Kernel &K, bool IsMade) const {
  const std::string Elements = listElements(Walk, K.Decl->getASTContext());
  const auto show = [](double Sectors) {
    return llvm::formatv("{0}", llvm::format("%.4g", Sectors)).str();
  };
  std::vector<std::pair<std::string, std::string>> Arguments = {
      {"Elements", Elements}, {"SectorsBefore", show(Sectors.Before)}};
  if (IsMade)
    Arguments.push_back({"SectorsAfter", show(Sectors.After)});
  return {IsMade ? diag::remark_rows_staged : diag::remark_rows_kept,
          "global-access", std::nullopt,
          Walk.Loads.front().Element->getExprLoc(), std::move(Arguments)};
}

llvm::Error StagedRows::write(const Kernel &K, clang::ASTContext &Context,
                              Edits &All) const {
  return stageRows(Walk, Tile, Number, K, Context, All);
}

llvm::Error StagedRows::verify(const Kernel &,
                               clang::ASTContext &Context) const {
  for (const RowWalk &Each : OfInstances)
    if (llvm::Error Failed = checkWalk(Each, Context))
      return Failed;
  return llvm::Error::success();
}

void StagedRows::print(const Kernel &K, llvm::raw_ostream &OS) const {
  const clang::ASTContext &Context = K.Decl->getASTContext();
  OS << "  stage " << listElements(Walk, Context) << " of the loop at line "
     << Context.getSourceManager().getExpansionLineNumber(
            Walk.Loop->getBeginLoc())
     << ": " << Tile.Columns << " columns for " << Tile.MaxThreads / 32
     << " warps\n";
}
