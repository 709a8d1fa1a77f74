// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Paths: the variables and fields that a host loop uses and does not declare.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/HostLoop.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudaopt {

std::string HostPath::text() const {
  std::string Text = Root ? Root->getNameAsString() : "this";
  QualType Type = Root ? Root->getType() : QualType();
  for (const FieldDecl *Field : Fields) {
    const bool IsPointer =
        Type.isNull() || Type.getNonReferenceType()->isPointerType();
    Text += (IsPointer ? "->" : ".") + Field->getNameAsString();
    Type = Field->getType();
  }
  return Text;
}

std::string HostPath::name() const {
  std::string Name = Root ? Root->getNameAsString() : "";
  for (const FieldDecl *Field : Fields)
    Name += (Name.empty() ? "" : "_") + Field->getNameAsString();
  return Name;
}

/// Returns the type as declared, a reference included.
static QualType getDeclaredType(const HostPath &Path) {
  return Path.Fields.empty() ? Path.Root->getType()
                             : Path.Fields.back()->getType();
}

QualType HostPath::type() const {
  return getDeclaredType(*this).getNonReferenceType();
}

bool HostPath::isConstant() const {
  // A reference type is never const.
  return getDeclaredType(*this).isConstQualified();
}

bool HostPath::isOwnVariable() const {
  return Root && Fields.empty() && Root->hasLocalStorage() &&
         !Root->getType()->isReferenceType();
}

/// Returns \p E without parentheses and the implicit casts that only read a
/// value or add qualifiers.
static const Expr *strip(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
    if (!Cast || (Cast->getCastKind() != CK_LValueToRValue &&
                  Cast->getCastKind() != CK_NoOp))
      return E;
    E = Cast->getSubExpr();
  }
}

std::optional<HostPath> getHostPath(const Expr *E) {
  E = strip(E);
  if (const auto *Use = dyn_cast<DeclRefExpr>(E)) {
    const auto *Root = dyn_cast<VarDecl>(Use->getDecl());
    if (!Root || Use->hasQualifier())
      return std::nullopt;
    return HostPath{Root, {}};
  }
  const auto *Member = dyn_cast<MemberExpr>(E);
  if (!Member)
    return std::nullopt;
  if (const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl()))
    return HostPath{Static, {}};
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  if (!Field || Field->getDeclName().isEmpty())
    return std::nullopt;
  std::optional<HostPath> Base;
  if (isa<CXXThisExpr>(strip(Member->getBase())))
    Base = HostPath();
  else
    Base = getHostPath(Member->getBase());
  if (Base)
    Base->Fields.push_back(Field);
  return Base;
}

} // namespace cudaopt
