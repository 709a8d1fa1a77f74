// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which values of a kernel may be products that nothing has rounded yet, for
/// compilers that make one operation of a product and a sum.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_PRODUCTFLOW_H
#define CUDAOPT_LIB_ANALYSIS_PRODUCTFLOW_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace cudaopt {

/// The variable that \p E is, is an element of or a member of; null if a
/// pointer, or nothing with a name, leads to it.
const clang::VarDecl *getRootVariable(const clang::Expr *E);

/// True for `a * b` and what compilers make of it: also `x *= b`, and quotients
/// by powers of two. Of numbers that are built in.
bool isProduct(const clang::Expr *E, const clang::ASTContext &Context);
/// True for products of the toolkit's types of 16 bits.
bool isShortProduct(const clang::Expr *E);

/// What the statements of a kernel, and of the functions that it calls, do to
/// variables and memory; in no order.
class ProductFlow {
public:
  /// Values of \p Held, an array of the kernel, count as rounded.
  ProductFlow(const clang::FunctionDecl *Kernel, const clang::VarDecl *Held,
              bool Approximates);

  /// What \p E may be: products that are a part of its text are added to
  /// \p Direct, where that is not null. True if there may be others.
  bool mayBeProduct(const clang::Expr *E,
                    llvm::SmallVectorImpl<const clang::Expr *> *Direct);

  /// The values that are stored to \p Held.
  llvm::ArrayRef<const clang::Expr *> storedValues() const { return Stored; }

  /// True if references or pointers to elements of Held exist.
  bool isHeldReached() const {
    return llvm::any_of(Reached,
                        [&](const clang::VarDecl *V) { return isHeld(V); });
  }

  /// A product, and whether its value may get to a sum.
  struct Product {
    const clang::Expr *E;
    bool MeetsSum;
  };
  llvm::ArrayRef<Product> products() const { return Products; }
  /// True if a value of Held may be an operand of \p E.
  bool dependsOnHeld(const clang::Expr *E);
  /// True if compilers may find that the two have the same value, if they see
  /// through Held.
  bool mayBeEqual(const clang::Expr *A, const clang::Expr *B);

private:
  friend class FlowCollector;
  bool isHeld(const clang::VarDecl *V) const {
    return V && V->getLocation() == Held->getLocation();
  }
  bool mayBeProductOfCall(const clang::CallExpr *E,
                          llvm::SmallVectorImpl<const clang::Expr *> *Direct);
  bool mayLoadProduct(const clang::Expr *E);
  /// True if each thread executes \p Load once at most, before \p Store.
  bool isSurelyBefore(const clang::Expr *Load, const clang::Expr *Store) const;
  bool anyProduct(llvm::ArrayRef<const clang::Expr *> Values);
  bool areEqualValues(const clang::Expr *A, const clang::Expr *B);
  bool areEqualOperands(const clang::Expr *A, const clang::Expr *B);

  const clang::ASTContext &Context;
  const clang::VarDecl *Held;
  const bool Approximates;
  const clang::SourceRange Body; ///< Of the kernel.
  /// The loops of the kernel; all of it, if it has jumps or lambdas.
  llvm::SmallVector<clang::SourceRange, 4> Repeated;
  /// Of local variables, and parameters of called functions.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Values;
  /// What is stored elsewhere; by the variable, null for what pointers lead to.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Memory;
  /// Local variables that something else than their name leads to.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Reached;
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Returned;
  llvm::SmallVector<const clang::Expr *, 2> Stored;
  std::vector<Product> Products;
  llvm::SmallPtrSet<const void *, 8> Open; ///< That are being looked at.
  llvm::DenseSet<std::pair<const clang::Expr *, const clang::Expr *>> Compared;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_PRODUCTFLOW_H
