// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Small member functions of plans, and the text that --print=plan shows.
//===----------------------------------------------------------------------===//

#include "cudaopt/Plan/Plan.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace cudaopt {

StringRef getName(Certificate C) {
  switch (C) {
  case Certificate::None:
    return "";
  case Certificate::BoundReached:
    return "bound reached";
  case Certificate::Exhausted:
    return "exhausted";
  case Certificate::BestFound:
    return "best found";
  }
  llvm_unreachable("unknown certificate");
}

Wavefronts &Wavefronts::operator+=(const Wavefronts &Other) {
  Before += Other.Before;
  After += Other.After;
  Bound += Other.Bound;
  return *this;
}

/// Prints a count that may be an average: "64", "62.5".
static void printCount(double Count, raw_ostream &OS) {
  bool IsWhole = Count == std::floor(Count);
  OS << format(IsWhole ? "%.0f" : "%.1f", Count);
}

LayoutDecision LayoutDecision::kept(Refusal R) const {
  LayoutDecision Kept = *this;
  Kept.New = Layout();
  Kept.Refused = std::move(R);
  Kept.Cost.After = Cost.Before;
  Kept.SourceCost.After = SourceCost.Before;
  Kept.Proof = Certificate::None;
  Kept.Charge = 0;
  Kept.Lost.reset();
  Kept.Effects.clear();
  return Kept;
}

// Findings about the variables stay in the decision: reports show them.
ReuseDecision ReuseDecision::kept(Refusal R) const {
  ReuseDecision Kept;
  Kept.NotPrivate = NotPrivate;
  Kept.NotTrimmed = NotTrimmed;
  Kept.NotInPlace = NotInPlace;
  Kept.Variables = Variables;
  Kept.Refused = std::move(R);
  Kept.MostBytes = MostBytes;
  Kept.BytesBefore = Kept.BytesAfter = BytesBefore;
  Kept.BlocksBefore = Kept.BlocksAfter = BlocksBefore;
  Kept.LowerBound = LowerBound;
  Kept.IsOptimal = IsOptimal;
  return Kept;
}

static void printCost(const LayoutDecision &D, raw_ostream &OS) {
  OS << "wavefronts ";
  printCount(D.Cost.Before, OS);
  OS << " -> ";
  printCount(D.Cost.After, OS);
  OS << ", bound ";
  printCount(D.Cost.Bound, OS);
  if (!D.IsExact)
    OS << " (estimated)";
  if (D.Proof == Certificate::None)
    return;
  OS << ": " << getName(D.Proof);
  if (D.Proof == Certificate::BestFound) {
    OS << ", gap ";
    printCount(D.Cost.After - D.Cost.Bound, OS);
  }
}

std::optional<uint64_t>
ReuseDecision::newBytesOf(ArrayId Array, const ArrayShape &Shape) const {
  if (is_contained(Private, Array))
    return 0;
  for (const TrimmedArray &Each : Trimmed)
    if (Each.Array == Array && !Shape.Extents.empty())
      return Shape.numElements() / Shape.Extents.front() * Each.Extent *
             Shape.ElementSize;
  return std::nullopt;
}

uint64_t
ReuseDecision::dynamicBytesOf(const clang::FunctionDecl *Instance) const {
  for (const DynamicLaunch &Each : Launches)
    if (Each.Call->getDirectCallee()->getCanonicalDecl() ==
        Instance->getCanonicalDecl())
      return Each.Bytes;
  return 0;
}

bool Plan::isRewritten() const {
  return (Reuse && Reuse->isRewritten()) ||
         any_of(Rewrites,
                [](const RewriteDecision &D) { return D.isRewritten(); }) ||
         any_of(Layouts,
                [](const auto &Layout) { return Layout.second.isRewritten(); });
}

KernelRewrite::~KernelRewrite() = default;

/// Returns the shape of an array in the first instance that declares it; null
/// if there is none.
static const ArrayShape *findShape(const Kernel &K, ArrayId Id) {
  for (const auto &Instance : K.Instances)
    if (Id < Instance->Shapes.size() && !Instance->Shapes[Id].Extents.empty())
      return &Instance->Shapes[Id];
  return nullptr;
}

SmallVector<unsigned, 8> listVariables(const StorageNode &Tree) {
  SmallVector<unsigned, 8> Found;
  if (Tree.What == StorageNode::Kind::Variable)
    Found.push_back(Tree.Variable);
  for (const StorageNode &Member : Tree.Members)
    append_range(Found, listVariables(Member));
  return Found;
}

SmallVector<const clang::FunctionDecl *, 2> ReuseDecision::callees() const {
  SmallVector<const clang::FunctionDecl *, 2> Found;
  for (const StorageNode &Object : Objects)
    for (unsigned V : listVariables(Object))
      if (const clang::FunctionDecl *Owner = Variables[V].owner();
          !Owner->hasAttr<clang::CUDAGlobalAttr>() &&
          !is_contained(Found, Owner))
        Found.push_back(Owner);
  return Found;
}

const clang::FunctionDecl *StoredVariable::owner() const {
  return cast<clang::FunctionDecl>(Decl->getParentFunctionOrMethod());
}

/// Prints a tree: "a", "(a | b)" for a union, "(a + b | c)" for a union with a
/// struct, "(a | 256 + b)" with a gap of 256 bytes.
static void printTree(const StorageNode &Tree, const ReuseDecision &Reuse,
                      raw_ostream &OS) {
  if (Tree.What == StorageNode::Kind::Variable) {
    OS << Reuse.Variables[Tree.Variable].Name;
    return;
  }
  if (Tree.What == StorageNode::Kind::Gap) {
    OS << Tree.Bytes;
    return;
  }
  const bool IsSequence = Tree.What == StorageNode::Kind::Sequence;
  OS << (IsSequence ? "" : "(");
  ListSeparator Separator(IsSequence ? " + " : " | ");
  for (const StorageNode &Member : Tree.Members) {
    OS << Separator;
    printTree(Member, Reuse, OS);
  }
  OS << (IsSequence ? "" : ")");
}

static void printReuse(const Kernel &K, const ReuseDecision &Reuse,
                       raw_ostream &OS) {
  for (const StaysShared &Each : Reuse.NotPrivate)
    OS << "  share " << K.Arrays[Each.Array].Name << ": " << Each.Refused.text()
       << '\n';
  for (const StaysShared &Each : Reuse.NotTrimmed)
    OS << "  keep rows of " << K.Arrays[Each.Array].Name << ": "
       << Each.Refused.text() << '\n';
  for (const StaysApart &Each : Reuse.NotInPlace)
    OS << "  apart " << Each.Dying << ' ' << Each.Born << ": "
       << Each.Refused.text() << '\n';
  if (!Reuse.isRewritten()) {
    // Most kernels have too few variables to share; that is not worth a line.
    if (Reuse.Refused && Reuse.Refused->Why != Reason::FewVariables)
      OS << "  keep storage: " << Reuse.Refused->text() << '\n';
    return;
  }
  if (!Reuse.Private.empty()) {
    OS << "  private ";
    ListSeparator Separator;
    for (ArrayId Id : Reuse.Private)
      OS << Separator << K.Arrays[Id].Name;
    OS << '\n';
  }
  for (const TrimmedArray &Each : Reuse.Trimmed)
    OS << "  trim " << K.Arrays[Each.Array].Name << " to " << Each.Extent
       << '\n';
  OS << "  storage";
  for (const StorageNode &Object : Reuse.Objects) {
    OS << ' ';
    printTree(Object, Reuse, OS);
  }
  OS << ": bytes " << Reuse.BytesBefore << " -> " << Reuse.BytesAfter
     << ", bound " << Reuse.LowerBound << "; blocks " << Reuse.BlocksBefore
     << " -> " << Reuse.BlocksAfter << "; barriers added "
     << Reuse.NewBarriers.size() << "; " << getName(Reuse.Rests) << '\n';
  for (const InPlacePair &Pair : Reuse.InPlace)
    OS << "  in place " << Reuse.Variables[Pair.A].Name << ' '
       << Reuse.Variables[Pair.B].Name << '\n';
  if (Reuse.NumCombinations)
    OS << "  layouts chosen one by one: " << Reuse.NumCombinations
       << " combinations are too many\n";
  if (Reuse.Launches.empty())
    return;
  OS << "  dynamic ";
  printTree(Reuse.Objects.back(), Reuse, OS);
  OS << ": bytes";
  for (const DynamicLaunch &Each : Reuse.Launches)
    OS << ' ' << Each.Bytes << " of " << Each.Kernel;
  OS << '\n';
}

void Plan::print(const Kernel &K, raw_ostream &OS) const {
  OS << "plan " << K.Name << '\n';
  for (const auto &[Id, Decision] : Layouts) {
    StringRef Name = K.Arrays[Id].Name;
    const ArrayShape *Shape = findShape(K, Id);
    if (!Decision.isRewritten() || !Shape) {
      OS << "  keep " << Name << ": "
         << (Decision.Refused ? Decision.Refused->text() : "") << '\n';
      continue;
    }
    OS << "  layout " << Name << ' ' << Layout().text(*Shape) << " -> "
       << Decision.New.text(*Shape) << ": ";
    printCost(Decision, OS);
    OS << ", " << getName(Decision.Rests) << '\n';
  }
  if (Order && Order->IsApplied)
    OS << "  another order of statements\n";
  else if (Order && Order->Refused)
    OS << "  keep order: " << Order->Refused->text() << '\n';
  if (Reuse)
    printReuse(K, *Reuse, OS);
  for (const RewriteDecision &Each : Rewrites)
    if (Each.isRewritten())
      Each.Wanted->print(K, OS);
    else
      OS << "  no " << Each.Wanted->describe(K, false).Pass << ": "
         << Each.Refused->text() << '\n';
  for (const Note &Each : Notes)
    OS << "  " << Each.Pass << ' '
       << (Each.Array ? K.Arrays[*Each.Array].Name : K.Name) << '\n';
}

} // namespace cudaopt
