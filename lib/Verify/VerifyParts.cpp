// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks that the sub-arrays of an `extern` array (SharedArray::Whole), which
/// pointers like `float *b = s + 128` name, do not overlap: only then may their
/// layouts change independently of each other.
//===----------------------------------------------------------------------===//

#include "cudaopt/Verify/Verify.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <optional>
#include <vector>

using namespace cudaopt;

namespace {
/// Checks the sub-arrays of one instance.
class PartVerifier {
public:
  PartVerifier(const Kernel &K, const KernelInstance &Instance, const Plan &P)
      : K(K), Instance(Instance), P(P) {}

  llvm::Error verifyPlaces() const;

private:
  /// A range of bytes within the whole array.
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

/// Returns true if \p Whole has sub-arrays, and the layout of one of them, or
/// of \p Whole itself, changes.
bool PartVerifier::isDivided(ArrayId Whole) const {
  bool HasParts = false, Changes = false;
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id) {
    HasParts |= K.Arrays[Id].Whole == Whole;
    Changes |= wholeOf(Id) == Whole && isRewritten(Id);
  }
  return HasParts && Changes;
}

/// Returns the bytes in which \p Array is stored: those that it takes before or
/// after the change, whichever are more.
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

llvm::Error cudaopt::verifyParts(const Kernel &K,
                                 const KernelInstance &Instance,
                                 const Plan &P) {
  return PartVerifier(K, Instance, P).verifyPlaces();
}
