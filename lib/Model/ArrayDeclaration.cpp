// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the declarations of shared arrays: their shapes, the members of struct
/// elements, and what forbids any change from the start.
//===----------------------------------------------------------------------===//

#include "ArrayDeclaration.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace cudaopt {

/// Returns true if values of the type can be moved freely: scalars, the
/// toolkit's half types, and aggregates of such.
static bool isSupportedElement(QualType Type) {
  Type = Type.getCanonicalType();
  if (Type->isDependentType() || Type->isScalarType())
    return true;
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Record->isUnion())
    return false;
  StringRef Name = Record->getIdentifier() ? Record->getName() : "";
  if (Name.starts_with("__half") || Name.starts_with("__nv_bfloat16"))
    return true;
  if (!Record->isAggregate() || Record->getNumBases())
    return false;
  return llvm::all_of(Record->fields(), [](const FieldDecl *Field) {
    QualType T = Field->getType();
    while (const ArrayType *Array = T->getAsArrayTypeUnsafe())
      T = Array->getElementType();
    return isSupportedElement(T);
  });
}

/// Returns the members of a struct of scalars; none for other types.
static llvm::SmallVector<FieldShape, 4> getFields(QualType Type,
                                                  const ASTContext &Context) {
  llvm::SmallVector<FieldShape, 4> Fields;
  const auto *Record = Type.getCanonicalType()->getAsCXXRecordDecl();
  if (!Record || !Record->isAggregate() || Record->getNumBases() ||
      Record->isUnion())
    return {};
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(Record);
  for (const FieldDecl *Field : Record->fields()) {
    QualType Member = Field->getType();
    if (!Member->isScalarType() || Field->isBitField() ||
        !Field->getIdentifier() || Member.isVolatileQualified())
      return {};
    unsigned Offset = Layout.getFieldOffset(Field->getFieldIndex()) / 8;
    unsigned Size = Context.getTypeSizeInChars(Member).getQuantity();
    unsigned Alignment = Context.getTypeAlignInChars(Member).getQuantity();
    Fields.push_back({Field->getName().str(), Offset, Size, Alignment});
  }
  return Fields;
}

/// Returns the argument of `CUDAOPT_LAYOUT(name)` in front of a declaration; an
/// empty string without one.
static std::string getWantedLayout(const VarDecl *Var) {
  for (const auto *Mark : Var->specific_attrs<AnnotateAttr>()) {
    StringRef Text = Mark->getAnnotation();
    if (Text.consume_front("cudaopt::layout="))
      return Text.str();
  }
  return "";
}

/// Returns the type of the array that \p Var names: an array of unknown size
/// for a pointer.
static QualType getArrayType(const VarDecl *Var) {
  QualType Type = Var->getType();
  if (Type->isPointerType())
    return Var->getASTContext().getIncompleteArrayType(
        Type->getPointeeType(), ArraySizeModifier::Normal, 0);
  return Type;
}

ArrayId findOrAddArray(Kernel &K, const VarDecl *Var) {
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id)
    if (K.Arrays[Id].Decl->getLocation() == Var->getLocation())
      return Id;
  SharedArray Array{};
  Array.Decl = Var;
  Array.Name = Var->getNameAsString();
  QualType Element = getArrayType(Var);
  Array.IsExtern = Element->isIncompleteArrayType();
  Array.WantedLayout = getWantedLayout(Var);
  unsigned Dimensions = 0;
  while (const ArrayType *Type = Element->getAsArrayTypeUnsafe()) {
    Element = Type->getElementType();
    ++Dimensions;
  }
  auto refuse = [&](Reason Why, std::string Detail) {
    Array.Refusals.push_back({Why, std::move(Detail), Var->getLocation()});
  };
  if (Var->isFileVarDecl())
    refuse(Reason::FileScope, "");
  if (Dimensions > 4)
    refuse(Reason::TooManyDimensions, "");
  if (!isSupportedElement(Element))
    refuse(Reason::UnsupportedType, Element.getAsString());
  K.Arrays.push_back(std::move(Array));
  return K.Arrays.size() - 1;
}

ArrayShape getDeclaredShape(const VarDecl *Var) {
  const ASTContext &Context = Var->getASTContext();
  ArrayShape Shape;
  QualType Type = getArrayType(Var);
  while (const ConstantArrayType *Array =
             Context.getAsConstantArrayType(Type)) {
    Shape.Extents.push_back(Array->getSize().getZExtValue());
    Type = Array->getElementType();
  }
  while (const ArrayType *Array = Context.getAsArrayType(Type))
    Type = Array->getElementType();
  if (!Type->isDependentType() && !Type->isIncompleteType()) {
    Shape.ElementSize = Context.getTypeSizeInChars(Type).getQuantity();
    Shape.Fields = getFields(Type, Context);
  }
  return Shape;
}

bool exceedsMemory(const ArrayShape &Shape) {
  uint64_t Bytes = Shape.ElementSize;
  for (uint64_t Extent : Shape.Extents)
    Bytes = llvm::SaturatingMultiply(Bytes, Extent);
  return Bytes > 1 << 20;
}

void setSize(ArrayShape &Shape, const VarDecl *Var, uint64_t Bytes) {
  const ASTContext &Context = Var->getASTContext();
  const ArrayType *Outermost =
      Context.getAsIncompleteArrayType(getArrayType(Var));
  if (!Outermost || !Shape.ElementSize)
    return;
  QualType Row = Outermost->getElementType();
  Shape.Extents = {Bytes / Context.getTypeSizeInChars(Row).getQuantity()};
  while (const ConstantArrayType *Array = Context.getAsConstantArrayType(Row)) {
    Shape.Extents.push_back(Array->getSize().getZExtValue());
    Row = Array->getElementType();
  }
}

void setDynamicSize(ArrayShape &Shape, const VarDecl *Var, uint64_t Bytes) {
  setSize(Shape, Var, Bytes);
  if (Bytes < Shape.ElementSize ||
      (Shape.Extents.size() > 1 &&
       Shape.numElements() * Shape.ElementSize != Bytes))
    Shape.Extents.clear();
}

} // namespace cudaopt
