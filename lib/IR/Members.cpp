// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the scalars that types of clang consist of, from clang's record
/// layouts.
//===----------------------------------------------------------------------===//

#include "Members.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace cudaopt::ir;
using namespace llvm;

static constexpr size_t MaxMembers = 16;

uint64_t cudaopt::ir::sizeOf(clang::QualType T,
                             const clang::ASTContext &Context) {
  T = T.getNonReferenceType();
  if (T->isIncompleteType() || T->isFunctionType() || T->isVoidType() ||
      T->isVariablyModifiedType() || T->isDependentType() ||
      T->isUndeducedType() || T->isPlaceholderType())
    return 0;
  return Context.getTypeSizeInChars(T).getQuantity();
}

Type cudaopt::ir::typeOf(clang::QualType T, const clang::ASTContext &Context) {
  T = T.getCanonicalType();
  if (T->isVoidType())
    return {};
  if (T->isReferenceType() || T->isPointerType() || T->isNullPtrType() ||
      T->isFunctionType() || T->isArrayType())
    return Type::pointer();
  if (const auto *Enum = T->getAsEnumDecl();
      Enum && !Enum->getIntegerType().isNull())
    T = Enum->getIntegerType().getCanonicalType();
  if (T->isBooleanType())
    return Type::boolean();
  if (T->isIntegralOrEnumerationType() && !T->isIncompleteType())
    return Type::integer(T->isSignedIntegerOrEnumerationType(),
                         Context.getIntWidth(T));
  // Not a double, even where it is as wide: elsewhere it is not.
  if (T->isSpecificBuiltinType(clang::BuiltinType::LongDouble))
    return {Type::Float, true, 128};
  if (T->isRealFloatingType())
    return {Type::Float, true,
            APFloat::getSizeInBits(Context.getFloatTypeSemantics(T)),
            &Context.getFloatTypeSemantics(T) == &APFloat::BFloat()};
  return Type::aggregate(sizeOf(T, Context));
}

bool cudaopt::ir::hasVolatile(clang::QualType T,
                              const clang::ASTContext &Context) {
  T = Context.getBaseElementType(T);
  const auto *Class =
      dyn_cast_or_null<clang::CXXRecordDecl>(T->getAsRecordDecl());
  if (T.isVolatileQualified() || !Class || !Class->hasDefinition())
    return T.isVolatileQualified();
  return any_of(Class->bases(),
                [&](const clang::CXXBaseSpecifier &Base) {
                  return hasVolatile(Base.getType(), Context);
                }) ||
         any_of(Class->fields(), [&](const clang::FieldDecl *Field) {
           return hasVolatile(Field->getType(), Context);
         });
}

std::optional<BitField>
cudaopt::ir::findBits(const clang::FieldDecl *Field,
                      const clang::ASTContext &Context) {
  const clang::ASTRecordLayout &Layout =
      Context.getASTRecordLayout(Field->getParent());
  // [Begin, End) are the bits of the current run of adjacent bit-fields. A
  // member of another kind, or a bit-field of width 0, ends the run.
  uint64_t Begin = 0, End = 0;
  bool IsInside = false, IsFound = false;
  for (const clang::FieldDecl *Each : Field->getParent()->fields()) {
    const bool IsPart = Each->isBitField() && Each->getBitWidthValue() != 0;
    if (!IsPart && IsFound)
      break;
    const uint64_t At = Layout.getFieldOffset(Each->getFieldIndex());
    if (IsPart && !IsInside)
      Begin = At / 8 * 8;
    if (IsPart)
      End = At + Each->getBitWidthValue();
    IsInside = IsPart;
    IsFound |= Each == Field;
  }
  const uint64_t Bytes = (End - Begin + 7) / 8;
  if (!IsFound || Bytes > 8)
    return std::nullopt;
  const uint64_t At = Layout.getFieldOffset(Field->getFieldIndex());
  return BitField{{Begin / 8, Bytes, Type::integer(false, 8 * Bytes)},
                  static_cast<unsigned>(At - Begin),
                  Field->getBitWidthValue()};
}

/// Appends the scalars of \p T, which lies \p Offset bytes behind the beginning
/// of the whole. Returns false if \p T cannot be split (see membersOf()).
static bool addMembers(clang::QualType T, uint64_t Offset,
                       const clang::ASTContext &Context,
                       SmallVectorImpl<Member> &Members) {
  if (Members.size() > MaxMembers || T.isVolatileQualified())
    return false;
  if (const auto *Array = Context.getAsConstantArrayType(T)) {
    const uint64_t Size = Array->getZExtSize();
    const uint64_t Step = sizeOf(Array->getElementType(), Context);
    for (uint64_t I = 0; I < Size; ++I)
      if (!addMembers(Array->getElementType(), Offset + I * Step, Context,
                      Members))
        return false;
    return true;
  }
  const Type Ty = typeOf(T, Context);
  if (Ty.What != Type::Aggregate) {
    Members.push_back(
        {Offset, T->isReferenceType() ? 8 : sizeOf(T, Context), Ty});
    return !T->isArrayType();
  }
  const auto *Class =
      dyn_cast_or_null<clang::CXXRecordDecl>(T->getAsRecordDecl());
  if (!Class || Class->isUnion() || Class->getNumVBases() ||
      Class->isDynamicClass())
    return false;
  const clang::ASTRecordLayout &Layout = Context.getASTRecordLayout(Class);
  for (const clang::CXXBaseSpecifier &Base : Class->bases())
    if (!addMembers(
            Base.getType(),
            Offset +
                Layout.getBaseClassOffset(Base.getType()->getAsCXXRecordDecl())
                    .getQuantity(),
            Context, Members))
      return false;
  for (const clang::FieldDecl *Field : Class->fields())
    if (Field->isBitField()) {
      // Bit-fields of one location follow one another, so that a location is
      // added once.
      // The first of those that share bytes stands for all.
      const std::optional<BitField> Bits =
          Field->getBitWidthValue() ? findBits(Field, Context) : std::nullopt;
      if (Field->getBitWidthValue() && !Bits)
        return false;
      if (Bits && Bits->Shift < 8 &&
          (Members.empty() ||
           Members.back().Offset != Offset + Bits->Location.Offset))
        Members.push_back({Offset + Bits->Location.Offset, Bits->Location.Width,
                           Bits->Location.Ty});
    } else if (!addMembers(
                   Field->getType(),
                   Offset + Layout.getFieldOffset(Field->getFieldIndex()) / 8,
                   Context, Members)) {
      return false;
    }
  return true;
}

std::optional<SmallVector<Member, 4>>
cudaopt::ir::membersOf(clang::QualType T, const clang::ASTContext &Context) {
  SmallVector<Member, 4> Members;
  if (T.isNull() || !addMembers(T, 0, Context, Members) ||
      Members.size() > MaxMembers)
    return std::nullopt;
  return Members;
}
