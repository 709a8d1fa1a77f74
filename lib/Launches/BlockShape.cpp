// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Launches/BlockShape.h"

#include "cudaopt/IR/Annotations.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

StringRef getName(ShapeOrigin Origin) {
  switch (Origin) {
  case ShapeOrigin::Option:
    return "option";
  case ShapeOrigin::Mark:
    return "mark";
  case ShapeOrigin::Launch:
    return "launch";
  case ShapeOrigin::Assumed:
    return "assumed";
  case ShapeOrigin::LaunchBounds:
    return "launch-bounds";
  case ShapeOrigin::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown origin");
}

std::optional<std::array<uint32_t, 3>> parseExtents(StringRef Text) {
  std::array<uint32_t, 3> Extents = {1, 1, 1};
  llvm::SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  if (Parts.size() > Extents.size())
    return std::nullopt;
  for (auto [Part, Extent] : llvm::zip(Parts, Extents))
    if (Part.trim().getAsInteger(10, Extent) || Extent == 0)
      return std::nullopt;
  return Extents;
}

std::optional<std::array<uint32_t, 3>> parseBlock(StringRef Text) {
  constexpr uint64_t MaxThreads = 1024;
  const auto Extents = parseExtents(Text);
  if (!Extents)
    return std::nullopt;
  uint64_t Threads = 1;
  for (auto [Extent, Most] : llvm::zip(*Extents, MaxBlockExtents)) {
    if (Extent > Most)
      return std::nullopt;
    Threads *= Extent;
  }
  return Threads <= MaxThreads ? Extents : std::nullopt;
}

std::optional<std::array<uint32_t, 3>>
findAssumedBlock(const FunctionDecl *Kernel) {
  for (const auto *Mark : Kernel->specific_attrs<AnnotateAttr>())
    if (std::optional<Annotation> Said = readAnnotation(Mark);
        Said && Said->Name == "assume_block")
      return parseBlock(Said->Value);
  return std::nullopt;
}

} // namespace cudaopt
