// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans for kernels that are parsed from text, given to the verifier and to
/// the check of the code that clang makes of them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_VERIFY_VERIFYTEST_H
#define CUDAOPT_TEST_UNIT_VERIFY_VERIFYTEST_H

#include "../../../lib/Driver/Pipeline/DeviceCode.h"
#include "../../../lib/Driver/Pipeline/PlanClaims.h"
#include "../../../lib/Driver/Pipeline/RunClaims.h"
#include "cudaopt/Check/RunCheck.h"
#include "cudaopt/Model/KernelBuilder.h"
#include "cudaopt/Model/KernelCode.h"
#include "cudaopt/Verify/Verify.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

namespace cudaopt {

/// Finds the kernel that has a body and is no template, and its arrays.
class KernelFinder : public clang::RecursiveASTVisitor<KernelFinder> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *F) {
    if (F->hasAttr<clang::CUDAGlobalAttr>() &&
        F->doesThisDeclarationHaveABody() && !F->isDependentContext())
      Found = F;
    return true;
  }
  clang::FunctionDecl *Found = nullptr;
};

/// Makes the model of the references in a kernel.
class AccessFinder : public clang::RecursiveASTVisitor<AccessFinder> {
public:
  AccessFinder(Kernel &K, KernelInstance &I, clang::ASTContext &Context,
               const IslContext &Isl)
      : K(K), I(I), Context(Context), Isl(Isl) {}

  bool VisitVarDecl(clang::VarDecl *V) {
    const bool IsPart = V->getType()->isPointerType() && V->hasInit();
    if (!V->hasAttr<clang::CUDASharedAttr>() && !IsPart)
      return true;
    SharedArray &Array = K.Arrays.emplace_back();
    Array.Decl = V;
    Array.Name = V->getName().str();
    ArrayShape Shape;
    clang::QualType Type = V->getType();
    while (auto *Rows = Context.getAsConstantArrayType(Type)) {
      Shape.Extents.push_back(Rows->getZExtSize());
      Type = Rows->getElementType();
    }
    // Of extern arrays and their parts, the test says how many there are.
    if (const auto *Elements = Context.getAsIncompleteArrayType(Type))
      Type = Elements->getElementType();
    else if (IsPart)
      Type = Type->getPointeeType();
    Shape.ElementSize = Context.getTypeSizeInChars(Type).getQuantity();
    I.Shapes.push_back(Shape);
    if (!Shape.Extents.empty())
      I.StaticSharedBytes +=
          Context.getTypeSizeInChars(V->getType()).getQuantity();
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *Cast) {
    if (Cast->getCastKind() == clang::CK_LValueToRValue)
      add(Cast->getSubExpr(), AccessKind::Read);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *Op) {
    if (Op->isCompoundAssignmentOp())
      add(Op->getLHS(), AccessKind::Read);
    if (Op->isAssignmentOp())
      add(Op->getLHS(), AccessKind::Write);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *Op) {
    if (Op->getOpcode() == clang::UO_AddrOf)
      add(Op->getSubExpr(), AccessKind::Atomic);
    return true;
  }

private:
  void add(clang::Expr *E, AccessKind Kind) {
    Access A;
    A.Ref = E->IgnoreParens();
    A.Kind = Kind;
    A.Array = 0;
    A.Relation = isl::map(Isl.get(), "{ S[] -> A[] }"); // Unused, not null.
    const clang::Expr *Base = A.Ref;
    while (auto *Subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(
               Base->IgnoreParenImpCasts())) {
      A.Subscripts.insert(A.Subscripts.begin(), Subscript->getIdx());
      Base = Subscript->getBase();
    }
    auto *Name =
        llvm::dyn_cast<clang::DeclRefExpr>(Base->IgnoreParenImpCasts());
    if (A.Subscripts.empty() || !Name)
      return;
    while (A.Array < K.Arrays.size() &&
           K.Arrays[A.Array].Decl != Name->getDecl())
      ++A.Array;
    if (A.Array == K.Arrays.size())
      return;
    A.Width = I.Shapes[A.Array].ElementSize;
    I.Accesses.push_back(A);
  }

  Kernel &K;
  KernelInstance &I;
  clang::ASTContext &Context;
  const IslContext &Isl;
};

/// A kernel with one array that gets a new layout.
class VerifyTest : public testing::Test {
protected:
  using Int3 = std::array<uint32_t, 3>;

  void parse(const std::string &Code, Int3 Threads, Int3 Grid = {}) {
    K = Kernel();
    AST = clang::tooling::buildASTFromCodeWithArgs(
        Code,
        {"-xcuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
         "--offload-arch=sm_90", "-Wno-unknown-cuda-version", "-std=c++17",
         "-fdeclspec", "-I" CUDAOPT_TEST_DIR "/Inputs"},
        "kernel.cu");
    ASSERT_TRUE(AST && !AST->getDiagnostics().hasErrorOccurred());
    KernelFinder Finder;
    Finder.TraverseAST(AST->getASTContext());
    ASSERT_TRUE(Finder.Found);
    K.Decl = Finder.Found;
    K.Instances.push_back(std::make_unique<KernelInstance>());
    KernelInstance &Instance = *K.Instances.back();
    Instance.Decl = Finder.Found;
    Instance.Code = std::make_shared<KernelCode>(Finder.Found);
    Instance.Block.Threads = Threads;
    Instance.Block.Grid = Grid;
    AccessFinder(K, Instance, AST->getASTContext(), Isl)
        .TraverseStmt(Finder.Found->getBody());
    makeCode();
  }

  /// The rule that is violated; empty if none.
  std::string verify(Layout New, Wavefronts Cost, bool IsExact = true) {
    Plan P;
    P.Layouts[0].New = New;
    P.Layouts[0].Cost = P.Layouts[0].SourceCost = Cost;
    P.Layouts[0].IsExact = IsExact;
    return verify(P);
  }
  std::string verify(const Plan &P) {
    const Target T = *findTarget("sm_90");
    if (llvm::Error E = verifyPlan(K, P, T, AST->getASTContext()))
      return llvm::toString(std::move(E));
    const auto Instances = claim(P);
    for (const check::KernelClaims &Claims : Instances)
      if (auto Found = check::compareParts(*Code, Claims))
        return Found->Text;
    const auto Found = check::compareWavefronts(
        *Code, Instances, makeWavefrontClaims(K, P), T.Shared);
    return Found ? Found->Text : "";
  }
  /// What \p P relies on.
  std::vector<check::KernelClaims> claim(const Plan &P) {
    return makeClaims(K, P, *Points, AST->getASTContext());
  }

  /// Puts the first two arrays of the kernel that was parsed, for blocks of
  /// \p Threads, into the same bytes; returns the rule that is violated. \p Say
  /// adds what else the plan says.
  std::string verifyTwoInOne(
      Int3 Threads, llvm::function_ref<void(Plan &)> Say = [](Plan &) {}) {
    ModelOptions Options;
    Options.Block = Threads;
    auto Kernels = buildKernels(AST->getASTContext(), Isl, Options, {});
    Plan P;
    P.Reuse.emplace();
    for (const SharedArray &A : Kernels.front().Arrays)
      P.Reuse->Variables.push_back({A.Decl, A.Name});
    StorageNode Both;
    Both.What = StorageNode::Kind::Alternatives;
    Both.Members.resize(2);
    Both.Members[1].Variable = 1;
    P.Reuse->Objects = {Both};
    Say(P);
    return verifyReuseOf(Kernels.front(), P);
  }

  /// Expects that the recount is exact and gives these numbers.
  void expectWavefronts(Layout New, double Before, double After) {
    EXPECT_EQ(verify(New, {Before, After}), "");
    EXPECT_NE(verify(New, {Before + 1, After}), "");
    EXPECT_NE(verify(New, {Before, After + 1}), "");
  }
  /// Expects that the recount is not exact, so that no number is compared.
  void expectInexact(Layout New) { EXPECT_EQ(verify(New, {-1, -1}), ""); }

  IslContext Isl;
  std::unique_ptr<clang::ASTUnit> AST;
  Kernel K;
  std::unique_ptr<llvm::LLVMContext> LLVM;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<check::DeviceCheck> Code;
  std::optional<SourcePoints> Points;

private:
  /// Has clang generate code of all that was parsed.
  void makeCode() {
    clang::CodeGenOptions Options;
    Options.DisableO0ImplyOptNone = true;
    Options.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
    Options.DebugColumnInfo = true;
    Options.DebugInfoMacroExpansionLoc = true;
    Code.reset();
    M.reset();
    LLVM = std::make_unique<llvm::LLVMContext>();
    // The unit keeps neither; they matter to modules only.
    const clang::HeaderSearchOptions Headers;
    const clang::PreprocessorOptions Macros;
    std::unique_ptr<clang::CodeGenerator> Generator(clang::CreateLLVMCodeGen(
        AST->getDiagnostics(), "kernel", AST->getVirtualFileSystemPtr(),
        Headers, Macros, Options, *LLVM));
    Generator->Initialize(AST->getASTContext());
    for (auto D = AST->top_level_begin(); D != AST->top_level_end(); ++D)
      Generator->HandleTopLevelDecl(clang::DeclGroupRef(*D));
    Generator->HandleTranslationUnit(AST->getASTContext());
    check::SymbolTable Symbols;
    for (const llvm::GlobalVariable &V : Generator->GetModule()->globals())
      if (const auto *Var = llvm::dyn_cast_or_null<clang::VarDecl>(
              Generator->GetDeclForMangledName(V.getName())))
        Symbols.Variables[V.getName()] = {
            Var->getNameAsString(),
            makePoint(AST->getSourceManager(), Var->getLocation())};
    M = Generator->ReleaseModule();
    Code = std::make_unique<check::DeviceCheck>(*M, std::move(Symbols));
    Points.emplace(AST->getASTContext(),
                   const_cast<clang::FunctionDecl *>(K.Decl));
  }

  std::string verifyReuseOf(const Kernel &Of, const Plan &P) {
    clang::ASTContext &Context = AST->getASTContext();
    llvm::Error E = verifyReuse(
        Of, P, Context,
        [&](const SharedProgram &Program, llvm::ArrayRef<StoredAt> Places,
            const UnorderedSteps &Steps) -> llvm::Error {
          const auto [Claims, InPlace] = makeInPlaceClaims(
              Of, P, Program, Places, Steps, *Points, Context);
          if (auto Found = check::compareInPlace(*Code, Claims, InPlace))
            return llvm::createStringError(Found->Text);
          return llvm::Error::success();
        });
    return llvm::toString(std::move(E));
  }
};

inline Layout pad(unsigned Padding, uint64_t Pitch = 0) {
  Layout New;
  New.Kind = Layout::Family::Pad;
  New.Padding = Padding;
  New.Pitch = Pitch;
  return New;
}

inline Layout swizzle(unsigned RowShift, unsigned Bits, unsigned Unit) {
  Layout New;
  New.Kind = Layout::Family::Xor;
  New.Terms = {{1, uint8_t(RowShift), uint8_t(Bits), false, 1u << Unit}};
  return New;
}

/// A kernel over `__shared__ float tile[32][32]` with the statements \p Body.
inline std::string kernel(const std::string &Body) {
  return "#include \"cuda.h\"\n"
         "__global__ void k(float *out, const float *in, int n) {\n"
         "  __shared__ float tile[32][32];\n"
         "  int x = threadIdx.x, y = threadIdx.y;\n" +
         Body + "}\n";
}

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_VERIFY_VERIFYTEST_H
