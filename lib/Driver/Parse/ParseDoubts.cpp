// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the reasons why a parse may not show what the build compiles:
/// macros that differ, options of the host compiler, declarations that clang
/// rejects, and constructs whose meaning differs between the two sides.
//===----------------------------------------------------------------------===//

#include "ParseDoubts.h"

#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <array>

using namespace clang;

namespace cudaopt {

/// Returns true if \p Type has another size or alignment on the host: `long
/// double`, and standard types that are as aligned as the largest type.
static bool dependsOnLongDouble(QualType Type) {
  if (Type.isNull() || Type->isDependentType())
    return false;
  const clang::Type *Base = Type->getBaseElementTypeUnsafe();
  if (Base->isSpecificBuiltinType(BuiltinType::LongDouble))
    return true;
  const CXXRecordDecl *Record = Base->getAsCXXRecordDecl();
  if (!Record)
    return false;
  if (const TypedefNameDecl *Name = Record->getTypedefNameForAnonDecl())
    return Name->getName() == "max_align_t";
  const auto *Around = dyn_cast<CXXRecordDecl>(Record->getDeclContext());
  return llvm::any_of(std::array{Record, Around}, [](const auto *Each) {
    return Each && Each->getIdentifier() &&
           (Each->getName() == "aligned_storage" ||
            Each->getName() == "aligned_union");
  });
}

namespace {

/// Finds what depends on the side that is compiled: bodies that only the device
/// compiles, functions with another function's symbol, and types that the host
/// defines differently.
class SideFinder {
public:
  void visit(const DynTypedNode &N) {
    if (const auto *Function = N.get<FunctionDecl>())
      visitFunction(Function);
    else if (const auto *Assembly = N.get<FileScopeAsmDecl>())
      Alias = Alias ? Alias : Assembly;
    else if (const auto *Property = N.get<MSPropertyRefExpr>())
      visitProperty(Property);
    else if (const auto *Var = N.get<VarDecl>())
      visitVariable(Var);
    else if (const auto *Ref = N.get<DeclRefExpr>())
      visitReference(Ref);
    else if (const auto *E = N.get<CXXNoexceptExpr>())
      visitNoexcept(E);
    // On the device, long double has 8 bytes.
    else if (const auto *TL = N.get<TypeLoc>())
      addType(TL->getType(), TL->getBeginLoc());
    else if (const auto *Literal = N.get<FloatingLiteral>())
      addType(Literal->getType(), Literal->getExprLoc());
    else if (const auto *Call = N.get<CallExpr>())
      addType(Call->getType(), Call->getExprLoc());
  }

  /// Returns a use of `threadIdx` or its like as a whole, other than
  /// `threadIdx.x`; an invalid location if there is none.
  SourceLocation findWholeBuiltin() const {
    for (const DeclRefExpr *Each : Builtins)
      if (!Known.contains(Each))
        return Each->getLocation();
    return {};
  }

  SourceLocation LongDouble, OtherNoexcept;
  std::vector<SourceRange> Bodies, AllBodies;
  const Decl *Alias = nullptr;

private:
  void visitFunction(const FunctionDecl *Function) {
    if (Function->hasAttr<AliasAttr>() || Function->hasAttr<IFuncAttr>() ||
        Function->hasAttr<AsmLabelAttr>())
      Alias = Alias ? Alias : Function;
    if (!Function->doesThisDeclarationHaveABody() || !Function->getBody())
      return;
    AllBodies.push_back(Function->getBody()->getSourceRange());
    if (Function->hasAttr<CUDAGlobalAttr>() ||
        (Function->hasAttr<CUDADeviceAttr>() &&
         !Function->hasAttr<CUDAHostAttr>()))
      Bodies.push_back(AllBodies.back());
  }
  // The types of threadIdx and its like differ between clang and nvcc; only
  // uses of a single member, and copies into dim3 or uint3, are the same for
  // both.
  void visitProperty(const MSPropertyRefExpr *E) {
    const Expr *Base = E->getBaseExpr()->IgnoreParenImpCasts();
    if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Base))
      Base = Opaque->getSourceExpr()->IgnoreParenImpCasts();
    while (const auto *Op = dyn_cast<BinaryOperator>(Base)) {
      if (!Op->isCommaOp())
        break;
      Base = Op->getRHS()->IgnoreParenImpCasts();
    }
    Known.insert(Base);
  }
  void visitVariable(const VarDecl *Var) {
    const Expr *Init = Var->getInit();
    if (Init && isDimension(Var->getType()))
      if (const DeclRefExpr *Ref = findBuiltin(Init))
        Known.insert(Ref);
  }
  void visitReference(const DeclRefExpr *Ref) {
    if (isBuiltin(Ref->getDecl()))
      Builtins.push_back(Ref);
  }
  // Whether functions of the toolkit may throw differs as well. A noexcept
  // operator without calls does not depend on that.
  void visitNoexcept(const CXXNoexceptExpr *E) {
    if (OtherNoexcept.isInvalid() && hasCall(E->getOperand()))
      OtherNoexcept = E->getExprLoc();
  }
  void addType(QualType Type, SourceLocation Loc) {
    if (LongDouble.isInvalid() && dependsOnLongDouble(Type))
      LongDouble = Loc;
  }
  static bool isBuiltin(const ValueDecl *D) {
    const CXXRecordDecl *Record = D->getType()->getAsCXXRecordDecl();
    return isa<VarDecl>(D) && Record && Record->getIdentifier() &&
           Record->getName().starts_with("__cuda_builtin_");
  }
  static bool isDimension(QualType Type) {
    const CXXRecordDecl *Record =
        Type.getNonReferenceType()->getAsCXXRecordDecl();
    return !Type->getContainedAutoType() && Record && Record->getIdentifier() &&
           (Record->getName() == "dim3" || Record->getName() == "uint3");
  }
  static const DeclRefExpr *findBuiltin(const Stmt *S) {
    while (S) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
        return isBuiltin(Ref->getDecl()) ? Ref : nullptr;
      const auto *Construct = dyn_cast<CXXConstructExpr>(S);
      const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
      if (const auto *Wrapped = dyn_cast<FullExpr>(S))
        S = Wrapped->getSubExpr();
      else if (const auto *Made = dyn_cast<MaterializeTemporaryExpr>(S))
        S = Made->getSubExpr();
      else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(S))
        S = Cast->getSubExpr();
      else if (Construct && Construct->getNumArgs() == 1)
        S = Construct->getArg(0);
      else if (Call && isa<CXXConversionDecl>(Call->getMethodDecl()))
        S = Call->getImplicitObjectArgument();
      else
        return nullptr;
    }
    return nullptr;
  }
  static bool hasCall(const Stmt *S) {
    return S && (isa<CallExpr>(S) || llvm::any_of(S->children(), hasCall));
  }

  llvm::DenseSet<const Expr *> Known;
  std::vector<const DeclRefExpr *> Builtins;
};

} // namespace

/// Returns "file:line"; an empty string if the place is unknown.
static std::string tellPlace(SourceLocation Loc, const SourceManager &SM) {
  const PresumedLoc At = SM.getPresumedLoc(SM.getExpansionLoc(Loc));
  if (At.isInvalid())
    return "";
  return (llvm::sys::path::filename(At.getFilename()) + ":" +
          llvm::Twine(At.getLine()))
      .str();
}

static std::string nameWithPlace(StringRef Name, SourceLocation Loc,
                                 const SourceManager &SM) {
  const std::string Place = tellPlace(Loc, SM);
  return ("'" + Name + "'" + (Place.empty() ? "" : " (" + Place + ")")).str();
}

/// Returns true if \p Loc lies between the braces of one of \p Bodies.
static bool isInside(SourceLocation Loc, llvm::ArrayRef<SourceRange> Bodies,
                     const SourceManager &SM) {
  return llvm::any_of(Bodies, [&](SourceRange Body) {
    const SourceLocation Begin = SM.getExpansionLoc(Body.getBegin()),
                         End = SM.getExpansionLoc(Body.getEnd());
    return SM.getFileID(Begin) == SM.getFileID(Loc) &&
           SM.getFileID(End) == SM.getFileID(Loc) && Begin < Loc && Loc < End;
  });
}

/// Returns the first of \p Errors outside function bodies. After such an error
/// clang drops the declaration, so that later uses refer to another one or
/// vanish.
static SourceLocation findErrorOutside(llvm::ArrayRef<SourceLocation> Errors,
                                       llvm::ArrayRef<SourceRange> Bodies,
                                       const SourceManager &SM) {
  for (SourceLocation Each : Errors)
    if (Each.isInvalid() || !isInside(SM.getExpansionLoc(Each), Bodies, SM))
      return Each;
  return {};
}

/// Only the first doubt about the text is kept, because one suffices to leave
/// everything unchanged.
ParseDoubts findParseDoubts(const MacroMentions &Mentions,
                            const CompileCommand &Command,
                            llvm::ArrayRef<SourceLocation> Errors,
                            const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  ParseDoubts Result;
  SideFinder Sides;
  for (const Decl *D : listOwnDeclarations(Context))
    forEachNode(D, [&](const DynTypedNode &N) { Sides.visit(N); });
  const std::optional<MacroMention> &Macro =
      Mentions.OfCompiler || !Command.HasDirectives ? Mentions.OfCompiler
                                                    : Mentions.OfDirectives;
  if (Macro)
    Result.OfText = "it asks for " + nameWithPlace(Macro->Name, Macro->Loc, SM);
  else if (!Command.HostOption.empty())
    Result.OfText = "the host compiler gets " + Command.HostOption;
  else if (SourceLocation At = findErrorOutside(Errors, Sides.AllBodies, SM);
           At.isValid())
    Result.OfText =
        "clang does not accept the declaration at " + tellPlace(At, SM);
  if (!Context.getLangOpts().CUDA)
    return Result; // The file is compiled for the host alone.
  if (Result.OfText.empty() && Sides.OtherNoexcept.isValid())
    Result.OfText = "it asks " +
                    nameWithPlace("noexcept", Sides.OtherNoexcept, SM) +
                    " of a call";
  if (SourceLocation At = Sides.findWholeBuiltin();
      Result.OfText.empty() && At.isValid())
    Result.OfText =
        "it uses 'threadIdx', or its like, as a whole at " + tellPlace(At, SM);
  for (const MacroMention &Each : Mentions.OfArch) {
    const std::string Text = nameWithPlace(Each.Name, Each.Loc, SM);
    if (Each.AsksValue && !Command.HasArch && Result.OfText.empty())
      Result.OfText =
          "it asks for " + Text + ", and the command does not say which GPU";
    if (Result.OfHostText.empty() && !isInside(Each.Loc, Sides.Bodies, SM))
      Result.OfHostText =
          "it asks for " + Text + ", which the host does not have";
  }
  if (Sides.LongDouble.isValid())
    Result.OfHostValues =
        "it uses " + nameWithPlace("long double", Sides.LongDouble, SM);
  if (!Command.IncludedBy.empty())
    Result.OfHostValues = "'" + Command.IncludedBy + "' may include it";
  if (Sides.Alias)
    Result.OfHostValues = "it gives a function another name at " +
                          nameWithPlace("asm", Sides.Alias->getLocation(), SM);
  return Result;
}

} // namespace cudaopt
