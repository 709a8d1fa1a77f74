// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A kernel that a test writes down as values instead of as text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_HANDMADEKERNEL_H
#define CUDAOPT_TEST_UNIT_HANDMADEKERNEL_H

#include "cudaopt/Model/Kernel.h"

#include "clang/AST/ASTContext.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"

namespace cudaopt {

/// One instance of a kernel; the names of its methods are those of CUDA C++.
class HandMadeKernel {
public:
  using Int3 = std::array<uint32_t, 3>;

  explicit HandMadeKernel(Int3 Threads, Int3 Grid = {})
      : AST(clang::tooling::buildASTFromCode("int array; int use = array;")) {
    for (const clang::Decl *D :
         AST->getASTContext().getTranslationUnitDecl()->decls())
      if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D))
        Variables.push_back(V);
    addInstance(Threads, Grid);
  }

  /// Later arrays and accesses belong to a new instance.
  void addInstance(Int3 Threads, Int3 Grid = {}) {
    K.Instances.push_back(std::make_unique<KernelInstance>());
    instance().Block.Threads = Threads;
    instance().Block.Grid = Grid;
    instance().Shapes.resize(K.Arrays.size());
  }

  ArrayId array(llvm::SmallVector<uint64_t, 4> Extents, unsigned ElementSize) {
    SharedArray &New = K.Arrays.emplace_back();
    New.Decl = Variables.front();
    New.Name = "array";
    instance().Shapes.push_back({});
    return shape(K.Arrays.size() - 1, std::move(Extents), ElementSize);
  }
  /// Declares array \p Id in the newest instance.
  ArrayId shape(ArrayId Id, llvm::SmallVector<uint64_t, 4> Extents,
                unsigned ElementSize) {
    ArrayShape &Shape = instance().Shapes[Id];
    Shape.Extents = std::move(Extents);
    Shape.ElementSize = ElementSize;
    uint64_t Bytes = ElementSize;
    for (uint64_t Extent : Shape.Extents)
      Bytes *= Extent;
    instance().StaticSharedBytes += Bytes;
    return Id;
  }

  Access &access(AccessKind Kind, ArrayId Array,
                 llvm::SmallVector<ValueId, 4> Index) {
    Access A;
    A.Ref = Variables.back()->getInit();
    A.Array = Array;
    A.Kind = Kind;
    A.Width = instance().Shapes[Array].ElementSize;
    A.Index = std::move(Index);
    if (!A.isOpaque())
      addTerms(A, A.Index.back());
    A.Loops = Loops;
    A.Guards = Guards;
    A.InnerSubscriptsInBounds = true;
    instance().Accesses.push_back(A);
    return instance().Accesses.back();
  }
  Access &read(ArrayId Array, llvm::SmallVector<ValueId, 4> Index) {
    return access(AccessKind::Read, Array, std::move(Index));
  }
  Access &write(ArrayId Array, llvm::SmallVector<ValueId, 4> Index) {
    return access(AccessKind::Write, Array, std::move(Index));
  }

  /// Later accesses lie in a loop; returns its iterator. setCondition follows.
  ValueId beginLoop() {
    LoopId Id = instance().Loops.size();
    instance().Loops.push_back({nullptr, Id, std::nullopt, std::nullopt});
    Loops.push_back(Id);
    return values().iterator(Id);
  }
  void setCondition(ValueId Condition) {
    instance().Loops.back().Condition = Condition;
  }
  /// A loop that runs \p Trips times.
  ValueId beginLoop(int64_t Trips) {
    ValueId Iterator = beginLoop();
    setCondition(less(Iterator, constant(Trips)));
    return Iterator;
  }
  void endLoop() { Loops.pop_back(); }
  void beginIf(ValueId Condition) { Guards.push_back(Condition); }
  void endIf() { Guards.pop_back(); }

  ValueId constant(int64_t Number) { return values().constant(Number); }
  ValueId threadX() { return asInt(values().threadIdx(0)); }
  ValueId threadY() { return asInt(values().threadIdx(1)); }
  ValueId blockX() { return asInt(values().blockIdx(0)); }
  ValueId parameter() { return values().parameter("n", {}); }
  ValueId binary(ValueKind Kind, ValueId A, ValueId B) {
    return values().operation(Kind, {}, {A, B});
  }
  ValueId add(ValueId A, ValueId B) { return binary(ValueKind::Add, A, B); }
  ValueId sub(ValueId A, ValueId B) { return binary(ValueKind::Sub, A, B); }
  ValueId less(ValueId A, ValueId B) { return binary(ValueKind::Less, A, B); }
  ValueId mul(ValueId A, int64_t B) {
    return binary(ValueKind::Mul, A, constant(B));
  }
  ValueId div(ValueId A, int64_t B) {
    return binary(ValueKind::Div, A, constant(B));
  }
  ValueId rem(ValueId A, int64_t B) {
    return binary(ValueKind::Rem, A, constant(B));
  }

  KernelInstance &instance() { return *K.Instances.back(); }
  ValueGraph &values() { return instance().Values; }

private:
  IslContext Isl; // Outlives the accesses.

public:
  Kernel K;

private:
  void addTerms(Access &A, ValueId Id) {
    const Value V = values()[Id];
    if (V.Kind != ValueKind::Add) {
      A.Terms.push_back({A.Ref, Id});
      return;
    }
    addTerms(A, V.Operands[0]);
    addTerms(A, V.Operands[1]);
  }
  ValueId asInt(ValueId Id) {
    return values().operation(ValueKind::Cast, {}, {Id});
  }

  std::unique_ptr<clang::ASTUnit> AST;
  std::vector<const clang::VarDecl *> Variables;
  llvm::SmallVector<LoopId, 4> Loops;
  llvm::SmallVector<ValueId, 8> Guards;
};

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_HANDMADEKERNEL_H
