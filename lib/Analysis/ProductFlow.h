// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which values of a kernel may be unrounded products: values that the compiler
/// may still fuse with a sum into one multiply-add. The question is asked about
/// values that the kernel stores to a shared array which is about to become a
/// variable (StoredProducts.h).
///
/// The analysis is a flow-insensitive walk backwards, from a value to all
/// values that it may be a copy of: through variables, memory, calls and
/// operations that compilers may fold. "May be a product" is the conservative
/// answer.
///
/// \verbatim
///   float p = a * b;
///   s[t] = p;             mayBeProduct(p): true
///   s[t] = c + d;         mayBeProduct(c + d): false, unless one of them may
///                         be 0 and the other a product
///   s[t] = a * b;         false, and Direct gets `a * b`, whose text can be
///                         edited
/// \endverbatim
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

/// Returns the variable at the root of a chain of members and subscripts: `v`
/// for `v`, `v.x` and `v[i].y`, also if v is a pointer that is subscripted.
/// Returns null if the chain contains `->` or `*`, or starts with no variable.
const clang::VarDecl *getRootVariable(const clang::Expr *E);

/// Returns true for floating-point products of built-in types: `a * b`,
/// `x *= b`, and quotients by powers of two, which compilers turn into
/// products.
bool isProduct(const clang::Expr *E, const clang::ASTContext &Context);
/// Returns true for `a * b` of the toolkit's 16-bit types (isShortType).
bool isShortProduct(const clang::Expr *E);

/// Returns true for `__half`, `__nv_bfloat16` and their vectors of two.
bool isShortType(clang::QualType Type);
/// Returns the operation of `a + b` and of `a += b`: BO_Add for both.
clang::BinaryOperatorKind getOperation(const clang::BinaryOperator *E);

/// The constants that compilers may find a value to be, as a bit set.
/// Operations on them may fold and leave just the other operand.
enum FoldedConstant : unsigned {
  Opaque = 0, ///< No constant: the value is known at run time only.
  PlusZero = 1,
  MinusZero = 2,
  One = 4,   ///< 1 or -1.
  Power = 8, ///< Another power of two.
  OtherNumber = 16,
  Two = 32, ///< 2 or -2: for compilers, 2 * x is x + x.
  AnyConstant = 63,
};

/// The flow of values through the variables and the memory of a kernel and the
/// functions that it calls, without regard to the order of statements.
class ProductFlow {
public:
  /// \p Held is the kernel's array in question. What is loaded from it counts
  /// as rounded, since the new text rounds what is stored. \p Approximates says
  /// that the compiler may turn any quotient into a product.
  ProductFlow(const clang::FunctionDecl *Kernel, const clang::VarDecl *Held,
              bool Approximates);

  /// Returns true if the value of \p E may be an unrounded product. With
  /// \p Direct, products that E's own text spells are added to that instead,
  /// and the result tells whether there may be any others.
  bool mayBeProduct(const clang::Expr *E,
                    llvm::SmallVectorImpl<const clang::Expr *> *Direct);

  /// Returns the set of constants, as bits of FoldedConstant, that compilers
  /// may find \p E to be.
  unsigned findConstants(const clang::Expr *E);
  /// Returns an operation on a value of Held that may fold to a product, once
  /// compilers see the constant that was stored; null if there is none.
  const clang::Expr *findFoldedUse();

  /// The values that are stored to Held.
  llvm::ArrayRef<const clang::Expr *> storedValues() const { return Stored; }

  /// Returns true if references or pointers to elements of Held exist.
  bool isHeldReached() const {
    return llvm::any_of(Reached,
                        [&](const clang::VarDecl *V) { return isHeld(V); });
  }

  /// A product of the kernel's text.
  struct Product {
    const clang::Expr *E;
    bool MeetsSum; ///< Its value may reach a sum.
  };
  llvm::ArrayRef<Product> products() const { return Products; }
  /// Returns true if the value of \p E may depend on an element of Held.
  bool dependsOnHeld(const clang::Expr *E);
  /// Returns true if compilers may find that \p A and \p B have the same value,
  /// provided that they see what was stored to Held.
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
  /// Returns true if compilers may fold away \p Operand of \p Op, since it is a
  /// constant, such that a product is left.
  bool mayLeaveProduct(clang::BinaryOperatorKind Op, const clang::Expr *Operand,
                       const clang::Expr *Other, bool IsRight);
  bool hasUnknownSign(const clang::Expr *Product);
  /// Adds the values that the load \p E may yield to \p Found. Returns false if
  /// there may be others.
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
  /// Returns true if each thread executes \p Load at most once, and before
  /// \p Store.
  bool isSurelyBefore(const clang::Expr *Load, const clang::Expr *Store) const;
  bool anyProduct(llvm::ArrayRef<const clang::Expr *> Values);
  bool areEqualValues(const clang::Expr *A, const clang::Expr *B);
  bool areEqualOperands(const clang::Expr *A, const clang::Expr *B);

  const clang::ASTContext &Context;
  const clang::FunctionDecl *Kernel;
  const clang::VarDecl *Held;
  const bool Approximates;
  const clang::SourceRange Body; ///< The kernel's body.
  /// The ranges of the text that a thread may execute repeatedly or out of
  /// order: the loops, or the whole body if it has jumps or lambdas.
  llvm::SmallVector<clang::SourceRange, 4> Repeated;
  /// The values that are assigned to each local variable and to each parameter
  /// of a called function.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Values;
  /// The values that are stored to other memory, by the variable that the text
  /// names; the null key stands for memory that references and computed
  /// pointers lead to.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Memory;
  /// Variables to which references or pointers may lead, so that Values does
  /// not hold all their values.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Reached;
  /// The values that each called function returns.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Returned;
  llvm::SmallVector<const clang::Expr *, 2> Stored; ///< storedValues().
  std::vector<Product> Products;
  /// The floating-point operations of the text: sums, products, quotients.
  struct Operation {
    clang::BinaryOperatorKind Kind;
    const clang::Expr *Left, *Right, *E;
  };
  std::vector<Operation> Operations;
  /// Variables that are compared: where they are equal to a constant, compilers
  /// know them (Tested), and where they are less, their sign (Ordered).
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Tested, Ordered;
  /// The variables and functions on the current path of the recursion, which
  /// ends cycles (`x = x + y`): they add nothing new to an answer.
  llvm::SmallPtrSet<const void *, 8> Open;
  llvm::SmallPtrSet<const void *, 8> OpenPointers; ///< The same for pointers.
  /// The same for findConstants, with the constants that are known so far.
  llvm::DenseMap<const void *, unsigned> OpenConstants;
  /// The effort that all questions about one array may take together, in
  /// visited expressions; beyond it, every answer is the conservative one.
  static constexpr unsigned MaxSteps = 1 << 22;
  unsigned Steps = 0; ///< The effort so far.
  /// The pairs on the current path of mayBeEqual's recursion.
  llvm::DenseSet<std::pair<const clang::Expr *, const clang::Expr *>> Compared;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_PRODUCTFLOW_H
