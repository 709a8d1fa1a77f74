// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A kernel of a few lines, parsed, with a model that holds only what the
/// rewriter reads: shapes and subscripts.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_PARSEDKERNEL_H
#define CUDAOPT_TEST_UNIT_PARSEDKERNEL_H

#include "cudaopt/Model/Kernel.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <memory>
#include <string>
#include <vector>

namespace cudaopt {

inline std::unique_ptr<clang::ASTUnit>
parseCuda(llvm::StringRef Code, const std::vector<std::string> &Flags = {},
          clang::DiagnosticConsumer *Diags = nullptr) {
  std::vector<std::string> Arguments = {"-xcuda",
                                        "--cuda-device-only",
                                        "--cuda-gpu-arch=sm_90",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-std=c++17",
                                        "-Wno-unknown-cuda-version",
                                        "-include",
                                        CUDAOPT_TEST_DIR "/Inputs/cuda.h"};
  Arguments.insert(Arguments.end(), Flags.begin(), Flags.end());
  return clang::tooling::buildASTFromCodeWithArgs(
      Code, Arguments, "/kernel.cu", "cuda-opt",
      std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(),
      clang::tooling::FileContentMappings(), Diags);
}

/// The model of the first kernel, and of every instance of it if it is a
/// template.
class ParsedKernel {
public:
  explicit ParsedKernel(llvm::StringRef Code) : Unit(parseCuda(Code)) {
    Finder(*this).TraverseDecl(context().getTranslationUnitDecl());
  }

  clang::ASTContext &context() { return Unit->getASTContext(); }
  clang::SourceManager &sources() { return Unit->getSourceManager(); }

  /// Says that `s[Row * Factor + Column]` is meant, in every access whose
  /// subscript is such a sum; \p Pitch is the value of Factor.
  void splitSubscripts(uint64_t Pitch) {
    for (const auto &Instance : K.Instances)
      for (Access &A : Instance->Accesses)
        A.Split = split(A.Subscripts[0], Pitch, context());
  }

  /// Says that the column of the first access is the iterator of a loop of
  /// \p Trips iterations, its row threadIdx.y.
  void addLoop(bool MayUnroll = true, int64_t Trips = 32) {
    KernelInstance &Instance = *K.Instances[0];
    ValueGraph &Values = Instance.Values;
    const ValueId Column = Values.iterator(0), Row = Values.threadIdx(1);
    const ValueId Condition =
        Values.operation(ValueKind::Less, {}, {Column, Values.constant(Trips)});
    Instance.Loops.push_back(
        {Instance.Decl->getBody(), 0, {}, Condition, MayUnroll});
    Access &A = Instance.Accesses[0];
    A.Loops = {0};
    A.Terms = {{A.Split ? A.Split->Column : A.Subscripts.back(), Column}};
    if (!A.Split) {
      A.Index = {Row, Column};
      return;
    }
    // The walk of a kernel takes the product from the whole.
    ValueId Product = Values.operation(
        ValueKind::Mul, {}, {Row, Values.constant(int64_t(A.Split->Pitch))});
    A.Index = {Values.operation(ValueKind::Add, {}, {Product, Column})};
    A.Split->Rest = Values.operation(ValueKind::Sub, {}, {A.Index[0], Product});
  }

  Kernel K;

private:
  struct Finder : clang::RecursiveASTVisitor<Finder> {
    explicit Finder(ParsedKernel &P) : P(P) {}
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool TraverseFunctionDecl(clang::FunctionDecl *D) {
      if (!D->hasAttr<clang::CUDAGlobalAttr>())
        return RecursiveASTVisitor::TraverseFunctionDecl(D);
      if (P.K.Name.empty()) {
        P.K.Decl = D;
        P.K.Name = D->getNameAsString();
      }
      if (D->isDependentContext())
        return true;
      P.K.Instances.push_back(std::make_unique<KernelInstance>());
      P.K.Instances.back()->Decl = D;
      return TraverseStmt(D->getBody());
    }
    bool VisitVarDecl(clang::VarDecl *D) {
      if (!D->hasAttr<clang::CUDASharedAttr>())
        return true;
      ArrayId Id = P.find(D->getName());
      if (Id == P.K.Arrays.size())
        P.addArray(D);
      ArrayShape Shape;
      clang::QualType Type = D->getType();
      while (auto *Array = P.context().getAsConstantArrayType(Type)) {
        Shape.Extents.push_back(Array->getSize().getZExtValue());
        Type = Array->getElementType();
      }
      Shape.ElementSize = P.context().getTypeSizeInChars(Type).getQuantity();
      if (const auto *Record = Type->getAsCXXRecordDecl())
        P.addFields(*Record, Shape);
      auto &Shapes = P.K.Instances.back()->Shapes;
      Shapes.resize(std::max<size_t>(Shapes.size(), Id + 1));
      Shapes[Id] = Shape;
      return true;
    }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *E) {
      if (!E->getType()->isArrayType())
        P.addAccess(E);
      return true;
    }
    ParsedKernel &P;
  };

  void addFields(const clang::CXXRecordDecl &Record, ArrayShape &Shape) {
    const auto &Layout = context().getASTRecordLayout(&Record);
    for (const clang::FieldDecl *Field : Record.fields()) {
      unsigned Offset = Layout.getFieldOffset(Field->getFieldIndex()) / 8;
      unsigned Size =
          context().getTypeSizeInChars(Field->getType()).getQuantity();
      Shape.Fields.push_back({Field->getNameAsString(), Offset, Size, Size});
    }
  }

  ArrayId find(llvm::StringRef Name) const {
    ArrayId Id = 0;
    while (Id != K.Arrays.size() && K.Arrays[Id].Name != Name)
      ++Id;
    return Id;
  }

  void addArray(const clang::VarDecl *D) {
    SharedArray &A = K.Arrays.emplace_back();
    A.Decl = D;
    A.Name = D->getNameAsString();
    A.IsExtern = D->hasExternalStorage();
  }

  void addAccess(clang::ArraySubscriptExpr *E) {
    Access A;
    A.Ref = E;
    A.Kind = AccessKind::Read;
    const clang::Expr *Base = E;
    while (auto *Subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(Base)) {
      A.Subscripts.insert(A.Subscripts.begin(), Subscript->getIdx());
      Base = Subscript->getBase()->IgnoreParenImpCasts();
    }
    auto *Array = clang::dyn_cast<clang::DeclRefExpr>(Base);
    A.Array = Array ? find(Array->getDecl()->getName()) : K.Arrays.size();
    if (A.Array == K.Arrays.size())
      return;
    A.Width = K.Instances.back()->Shapes[A.Array].ElementSize;
    K.Instances.back()->Accesses.push_back(std::move(A));
  }

  static std::optional<LinearSplit> split(const clang::Expr *Index,
                                          uint64_t Pitch,
                                          const clang::ASTContext &Context) {
    auto *Sum =
        clang::dyn_cast<clang::BinaryOperator>(Index->IgnoreParenImpCasts());
    if (!Sum || Sum->getOpcode() != clang::BO_Add)
      return std::nullopt;
    const clang::Expr *Column = Sum->getRHS();
    auto *Product = clang::dyn_cast<clang::BinaryOperator>(
        Sum->getLHS()->IgnoreParenImpCasts());
    if (!Product || Product->getOpcode() != clang::BO_Mul) {
      Column = Sum->getLHS();
      Product = clang::dyn_cast<clang::BinaryOperator>(
          Sum->getRHS()->IgnoreParenImpCasts());
    }
    if (!Product || Product->getOpcode() != clang::BO_Mul)
      return std::nullopt;
    LinearSplit Split{Product->getRHS(), Product->getLHS(), Column, Pitch};
    if (Split.Row->isEvaluatable(Context))
      std::swap(Split.Factor, Split.Row);
    return Split;
  }

  std::unique_ptr<clang::ASTUnit> Unit;
};

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_PARSEDKERNEL_H
