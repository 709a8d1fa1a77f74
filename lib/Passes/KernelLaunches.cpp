// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Matches the mentions of a kernel with the launches in the AST: a mention
/// that is no launch may be a function pointer, through which any launch is
/// possible.
//===----------------------------------------------------------------------===//

#include "KernelLaunches.h"

#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Model/CallTable.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace clang;
using llvm::Error;

/// Returns the block in which \p E is a statement of its own, and the function
/// around it; null for what does not exist.
static std::pair<const CompoundStmt *, const FunctionDecl *>
findSurroundings(const Expr *E, ASTContext &Context) {
  const CompoundStmt *Block = nullptr;
  bool IsStatement = true;
  for (DynTypedNode Node = DynTypedNode::create(*E);;) {
    const DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty())
      return {Block, nullptr};
    Node = Parents[0];
    if (const auto *Function = Node.get<FunctionDecl>())
      return {Block, Function};
    if (!IsStatement || Node.get<ExprWithCleanups>())
      continue;
    Block = Node.get<CompoundStmt>();
    IsStatement = false;
  }
}

/// Returns true if \p Type has a qualified name that is valid anywhere in the
/// file: a local or unnamed type has none.
static bool isNameable(QualType Type) {
  Type = Type.getCanonicalType();
  if (Type->isPointerType())
    return isNameable(Type->getPointeeType());
  const TagDecl *Tag = Type->getAsTagDecl();
  return Type->isBuiltinType() ||
         (Tag && Tag->getIdentifier() &&
          !isa<ClassTemplateSpecializationDecl>(Tag) &&
          Tag->getDeclContext()->getRedeclContext()->isFileContext());
}

/// Returns the template arguments of \p Instance as text, "<float, 4>";
/// std::nullopt if some argument cannot be written.
static std::optional<std::string> writeArguments(const FunctionDecl *Instance) {
  const ASTContext &Context = Instance->getASTContext();
  llvm::SmallVector<std::string, 4> Texts;
  for (const TemplateArgument &Each :
       Instance->getTemplateSpecializationArgs()->asArray()) {
    if (Each.getKind() == TemplateArgument::Type &&
        isNameable(Each.getAsType()))
      Texts.push_back(TypeName::getFullyQualifiedName(
          Each.getAsType(), Context, PrintingPolicy(Context.getLangOpts())));
    else if (Each.getKind() == TemplateArgument::Integral &&
             !Each.getIntegralType()->isEnumeralType())
      Texts.push_back(llvm::toString(Each.getAsIntegral(), 10));
    else
      return std::nullopt;
  }
  return "<" + llvm::join(Texts, ", ") + ">";
}

/// Returns text that names the instance to which \p Ref refers even where
/// template arguments cannot be deduced from call arguments; std::nullopt if
/// there is no such text.
static std::optional<std::string> nameInstance(const DeclRefExpr *Ref,
                                               const FunctionDecl *Around) {
  const auto *Instance = cast<FunctionDecl>(Ref->getDecl());
  const ASTContext &Context = Instance->getASTContext();
  auto textOf = [&](SourceRange Range) {
    return Lexer::getSourceText(CharSourceRange::getTokenRange(Range),
                                Context.getSourceManager(),
                                Context.getLangOpts())
        .str();
  };
  const TemplateArgumentList *Arguments =
      Instance->getTemplateSpecializationArgs();
  if (!Arguments || Ref->getNumTemplateArgs() == Arguments->size())
    return textOf(Ref->getSourceRange());
  // In a template, the same text names other instances in other instantiations.
  if (Around->getTemplateInstantiationPattern())
    return std::nullopt;
  std::optional<std::string> Texts = writeArguments(Instance);
  if (!Texts)
    return std::nullopt;
  return textOf({Ref->getBeginLoc(), Ref->getLocation()}) + *Texts;
}

/// Returns \p Launch as a DynamicLaunch. Fails if its text cannot be edited to
/// ask for memory.
static llvm::Expected<DynamicLaunch> describe(const CUDAKernelCallExpr *Launch,
                                              ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = Launch->getBeginLoc();
  const std::string Where =
      "line " + std::to_string(SM.getExpansionLineNumber(Begin));
  if (!Begin.isFileID() || !SM.isInMainFile(Begin))
    return llvm::createStringError("a macro or a header launches it");
  const auto [Block, Around] = findSurroundings(Launch, Context);
  if (!Block || !Around)
    return llvm::createStringError("the launch of " + Where +
                                   " is no statement of a block");
  if (isLambdaCallOperator(Around))
    return llvm::createStringError("the launch of " + Where +
                                   " stands in a lambda");
  if (Around->hasAttr<CUDAGlobalAttr>() || Around->hasAttr<CUDADeviceAttr>())
    return llvm::createStringError("the device launches it");
  const CallExpr *Config = Launch->getConfig();
  const Expr *Bytes = Config->getNumArgs() > 2 ? Config->getArg(2) : nullptr;
  Expr::EvalResult Value;
  if (Bytes && !isa<CXXDefaultArgExpr>(Bytes) &&
      (!Bytes->EvaluateAsInt(Value, Context) || Value.Val.getInt() != 0))
    return llvm::createStringError("the launch of " + Where +
                                   " has dynamic memory already");
  const auto *Ref =
      dyn_cast<DeclRefExpr>(Launch->getCallee()->IgnoreParenImpCasts());
  std::optional<std::string> Name =
      Ref ? nameInstance(Ref, Around) : std::nullopt;
  if (!Name)
    return llvm::createStringError("at " + Where +
                                   " no text names the instance");
  return DynamicLaunch{Launch, std::move(*Name)};
}

/// Returns a launch of \p K that another file of the scanned program makes;
/// null if there is none.
static const PlacedLaunch *findOtherLaunch(const Kernel &K,
                                           const SourceManager &SM) {
  const auto Main = SM.getFileEntryRefForID(SM.getMainFileID());
  if (!K.InProgram || !Main)
    return nullptr;
  const auto Found =
      llvm::find_if(K.InProgram->Launches, [&](const PlacedLaunch &Launch) {
        return Launch.File != Main->getFileEntry().tryGetRealPathName();
      });
  return Found == K.InProgram->Launches.end() ? nullptr : &*Found;
}

/// Fails if not all launches of \p K are known, or if the kernel cannot get
/// dynamic memory.
static Error checkKernel(const Kernel &K, const SourceManager &SM) {
  if (llvm::any_of(K.Arrays, [](const SharedArray &A) { return A.IsExtern; }))
    return llvm::createStringError("the kernel has dynamic memory already");
  if (K.WhyOpen == Reason::LaunchedElsewhere)
    return llvm::createStringError(
        "another file may launch the kernel, which is not static");
  if (K.WhyOpen)
    return llvm::createStringError("its address may be launched elsewhere");
  if (const PlacedLaunch *Other = findOtherLaunch(K, SM))
    return llvm::createStringError("'" + Other->File + "' launches it, too");
  for (const FunctionDecl *Each : K.Decl->redecls())
    if (!SM.isInMainFile(SM.getExpansionLoc(Each->getLocation())))
      return llvm::createStringError("a header declares the kernel");
  if (!K.Decl->getDeclContext()->lookup(K.Decl->getDeclName()).isSingleResult())
    return llvm::createStringError("several functions have the kernel's name");
  return Error::success();
}

llvm::Expected<std::vector<DynamicLaunch>>
cudaopt::findEditableLaunches(const Kernel &K, ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (Error Failed = checkKernel(K, SM))
    return std::move(Failed);
  // By the expression that names the kernel.
  llvm::DenseMap<const Expr *, const CUDAKernelCallExpr *> ByCallee;
  for (const CUDAKernelCallExpr *Launch :
       ownNodes<CUDAKernelCallExpr>(Context, {.Instances = true}))
    if (!Launch->isTypeDependent() && Launch->getDirectCallee())
      ByCallee[Launch->getCallee()->IgnoreParenImpCasts()] = Launch;
  const CallTable Calls(Context, [](const FunctionDecl *) { return false; });
  std::vector<DynamicLaunch> Launches;
  llvm::SmallVector<SourceLocation, 4> Places, OfTemplates;
  for (const CallTable::Mention &M : Calls.mentionsOf(K.Decl)) {
    if (M.IsDependent) {
      OfTemplates.push_back(M.Loc);
      continue;
    }
    auto Launch = ByCallee.find(M.Ref);
    if (!M.Ref || Launch == ByCallee.end())
      return llvm::createStringError(
          "line " + std::to_string(SM.getExpansionLineNumber(M.Loc)) +
          " names the kernel other than to launch it");
    llvm::Expected<DynamicLaunch> Each = describe(Launch->second, Context);
    if (!Each)
      return Each.takeError();
    Launches.push_back(std::move(*Each));
    Places.push_back(M.Loc);
  }
  if (!llvm::all_of(OfTemplates, [&](SourceLocation Loc) {
        return llvm::is_contained(Places, Loc);
      }))
    return llvm::createStringError(
        "a template without instances launches the kernel");
  if (Launches.empty())
    return llvm::createStringError("no launch is in this file");
  return Launches;
}
