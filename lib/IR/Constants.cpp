// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the scalar at a byte offset in the initialiser of a constant variable.
/// Clang has evaluated the initialiser to an APValue, a tree of members and
/// elements, in which the search descends by the layout of the type.
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "Members.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace cudaopt::ir;
using clang::APValue;

namespace {

/// Finds the scalar at a byte offset in a value of clang's constant evaluator,
/// which is structured by members and elements and knows no bytes.
class ScalarFinder {
public:
  ScalarFinder(Type Ty, const clang::ASTContext &Context)
      : Ty(Ty), Context(Context) {}

  /// Returns the part of \p V, a value of type \p T, that is a scalar of type
  /// Ty and begins \p Offset bytes behind its beginning; null if there is none.
  const APValue *find(const APValue &V, clang::QualType T, uint64_t Offset) {
    if (const auto *Array = Context.getAsConstantArrayType(T))
      return V.isArray() ? findElement(V, Array->getElementType(), Offset)
                         : nullptr;
    if (const auto *Class = T->getAsCXXRecordDecl())
      return V.isStruct() ? findMember(V, Class, Offset) : nullptr;
    const bool IsNumber = V.isInt() || V.isFloat();
    return IsNumber && Offset == 0 && typeOf(T, Context) == Ty ? &V : nullptr;
  }

private:
  /// Elements behind the last one that is initialised are the filler.
  const APValue *findElement(const APValue &V, clang::QualType Element,
                             uint64_t Offset) {
    const uint64_t Size = sizeOf(Element, Context);
    if (!Size || Offset / Size >= V.getArraySize())
      return nullptr;
    const uint64_t I = Offset / Size;
    if (I < V.getArrayInitializedElts())
      return find(V.getArrayInitializedElt(I), Element, Offset % Size);
    return V.hasArrayFiller() ? find(V.getArrayFiller(), Element, Offset % Size)
                              : nullptr;
  }

  /// Bit-fields and virtual bases are not looked into.
  const APValue *findMember(const APValue &V, const clang::CXXRecordDecl *Class,
                            uint64_t Offset) {
    const clang::ASTRecordLayout &Layout = Context.getASTRecordLayout(Class);
    const auto Covers = [&](uint64_t Begin, clang::QualType T) {
      return Begin <= Offset && Offset - Begin < sizeOf(T, Context);
    };
    unsigned I = 0;
    for (const clang::CXXBaseSpecifier &Base : Class->bases()) {
      const auto *Of = Base.getType()->getAsCXXRecordDecl();
      const uint64_t Begin =
          Base.isVirtual() ? 0 : Layout.getBaseClassOffset(Of).getQuantity();
      if (Base.isVirtual())
        return nullptr;
      if (Covers(Begin, Base.getType()) && !Of->isEmpty())
        return find(V.getStructBase(I), Base.getType(), Offset - Begin);
      ++I;
    }
    for (const clang::FieldDecl *Field : Class->fields()) {
      const uint64_t Begin = Layout.getFieldOffset(Field->getFieldIndex()) / 8;
      if (!Field->isBitField() && Covers(Begin, Field->getType()))
        return find(V.getStructField(Field->getFieldIndex()), Field->getType(),
                    Offset - Begin);
    }
    return nullptr;
  }

  const Type Ty;
  const clang::ASTContext &Context;
};

} // namespace

std::optional<APValue>
cudaopt::ir::readConstant(const Object &O, uint64_t Offset, Type Ty,
                          const clang::ASTContext &Context) {
  const auto *D = llvm::dyn_cast_or_null<clang::VarDecl>(O.Decl);
  if (!D || !O.IsUnchanged || !D->hasGlobalStorage() || !D->getAnyInitializer())
    return std::nullopt;
  const clang::VarDecl *Initialised = D->getInitializingDeclaration();
  if (!Initialised || Initialised->getInit()->isValueDependent() ||
      !Initialised->hasConstantInitialization())
    return std::nullopt;
  const APValue *Whole = Initialised->evaluateValue();
  const APValue *Found =
      Whole ? ScalarFinder(Ty, Context).find(*Whole, D->getType(), Offset)
            : nullptr;
  return Found ? std::optional(*Found) : std::nullopt;
}
