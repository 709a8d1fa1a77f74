// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Edits the subscripts of one array for a new layout.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_SUBSCRIPTEDIT_H
#define CUDAOPT_LIB_REWRITE_SUBSCRIPTEDIT_H

#include "SubscriptText.h"
#include "cudaopt/Analysis/ColumnSum.h"
#include "cudaopt/Source/Edits.h"

#include "llvm/Support/Error.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// The numbers in the text of a layout, valid for all instances that the text
/// serves.
struct LayoutNumbers {
  size_t NumDimensions = 0;
  /// The row length, for Rotate and for arrays of one dimension.
  uint64_t Pitch = 0;
  /// The distance between two rows, and between two columns, for Transform and
  /// for Permute of one dimension.
  uint64_t RowStride = 0, ColumnStride = 0;
  /// The number of elements that a flat declaration grows by; std::nullopt if
  /// it differs between instances, so that the text must compute it.
  std::optional<uint64_t> ExtraElements = 0;
  /// For Xor: bit i is set if term i may get greater numbers than the bits it
  /// takes, so that it needs a mask.
  uint64_t Masks = 0;
  unsigned ElementSize = 0;
};

/// An access in one of the instances.
struct AccessOfText {
  const Access *A;
  const KernelInstance *Instance;
};

/// All accesses that one piece of text stands for: the text of a template has
/// some in every instance.
using SameText = llvm::SmallVector<AccessOfText, 2>;

/// Returns the error "'Name': Why at place".
llvm::Error refuse(llvm::StringRef Name, const char *Why,
                   clang::SourceLocation Loc, const clang::ASTContext &Context);

/// Edits one array's subscripts, one text at a time. \p E gets the edits.
class SubscriptEditor {
public:
  SubscriptEditor(llvm::StringRef Name, const Layout &New,
                  const LayoutNumbers &Numbers, clang::ASTContext &Context,
                  Edits &E)
      : Name(Name), New(New), Numbers(Numbers), Context(Context), E(E) {}

  /// Edits the text of \p Uses; fails if some part of it cannot be edited.
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
  unsigned findMostColumns() const;
  bool isRead(unsigned Bits) const;
  std::optional<ColumnSum> findSum(const SameText &Uses);
  std::optional<ChunkedColumn> findChunks(const SameText &Uses,
                                          const clang::Expr *Column);
  llvm::Error write(clang::CharSourceRange Whole,
                    llvm::ArrayRef<clang::CharSourceRange> Kept,
                    llvm::StringRef Code);

  llvm::StringRef Name;
  const Layout &New;
  const LayoutNumbers &Numbers;
  clang::ASTContext &Context;
  Edits &E;
  /// The columns of each instance, found when first asked for.
  llvm::DenseMap<const KernelInstance *, ColumnSums> Sums;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_SUBSCRIPTEDIT_H
