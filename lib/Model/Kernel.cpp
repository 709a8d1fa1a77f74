// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The model's data types: small queries, and the printing for tests.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/Kernel.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace clang;

namespace cudaopt {

uint64_t ArrayShape::numElements() const {
  uint64_t Product = 1;
  for (uint64_t Extent : Extents)
    Product *= Extent;
  return Product;
}

void SharedArray::refuse(Refusal R) {
  if (llvm::none_of(Refusals,
                    [&](const Refusal &Known) { return Known.Why == R.Why; }))
    Refusals.push_back(std::move(R));
}

bool Kernel::hasParts(ArrayId Array) const {
  return llvm::any_of(
      Arrays, [&](const SharedArray &Part) { return Part.Whole == Array; });
}

static StringRef getKindText(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::Atomic:
    return "atomic";
  }
  llvm_unreachable("unknown kind");
}

static void printAccess(const Kernel &K, const KernelInstance &Instance,
                        const Access &A, llvm::raw_ostream &OS) {
  StringRef ArrayName = K.Arrays[A.Array].Name;
  const SourceManager &SM = Instance.Decl->getASTContext().getSourceManager();
  OS << llvm::formatv("    {0} {1} bytes line {2}", getKindText(A.Kind),
                      A.Width, SM.getExpansionLineNumber(A.Ref->getExprLoc()));
  if (A.Function && A.Function->getLocation() != K.Decl->getLocation())
    OS << (K.findCopy(A.Array, A.Use) ? " in a copy of " : " in ")
       << A.Function->getName();
  if (A.Offset)
    OS << " offset " << A.Offset;
  OS << " interval " << A.Interval << ": ";
  if (A.isOpaque()) {
    OS << ArrayName << " opaque ("
       << (A.WhyOpaque ? getReasonId(*A.WhyOpaque) : "") << ")\n";
    return;
  }
  if (!A.Relation) {
    OS << ArrayName;
    for (ValueId Index : A.Index) {
      OS << '[';
      Instance.Values.print(Index, OS);
      OS << ']';
    }
    OS << " not affine";
  } else {
    char *Text = isl_map_to_str(A.Relation->get());
    OS << Text;
    free(Text);
  }
  if (!A.DomainIsExact)
    OS << " at most";
  if (A.Run) {
    OS << " copied along the row: ";
    Instance.Values.print(A.Run->Bytes, OS);
    OS << " bytes, aligned to " << A.Run->Alignment;
  }
  if (A.Split)
    OS << " rows of " << A.Split->Pitch;
  if (A.Subscripts.size() > 1 && !A.InnerSubscriptsInBounds)
    OS << " bounds not proved";
  OS << '\n';
}

void KernelInstance::print(const Kernel &K, llvm::raw_ostream &OS) const {
  OS << "  block ";
  if (Block.isKnown())
    OS << Block.Threads[0] << 'x' << Block.Threads[1] << 'x'
       << Block.Threads[2];
  else
    OS << "of at most " << Block.MaxThreads << " threads";
  OS << " (" << (Block.IsUnseen ? "other launches, " : "")
     << getName(Block.Origin) << ')';
  if (Block.Grid[0])
    OS << " grid " << Block.Grid[0] << 'x' << Block.Grid[1] << 'x'
       << Block.Grid[2];
  if (!K.Decl->hasAttr<CUDAGlobalAttr>())
    OS << " of " << Decl->getQualifiedNameAsString();
  OS << ", " << NumBarriers << " barriers, " << StaticSharedBytes
     << " shared bytes\n";
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id) {
    OS << "  array " << K.Arrays[Id].Name;
    if (K.Arrays[Id].Whole)
      OS << " in " << K.Arrays[*K.Arrays[Id].Whole].Name << " at byte "
         << Shapes[Id].Begin << ' ';
    else if (K.Arrays[Id].IsExtern)
      OS << "[]";
    for (uint64_t Extent : Shapes[Id].Extents)
      OS << '[' << Extent << ']';
    OS << " of " << Shapes[Id].ElementSize << " bytes\n";
    for (const Access &A : Accesses)
      if (A.Array == Id)
        printAccess(K, *this, A, OS);
  }
}

std::optional<FunctionUseId>
Kernel::findCopy(ArrayId Array, std::optional<FunctionUseId> Use) const {
  if (Use && FunctionUses[*Use].NeedsCopy &&
      llvm::is_contained(FunctionUses[*Use].Arrays, Array))
    return Use;
  return std::nullopt;
}

void Kernel::print(llvm::raw_ostream &OS) const {
  OS << "kernel " << Name << '\n';
  for (const SharedArray &Array : Arrays)
    for (const Refusal &R : Array.Refusals)
      OS << "  blocked " << Array.Name << ": " << R.text() << '\n';
  for (const auto &Instance : Instances)
    Instance->print(*this, OS);
}

} // namespace cudaopt
