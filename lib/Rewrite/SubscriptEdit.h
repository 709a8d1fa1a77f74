// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits of the subscripts of one array.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_SUBSCRIPTEDIT_H
#define CUDAOPT_LIB_REWRITE_SUBSCRIPTEDIT_H

#include "SubscriptText.h"
#include "cudaopt/Rewrite/Edits.h"

#include "llvm/Support/Error.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// The numbers in the text of a layout: those of all instances, which one text
/// serves.
struct LayoutNumbers {
  size_t NumDimensions = 0;
  uint64_t Pitch = 0; ///< Of Rotate, and of arrays of one dimension.
  /// Of Transform, and of Permute with one dimension: how far one row and one
  /// column go.
  uint64_t RowStride = 0, ColumnStride = 0;
  /// What a flat declaration grows by; absent if instances differ, so that the
  /// text must compute it.
  std::optional<uint64_t> ExtraElements = 0;
  /// Of Xor: bit i says that term i may meet greater numbers than it takes.
  uint64_t Masks = 0;
  unsigned ElementSize = 0;
};

/// An access, in one of the instances.
struct AccessOfText {
  const Access *A;
  const KernelInstance *Instance;
};

/// All accesses that one piece of text stands for: a template's text has some
/// in every instance.
using SameText = llvm::SmallVector<AccessOfText, 2>;

/// "'Name': Why at place"
llvm::Error refuse(llvm::StringRef Name, const char *Why,
                   clang::SourceLocation Loc, const clang::ASTContext &Context);

/// Edits the subscripts of one array.
class SubscriptEditor {
public:
  SubscriptEditor(llvm::StringRef Name, const Layout &New,
                  const LayoutNumbers &Numbers, clang::ASTContext &Context,
                  Edits &E)
      : Name(Name), New(New), Numbers(Numbers), Context(Context), E(E) {}

  llvm::Error edit(const SameText &Uses);

private:
  struct Place; ///< A subscript: its expression and its text.

  llvm::Error check(const Access &Use) const;
  llvm::Error editBox(const SameText &Uses);
  llvm::Error editFlat(const SameText &Uses);
  llvm::Error editSplit(const SameText &Uses);
  llvm::Error editLinearSplit(const Access &Use);
  llvm::Error transpose(llvm::ArrayRef<Place> Places);
  llvm::Error linearize(llvm::ArrayRef<Place> Places);
  llvm::Expected<Place> place(const Access &Use, size_t Dimension) const;

  bool isRepeated(size_t Dimension) const;
  bool isCombined(size_t Dimension) const;
  bool isSplitEditable(const Access &Use) const;
  bool hasCommonSplit(const SameText &Uses) const;
  unsigned findChunk(const SameText &Uses, const clang::Expr *Column,
                     bool IsSplit) const;
  llvm::Error write(clang::CharSourceRange Whole,
                    llvm::ArrayRef<clang::CharSourceRange> Kept,
                    llvm::StringRef Code);

  llvm::StringRef Name;
  const Layout &New;
  const LayoutNumbers &Numbers;
  clang::ASTContext &Context;
  Edits &E;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_SUBSCRIPTEDIT_H
