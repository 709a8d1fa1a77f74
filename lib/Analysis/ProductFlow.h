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
#include "clang/AST/ExprCXX.h"
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

/// True for a type of the toolkit that has 16 bits, or two of them.
bool isShortType(clang::QualType Type);
/// The operation of `a + b` and of `a += b`.
clang::BinaryOperatorKind getOperation(const clang::BinaryOperator *E);

/// Constants that compilers may find a value to be, as bits. Operations on them
/// may vanish, and leave the other operand.
enum FoldedConstant : unsigned {
  Opaque = 0, ///< It is known when the kernel runs only.
  PlusZero = 1,
  MinusZero = 2,
  One = 4,   ///< 1 or -1.
  Power = 8, ///< Another power of two.
  OtherNumber = 16,
  Two = 32, ///< 2 or -2: for compilers, 2 * x is x + x.
  AnyConstant = 63,
};

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

  /// The constants that compilers may find \p E to be.
  unsigned findConstants(const clang::Expr *E);
  /// An operation on a value of Held that may vanish, or become a product, if
  /// compilers know the constant that was stored; null if there is none.
  const clang::Expr *findFoldedUse();

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
  bool mayBeProductOfNew(const clang::CXXConstructExpr *E,
                         llvm::SmallVectorImpl<const clang::Expr *> *Direct);
  bool mayLoadProduct(const clang::Expr *E);
  bool mayBeProductOfOperation(clang::BinaryOperatorKind Op,
                               const clang::Expr *Left,
                               const clang::Expr *Right);
  /// True if compilers may drop \p Operand of \p Op and leave a product.
  bool mayLeaveProduct(clang::BinaryOperatorKind Op, const clang::Expr *Operand,
                       const clang::Expr *Other, bool IsRight);
  bool hasUnknownSign(const clang::Expr *Product);
  /// Adds the values that \p E may load to \p Found. False if there may be
  /// others.
  bool findLoaded(const clang::Expr *E,
                  llvm::SmallVectorImpl<const clang::Expr *> &Found);
  bool findLoadedOf(const clang::VarDecl *Root, const clang::Expr *E,
                    llvm::SmallVectorImpl<const clang::Expr *> &Found);
  void findInMemory(const clang::VarDecl *Named, const clang::Expr *E,
                    llvm::SmallVectorImpl<const clang::Expr *> &Found);
  bool mayPointToLocal(const clang::Expr *Pointer);
  bool leadsToLocals(const clang::VarDecl *Pointer);
  bool mayVariablePointToLocal(const clang::VarDecl *V);
  bool isParameterOfKernel(const clang::VarDecl *V) const;
  unsigned findConstantsOfLoad(const clang::Expr *E);
  unsigned findConstantsOfCall(const clang::CallExpr *E);
  unsigned findConstantsOfBinary(const clang::BinaryOperator *E);
  unsigned findConstantsOfCast(const clang::CastExpr *E);
  unsigned joinConstants(const void *Key,
                         llvm::ArrayRef<const clang::Expr *> Values);
  unsigned joinConstants(llvm::ArrayRef<const clang::Expr *> Values);
  /// True if each thread executes \p Load once at most, before \p Store.
  bool isSurelyBefore(const clang::Expr *Load, const clang::Expr *Store) const;
  bool anyProduct(llvm::ArrayRef<const clang::Expr *> Values);
  bool areEqualValues(const clang::Expr *A, const clang::Expr *B);
  bool areEqualOperands(const clang::Expr *A, const clang::Expr *B);

  const clang::ASTContext &Context;
  const clang::FunctionDecl *Kernel;
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
  /// Sums, products and quotients of floating-point numbers.
  struct Operation {
    clang::BinaryOperatorKind Kind;
    const clang::Expr *Left, *Right, *E;
  };
  std::vector<Operation> Operations;
  /// Variables that are compared: where they are equal to a constant, compilers
  /// know them (Tested), and where they are less, their sign (Ordered).
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Tested, Ordered;
  llvm::SmallPtrSet<const void *, 8> Open; ///< That are being looked at.
  llvm::SmallPtrSet<const void *, 8> OpenPointers;
  llvm::DenseMap<const void *, unsigned> OpenConstants; ///< As known so far.
  /// Of all questions about one array.
  static constexpr unsigned MaxSteps = 1 << 22;
  unsigned Steps = 0; ///< Of all questions.
  llvm::DenseSet<std::pair<const clang::Expr *, const clang::Expr *>> Compared;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_PRODUCTFLOW_H
