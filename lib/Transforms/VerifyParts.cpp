// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks that the parts of an `extern` array are arrays of their own: that
/// their bytes are theirs, and that the threads of a block stay inside them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/KernelInterpreter.h"
#include "cudaopt/Transforms/Verify.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <optional>
#include <vector>

using namespace cudaopt;

/// Statements that are interpreted for one block, at most: some 50 ms.
static constexpr uint64_t MaxSteps = 300'000;

namespace {
class PartVerifier {
public:
  PartVerifier(const Kernel &K, const KernelInstance &Instance, const Plan &P)
      : K(K), Instance(Instance), P(P) {}

  bool hasWork() const;
  llvm::Error verifyPlaces() const;
  llvm::Error verifyThreads(clang::ASTContext &Context) const;

private:
  /// Bytes of the whole array.
  struct Bytes {
    uint64_t Begin, End;
  };

  template <typename... Ts>
  llvm::Error makeError(const char *Format, Ts &&...Arguments) const {
    return llvm::createStringError(
        llvm::formatv(Format, std::forward<Ts>(Arguments)...).str());
  }
  bool isRewritten(ArrayId Array) const;
  bool isUsed(ArrayId Array) const;
  ArrayId wholeOf(ArrayId Array) const {
    return K.Arrays[Array].Whole.value_or(Array);
  }
  bool isDivided(ArrayId Whole) const;
  Bytes bytesOf(ArrayId Array) const;
  llvm::Error verifyDisjoint(ArrayId Array, ArrayId Other) const;
  std::vector<TracedReference> findReferences() const;

  const Kernel &K;
  const KernelInstance &Instance;
  const Plan &P;
};
} // namespace

bool PartVerifier::isRewritten(ArrayId Array) const {
  auto Decision = P.Layouts.find(Array);
  return Decision != P.Layouts.end() && Decision->second.isRewritten() &&
         !Instance.Shapes[Array].Extents.empty();
}

bool PartVerifier::isUsed(ArrayId Array) const {
  return std::any_of(Instance.Accesses.begin(), Instance.Accesses.end(),
                     [&](const Access &A) { return A.Array == Array; });
}

/// True if \p Whole has parts, and the layout of some of them, or of what is
/// left of it, changes.
bool PartVerifier::isDivided(ArrayId Whole) const {
  bool HasParts = false, Changes = false;
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id) {
    HasParts |= K.Arrays[Id].Whole == Whole;
    Changes |= wholeOf(Id) == Whole && isRewritten(Id);
  }
  return HasParts && Changes;
}

bool PartVerifier::hasWork() const {
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id)
    if (!K.Arrays[Id].Whole && isDivided(Id))
      return true;
  return false;
}

/// The bytes in which \p Array is stored; the more of before and after.
PartVerifier::Bytes PartVerifier::bytesOf(ArrayId Array) const {
  const ArrayShape &Shape = Instance.Shapes[Array];
  uint64_t Size = Shape.ElementSize;
  for (uint64_t Extent : Shape.Extents)
    Size *= Extent;
  if (isRewritten(Array))
    Size = std::max(Size, P.Layouts.find(Array)->second.New.bytes(Shape));
  return {Shape.Begin, Shape.Begin + Size};
}

llvm::Error PartVerifier::verifyDisjoint(ArrayId Array, ArrayId Other) const {
  const Bytes A = bytesOf(Array), B = bytesOf(Other);
  if (A.Begin < B.End && B.Begin < A.End)
    return makeError("the parts '{0}' and '{1}' overlap", K.Arrays[Array].Name,
                     K.Arrays[Other].Name);
  return llvm::Error::success();
}

llvm::Error PartVerifier::verifyPlaces() const {
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id) {
    if (!isRewritten(Id) || !isDivided(wholeOf(Id)))
      continue;
    const std::optional<uint64_t> Size = Instance.Block.DynamicBytes;
    if (!Size || bytesOf(Id).End > *Size)
      return makeError("the part '{0}' ends behind the bytes that the launch "
                       "gives",
                       K.Arrays[Id].Name);
    for (ArrayId Other = 0; Other < K.Arrays.size(); ++Other)
      if (Other != Id && wholeOf(Other) == wholeOf(Id) && isUsed(Other))
        if (llvm::Error Violated = verifyDisjoint(Id, Other))
          return Violated;
  }
  return llvm::Error::success();
}

/// Returns the references whose text says which element they access.
std::vector<TracedReference> PartVerifier::findReferences() const {
  std::vector<TracedReference> References;
  llvm::DenseSet<const clang::Expr *> Seen;
  for (const Access &A : Instance.Accesses)
    if (isDivided(wholeOf(A.Array)) && namesElement(A) &&
        Seen.insert(A.Ref).second)
      References.push_back(
          {A.Ref, A.Subscripts, Instance.Shapes[A.Array].Extents});
  return References;
}

/// Runs the first block and sees where its threads go.
llvm::Error PartVerifier::verifyThreads(clang::ASTContext &Context) const {
  const Dim3 Block = Instance.Block.Threads;
  const std::vector<TracedReference> References = findReferences();
  KernelInterpreter Interpreter(Instance.Decl, Block, Instance.Block.Grid,
                                References, Context, MaxSteps);
  std::vector<Execution> Executions;
  for (uint32_t Thread = 0; Thread < Instance.Block.numThreads(); ++Thread) {
    Executions.clear();
    const bool IsWhole =
        Interpreter.run({Thread % Block[0], Thread / Block[0] % Block[1],
                         Thread / Block[0] / Block[1]},
                        {0, 0, 0}, Executions);
    for (const Execution &E : Executions)
      if (E.IsOutside && E.IsCertain)
        return makeError("thread {0} leaves a part of the dynamic shared "
                         "memory",
                         Thread);
    if (!IsWhole)
      break;
  }
  return llvm::Error::success();
}

llvm::Error cudaopt::verifyParts(const Kernel &K,
                                 const KernelInstance &Instance, const Plan &P,
                                 clang::ASTContext &Context) {
  PartVerifier Verifier(K, Instance, P);
  if (!Verifier.hasWork())
    return llvm::Error::success();
  if (llvm::Error Violated = Verifier.verifyPlaces())
    return Violated;
  if (!Instance.Block.isKnown() ||
      Instance.Block.Origin == ShapeOrigin::Assumed)
    return llvm::Error::success();
  return Verifier.verifyThreads(Context);
}
