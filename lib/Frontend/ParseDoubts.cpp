// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParseDoubts.h"

#include "cudaopt/Model/OwnDeclarations.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <array>

using namespace clang;

namespace cudaopt {

/// True for types that have another size or alignment on the host, wherever
/// types of the user have them as members.
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

/// Finds the bodies that only the device compiles, and functions that have
/// another function's symbol, and types that the host has otherwise.
class SideFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitFunctionDecl(FunctionDecl *Function) override {
    if (Function->hasAttr<AliasAttr>() || Function->hasAttr<IFuncAttr>() ||
        Function->hasAttr<AsmLabelAttr>())
      Alias = Alias ? Alias : Function;
    const bool IsOfDevice = Function->hasAttr<CUDAGlobalAttr>() ||
                            (Function->hasAttr<CUDADeviceAttr>() &&
                             !Function->hasAttr<CUDAHostAttr>());
    if (IsOfDevice && Function->doesThisDeclarationHaveABody())
      Bodies.push_back(Function->getBody()->getSourceRange());
    return true;
  }
  bool VisitFileScopeAsmDecl(FileScopeAsmDecl *Assembly) override {
    Alias = Alias ? Alias : Assembly;
    return true;
  }
  // The device's long double has 8 bytes.
  bool VisitTypeLoc(TypeLoc TL) override {
    if (LongDouble.isInvalid() && dependsOnLongDouble(TL.getType()))
      LongDouble = TL.getBeginLoc();
    return true;
  }
  bool VisitFloatingLiteral(FloatingLiteral *E) override {
    if (LongDouble.isInvalid() && dependsOnLongDouble(E->getType()))
      LongDouble = E->getExprLoc();
    return true;
  }
  bool VisitCallExpr(CallExpr *E) override {
    if (LongDouble.isInvalid() && dependsOnLongDouble(E->getType()))
      LongDouble = E->getExprLoc();
    return true;
  }
  SourceLocation LongDouble;
  std::vector<SourceRange> Bodies;
  const Decl *Alias = nullptr;
};

} // namespace

static std::string nameWithPlace(StringRef Name, SourceLocation Loc,
                                 const SourceManager &SM) {
  const PresumedLoc At = SM.getPresumedLoc(SM.getExpansionLoc(Loc));
  if (At.isInvalid())
    return ("'" + Name + "'").str();
  return ("'" + Name + "' (" + llvm::sys::path::filename(At.getFilename()) +
          ":" + llvm::Twine(At.getLine()) + ")")
      .str();
}

/// True if \p Loc lies between the braces of one of \p Bodies.
static bool isInside(SourceLocation Loc, llvm::ArrayRef<SourceRange> Bodies,
                     const SourceManager &SM) {
  return llvm::any_of(Bodies, [&](SourceRange Body) {
    const SourceLocation Begin = SM.getExpansionLoc(Body.getBegin()),
                         End = SM.getExpansionLoc(Body.getEnd());
    return SM.getFileID(Begin) == SM.getFileID(Loc) &&
           SM.getFileID(End) == SM.getFileID(Loc) && Begin < Loc && Loc < End;
  });
}

ParseDoubts findParseDoubts(const MacroMentions &Mentions,
                            const CompileCommand &Command,
                            const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  ParseDoubts Result;
  SideFinder Sides;
  for (Decl *D : listOwnDeclarations(Context))
    Sides.TraverseDecl(D);
  const std::optional<MacroMention> &Macro =
      Mentions.OfCompiler || !Command.HasDirectives ? Mentions.OfCompiler
                                                    : Mentions.OfDirectives;
  if (Macro)
    Result.OfText = "it asks for " + nameWithPlace(Macro->Name, Macro->Loc, SM);
  else if (!Command.HostOption.empty())
    Result.OfText = "the host compiler gets " + Command.HostOption;
  if (!Context.getLangOpts().CUDA)
    return Result; // It is a file for the host alone.
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
