// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs clang's code generator on the AST that the pipeline has parsed, so that
/// the IR describes exactly the instances and call targets of that AST.
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"

#include "CrashGuard.h"

#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

using namespace cudaopt;
using namespace clang;

check::SourcePoint cudaopt::makePoint(const SourceManager &SM,
                                      SourceLocation Loc) {
  const PresumedLoc Place = SM.getPresumedLoc(SM.getExpansionLoc(Loc));
  if (Place.isInvalid())
    return {};
  return {llvm::sys::path::filename(Place.getFilename()).str(), Place.getLine(),
          Place.getColumn()};
}

void DeviceCode::note(DeclGroupRef Group) {
  Noted.insert(Noted.end(), Group.begin(), Group.end());
}

/// Returns true if one of \p Errors lies in the text of \p Function.
static bool contains(const SourceManager &SM, const FunctionDecl *Function,
                     llvm::ArrayRef<SourceLocation> Errors) {
  const SourceRange Range = Function->getSourceRange();
  const SourceLocation Begin = SM.getExpansionLoc(Range.getBegin()),
                       End = SM.getExpansionRange(Range.getEnd()).getEnd();
  return llvm::any_of(Errors, [&](SourceLocation Loc) {
    return SM.isPointWithin(SM.getExpansionLoc(Loc), Begin, End);
  });
}

/// Adds the user's functions with a body that \p D is, or contains.
static void addFunctions(Decl *D, llvm::SetVector<FunctionDecl *> &Found) {
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D)) {
    for (Decl *Each : cast<DeclContext>(D)->decls())
      addFunctions(Each, Found);
    return;
  }
  if (auto *Record = dyn_cast<CXXRecordDecl>(D))
    for (Decl *Each : Record->decls())
      addFunctions(Each, Found);
  auto *Function = dyn_cast<FunctionDecl>(D);
  if (Function && Function->doesThisDeclarationHaveABody() &&
      !Function->isDependentContext() && !Function->isInvalidDecl() &&
      !isOfSystem(Function))
    Found.insert(Function);
}

/// Returns true if \p S contains an expression that clang could not analyse.
static bool hasErrors(const Stmt *S) {
  if (const auto *E = dyn_cast_or_null<Expr>(S))
    if (E->containsErrors() || E->getType()->isUndeducedType())
      return true;
  return S && llvm::any_of(S->children(), hasErrors);
}

/// Functions with errors are excluded, because clang's code generator must not
/// see them.
const std::vector<FunctionDecl *> &
DeviceCode::listFunctions(llvm::ArrayRef<SourceLocation> Errors) {
  if (Listed)
    return *Listed;
  const SourceManager &SM = CI.getSourceManager();
  llvm::SetVector<FunctionDecl *> Found;
  for (Decl *D : Noted)
    addFunctions(D, Found);
  Listed.emplace(Found.begin(), Found.end());
  llvm::erase_if(*Listed, [&](const FunctionDecl *Function) {
    return contains(SM, Function, Errors) || hasErrors(Function->getBody());
  });
  return *Listed;
}

/// Returns true if the check may treat \p Function as a known library function:
/// it is compiler-generated, has a body in the toolkit's headers, or is one of
/// the toolkit's intrinsics.
static bool isOfLibrary(const FunctionDecl *Function) {
  if (Function->isImplicit() || Function->isDefaulted())
    return true;
  if (!isOfSystem(Function))
    return false;
  const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
  const auto isDefined = [](const FunctionDecl *Each) {
    return Each->isDefined() || Each->hasSkippedBody();
  };
  const llvm::StringRef Name =
      Function->getIdentifier() ? Function->getName() : "";
  return isDefined(Function) || (Pattern && isDefined(Pattern)) ||
         Name.starts_with("atomic") || Name.starts_with("__pipeline_") ||
         Name.starts_with("__nvvm_") || Name == "memcpy_async" ||
         Name == "load_matrix_sync" || Name == "store_matrix_sync";
}

/// Returns the declaration from which clang generated \p F; null for
/// intrinsics.
static const FunctionDecl *findFunction(const llvm::Function &F,
                                        CodeGenerator &Generator) {
  return dyn_cast_or_null<FunctionDecl>(
      F.isIntrinsic() ? nullptr : Generator.GetDeclForMangledName(F.getName()));
}

/// Maps names of the IR back to the source: variables with their declarations,
/// and library functions with their unmangled names.
static check::SymbolTable nameSymbols(const llvm::Module &M,
                                      CodeGenerator &Generator,
                                      const SourceManager &SM) {
  check::SymbolTable Result;
  for (const llvm::GlobalVariable &V : M.globals())
    if (const auto *Var = dyn_cast_or_null<VarDecl>(
            Generator.GetDeclForMangledName(V.getName())))
      Result.Variables[V.getName()] = {
          Var->getNameAsString(),
          makePoint(SM, Var->getCanonicalDecl()->getLocation())};
  for (const llvm::Function &F : M)
    if (const FunctionDecl *Function = findFunction(F, Generator);
        Function && isOfLibrary(Function))
      Result.Library[F.getName()] = Function->getNameAsString();
  return Result;
}

/// Gives kernels with internal linkage the names by which claims know them:
/// with relocatable code, clang appends a hash of the file to such names.
static void renameKernels(llvm::Module &M, CodeGenerator &Generator,
                          ASTContext &AST) {
  ASTNameGenerator Names(AST);
  std::vector<std::pair<llvm::Function *, std::string>> Kernels;
  for (llvm::Function &F : M)
    if (const FunctionDecl *Kernel = findFunction(F, Generator);
        Kernel && Kernel->hasAttr<CUDAGlobalAttr>())
      Kernels.push_back({&F, Names.getName(Kernel)});
  for (auto &[F, Name] : Kernels)
    F->setName(Name);
}

/// Generates the code of \p Functions. Diagnostics are dropped: a function that
/// clang cannot compile simply has no code. Returns null if there is no code at
/// all.
std::unique_ptr<CodeGenerator>
DeviceCode::generate(llvm::ArrayRef<FunctionDecl *> Functions) {
  IgnoringDiagConsumer Silent;
  DiagnosticOptions DiagOptions;
  DiagnosticsEngine Diags(CI.getDiagnostics().getDiagnosticIDs(), DiagOptions,
                          &Silent, /*ShouldOwnClient=*/false);
  Diags.setSourceManager(&CI.getSourceManager());
  CodeGenOptions Options;
  Options.OptimizationLevel = 0;
  Options.DisableO0ImplyOptNone = true;
  Options.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  Options.DebugColumnInfo = true;
  Options.DebugInfoMacroExpansionLoc = true;
  std::unique_ptr<CodeGenerator> Generator(CreateLLVMCodeGen(
      Diags, "check", CI.getVirtualFileSystemPtr(), CI.getHeaderSearchOpts(),
      CI.getPreprocessorOpts(), Options, Context));
  ASTContext &AST = CI.getASTContext();
  // Functions that contain errors may be needed by others, and clang's code
  // generator is not made for broken ASTs: a crash also means that there is no
  // code.
  const bool IsAlive = surviveCrash([&] {
    Generator->Initialize(AST);
    for (FunctionDecl *Function : Functions)
      Generator->HandleTopLevelDecl(DeclGroupRef(Function));
    Generator->HandleTranslationUnit(AST);
  });
  if (!IsAlive)
    // Leaked on purpose: after a crash its state cannot be destroyed safely.
    (void)Generator.release();
  return Generator;
}

const check::DeviceCheck *
DeviceCode::check(llvm::ArrayRef<SourceLocation> Errors) {
  if (std::exchange(IsMade, true))
    return Check.get();
  std::unique_ptr<CodeGenerator> Generator = generate(listFunctions(Errors));
  llvm::Module *Made = Generator ? Generator->GetModule() : nullptr;
  if (!Made)
    return nullptr;
  check::SymbolTable Symbols =
      nameSymbols(*Made, *Generator, CI.getSourceManager());
  renameKernels(*Made, *Generator, CI.getASTContext());
  M = Generator->ReleaseModule();
  Check = std::make_unique<check::DeviceCheck>(*M, std::move(Symbols));
  return Check.get();
}

/// Returns true if the host side of the build compiles \p Function. The
/// operands and instructions of inline assembly are those of the other machine.
static bool runsOnHost(FunctionDecl *Function) {
  if (Function->hasAttr<CUDAGlobalAttr>() ||
      (Function->hasAttr<CUDADeviceAttr>() &&
       !Function->hasAttr<CUDAHostAttr>()))
    return false;
  return nodesIn<AsmStmt>(Function->getBody()).empty();
}

/// The host functions are generated from the device-side AST. Functions with
/// inline assembly are left out.
const check::HostCheck *
DeviceCode::checkHost(llvm::ArrayRef<SourceLocation> Errors) {
  if (std::exchange(IsHostMade, true))
    return Host.get();
  std::vector<FunctionDecl *> Functions = listFunctions(Errors);
  llvm::erase_if(Functions,
                 [](FunctionDecl *Each) { return !runsOnHost(Each); });
  // The host check analyses the same AST, parsed for the device; only the
  // switch that decides which attributes the code generator obeys is changed
  // for a moment.
  auto &Language = const_cast<LangOptions &>(CI.getASTContext().getLangOpts());
  const bool IsDevice = Language.CUDAIsDevice;
  Language.CUDAIsDevice = false;
  std::unique_ptr<CodeGenerator> Generator = generate(Functions);
  Language.CUDAIsDevice = IsDevice;
  if (std::unique_ptr<llvm::Module> Made =
          Generator ? std::unique_ptr<llvm::Module>(Generator->ReleaseModule())
                    : nullptr)
    Host = std::make_unique<check::HostCheck>(*Made);
  return Host.get();
}
