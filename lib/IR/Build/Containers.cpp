// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers calls of members of the standard library's contiguous containers by
/// name, for passes that edit loops over them (BuildOptions::KeepsText).
///
/// The address of the elements and their number are two queries of a container.
/// Each is a load of the whole container, so that whatever changes a part of it
/// changes the answers. Subscripts and iterators are arithmetic on these:
///
///   v[i]       %1 = load ptr [@v] elements()     then %1 + i * sizeof(T)
///   v.size()   %2 = load u64 [@v] size()
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Members.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Returns true if \p D lies in the namespace \p Space: in `std` itself, or
/// anywhere in another one.
static bool isIn(const clang::Decl &D, StringRef Space) {
  if (Space == "std")
    return D.isInStdNamespace();
  const clang::NamespaceDecl *Outermost = nullptr;
  for (const clang::DeclContext *C = D.getDeclContext(); C; C = C->getParent())
    if (const auto *N = dyn_cast<clang::NamespaceDecl>(C))
      Outermost = N;
  return Outermost && Outermost->getName() == Space;
}

const clang::ClassTemplateSpecializationDecl *
cudaopt::ir::asContainer(const clang::CXXRecordDecl &Class) {
  const auto *D = dyn_cast<clang::ClassTemplateSpecializationDecl>(&Class);
  if (!D || !D->getIdentifier() || D->getTemplateArgs().size() == 0 ||
      D->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return nullptr;
  const StringRef Name = D->getName();
  bool IsKnown = false;
#define CONTAINER(NAMESPACE, NAME)                                             \
  IsKnown |= Name == #NAME && isIn(*D, #NAMESPACE);
#include "KnownCalls.def"
  return IsKnown ? D : nullptr;
}

/// Appends the query \p What of the container at \p This: a load of all its
/// bytes, with a result of type \p T.
ValueId Lowering::askContainer(const clang::CallExpr *E, StringRef What,
                               ValueId This, clang::QualType Class, Type T) {
  Operation O;
  O.What = Operation::Load;
  O.Address = This;
  O.Width = sizeOf(Class);
  O.Result = Builder.result(T);
  O.Why = What;
  O.Where = anchor(E);
  return append(std::move(O)).Result;
}

std::optional<ValueId>
Lowering::lowerContainerCall(const clang::CallExpr *E,
                             const clang::CXXMethodDecl *Callee, ValueId This) {
  const auto *Class =
      Options.KeepsText ? asContainer(*Callee->getParent()) : nullptr;
  if (!Class || !This)
    return std::nullopt;
  const clang::QualType T = E->getType();
  const clang::QualType Whole = Context.getCanonicalTagType(Class);
  const clang::QualType Element = Class->getTemplateArgs()[0].getAsType();
  const uint64_t Bytes = sizeOf(Element);
  // The elements of std::vector<bool> are no objects.
  const bool HoldsBits =
      Class->getName() == "vector" && Element->isBooleanType();
  if (!Bytes || !sizeOf(Whole) || HoldsBits)
    return std::nullopt;
  const auto First = [&] {
    return Class->getName() == "array"
               ? This
               : askContainer(E, "elements", This, Whole, Type::pointer());
  };
  if (Callee->getOverloadedOperator() == clang::OO_Subscript) {
    const ValueId Index = get(E->getArg(1));
    const bool IsElement = E->isLValue() &&
                           Builder.value(Index).Ty.isIntegral() &&
                           Context.hasSameUnqualifiedType(T, Element);
    return IsElement
               ? std::optional(Builder.offset(First(), scale(Index, Bytes)))
               : std::nullopt;
  }
  const unsigned NumArguments =
      E->getNumArgs() - isa<clang::CXXOperatorCallExpr>(E);
  if (!Callee->getIdentifier() || NumArguments != 0)
    return std::nullopt;
  const StringRef Name = Callee->getName();
  if (Name == "size" && T->isIntegerType())
    return askContainer(E, Name, This, Whole, typeOf(T));
  const bool IsEnd = Name == "end" || Name == "cend";
  if (!IsEnd && Name != "begin" && Name != "cbegin" && Name != "data")
    return std::nullopt;
  // The result must be a pointer, or an iterator that is a class around one.
  const auto Members = membersOf(T, Context);
  if (!Members || Members->size() != 1 ||
      Members->front().Ty != Type::pointer())
    return std::nullopt;
  ValueId Pointer = First();
  if (IsEnd) {
    const Type Number = Type::integer(false, 64);
    Pointer = Builder.offset(
        Pointer, scale(askContainer(E, "size", This, Whole, Number), Bytes));
  }
  if (isScalar(T))
    return Pointer;
  const ValueId Iterator = temporary(E, T);
  store(E,
        Builder.offset(Iterator, Builder.literal(Members->front().Offset,
                                                 Type::integer(true, 64))),
        Pointer, Context.getPointerType(Element));
  return Iterator;
}
