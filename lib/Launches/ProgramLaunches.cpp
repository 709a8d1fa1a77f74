// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the launches of a file, and stores them as MessagePack: an array
/// with five entries for each kernel (name, whether it is open, file and line
/// where it was first seen to be, launches), of which the last is an array of
/// 13 entries for each launch (its file, and the numbers of encode()).
//===----------------------------------------------------------------------===//

#include "cudaopt/Launches/ProgramLaunches.h"
#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Launches/LaunchTable.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include <set>
#include <tuple>

using namespace clang;
using llvm::ArrayRef;
namespace msgpack = llvm::msgpack;

namespace cudaopt {

void KernelUse::add(const KernelUse &Other) {
  Launches.insert(Launches.end(), Other.Launches.begin(), Other.Launches.end());
  if (Other.IsOpen && !IsOpen) {
    IsOpen = true;
    OpenFile = Other.OpenFile;
    OpenLine = Other.OpenLine;
  }
}

void ProgramLaunches::add(const ProgramLaunches &Other) {
  for (const auto &[Name, Use] : Other.Kernels)
    Kernels[Name].add(Use);
}

void ProgramLaunches::dropLines() {
  for (auto &[Name, Use] : Kernels) {
    Use.OpenLine = 0;
    for (PlacedLaunch &Launch : Use.Launches)
      Launch.Line = 0;
  }
}

/// Returns the functions that a file names, kernels or not, each with the place
/// of the first mention: in another file, a kernel may be declared as a plain
/// function, to take its address.
static llvm::MapVector<const FunctionDecl *, SourceLocation>
findNamedFunctions(const ASTContext &Context) {
  llvm::MapVector<const FunctionDecl *, SourceLocation> Found;
  for (const DeclRefExpr *Ref :
       ownNodes<DeclRefExpr>(Context, {.Implicit = true, .Instances = true})) {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (Function && !Function->isDependentContext() &&
        Function->isExternallyVisible())
      Found.try_emplace(Function->getCanonicalDecl(), Ref->getLocation());
  }
  return Found;
}

/// A function that is not defined in this file, and not known to be a kernel,
/// may be a kernel that is declared as a plain function: naming it makes that
/// kernel open.
ProgramLaunches scanLaunches(ASTContext &Context) {
  const LaunchTable Launches(Context);
  ProgramLaunches Result;
  for (auto [Function, Loc] : findNamedFunctions(Context)) {
    const bool IsKernel = Function->hasAttr<CUDAGlobalAttr>();
    if (!IsKernel && (Function->isDefined() || isOfSystem(Function)))
      continue;
    KernelUse &Use = Result.Kernels[nameInObjects(Function)];
    if (IsKernel) {
      Launches.addTo(Use, Function);
    } else if (!Use.IsOpen) {
      Use.IsOpen = true;
      std::tie(Use.OpenFile, Use.OpenLine) =
          findLine(Loc, Context.getSourceManager());
    }
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {

/// A launch as a sortable key: file and line first. Sorting makes the bytes
/// independent of the order in which launches were added.
class LaunchWord {
public:
  void put(uint64_t Number) { Numbers.push_back(Number); }
  auto operator<=>(const LaunchWord &) const = default;

  std::string File;
  std::vector<uint64_t> Numbers;
};

} // namespace

/// The numbers of a launch: its line and all members of its BlockShape.
static constexpr size_t NumLaunchNumbers = 12;

static LaunchWord encode(const PlacedLaunch &Launch) {
  const BlockShape &Block = Launch.Block;
  LaunchWord Word;
  Word.File = Launch.File;
  Word.put(Launch.Line);
  for (uint32_t Extent : Block.Threads)
    Word.put(Extent);
  for (uint32_t Extent : Block.Grid)
    Word.put(Extent);
  Word.put(Block.MaxThreads);
  Word.put(Block.DynamicBytes.has_value());
  Word.put(Block.DynamicBytes.value_or(0));
  Word.put(uint64_t(Block.Origin));
  Word.put(Block.IsUnseen);
  return Word;
}

/// Rebuilds a launch from the numbers of encode().
static PlacedLaunch decode(std::string File, ArrayRef<uint64_t> Numbers) {
  PlacedLaunch Launch;
  BlockShape &Block = Launch.Block;
  Launch.File = std::move(File);
  auto Take = [&] {
    const uint64_t Number = Numbers.front();
    Numbers = Numbers.drop_front();
    return Number;
  };
  Launch.Line = Take();
  for (uint32_t &Extent : Block.Threads)
    Extent = Take();
  for (uint32_t &Extent : Block.Grid)
    Extent = Take();
  Block.MaxThreads = Take();
  const bool HasDynamicBytes = Take();
  const uint64_t DynamicBytes = Take();
  if (HasDynamicBytes)
    Block.DynamicBytes = DynamicBytes;
  Block.Origin = ShapeOrigin(Take());
  Block.IsUnseen = Take();
  return Launch;
}

/// Writes five nodes for each kernel: its name, whether, in which file and on
/// which line it is open, and its launches.
std::string ProgramLaunches::pack() const {
  msgpack::Document Document;
  auto Text = [&](StringRef Each) {
    return Document.getNode(Each, /*Copy=*/true);
  };
  msgpack::ArrayDocNode Root = Document.getRoot().getArray(/*Convert=*/true);
  for (const auto &[Name, Use] : Kernels) {
    std::set<LaunchWord> Words;
    for (const PlacedLaunch &Launch : Use.Launches)
      Words.insert(encode(Launch));
    msgpack::ArrayDocNode Launches = Document.getArrayNode();
    for (const LaunchWord &Word : Words) {
      Launches.push_back(Text(Word.File));
      for (uint64_t Number : Word.Numbers)
        Launches.push_back(Document.getNode(Number));
    }
    Root.push_back(Text(Name));
    Root.push_back(Document.getNode(Use.IsOpen));
    Root.push_back(Text(Use.OpenFile));
    Root.push_back(Document.getNode(uint64_t(Use.OpenLine)));
    Root.push_back(Launches);
  }
  std::string Bytes;
  Document.writeToBlob(Bytes);
  return Bytes;
}

/// Returns false if the nodes are not what pack() writes: the bytes may come
/// from a file that another version has written.
static bool readLaunches(msgpack::ArrayDocNode Nodes, KernelUse &Use) {
  constexpr size_t NumParts = 1 + NumLaunchNumbers;
  if (Nodes.size() % NumParts)
    return false;
  for (size_t I = 0; I != Nodes.size(); I += NumParts) {
    std::vector<uint64_t> Numbers;
    for (size_t Part = 1; Part != NumParts; ++Part) {
      if (Nodes[I + Part].getKind() != msgpack::Type::UInt)
        return false;
      Numbers.push_back(Nodes[I + Part].getUInt());
    }
    if (!Nodes[I].isString())
      return false;
    Use.Launches.push_back(decode(Nodes[I].getString().str(), Numbers));
  }
  return true;
}

std::optional<ProgramLaunches> ProgramLaunches::unpack(StringRef Bytes) {
  msgpack::Document Document;
  if (!Document.readFromBlob(Bytes, /*Multi=*/false) ||
      !Document.getRoot().isArray())
    return std::nullopt;
  msgpack::ArrayDocNode Root = Document.getRoot().getArray();
  ProgramLaunches Result;
  constexpr size_t NumParts = 5;
  if (Root.size() % NumParts)
    return std::nullopt;
  for (size_t I = 0; I != Root.size(); I += NumParts) {
    if (!Root[I].isString() ||
        Root[I + 1].getKind() != msgpack::Type::Boolean ||
        !Root[I + 2].isString() ||
        Root[I + 3].getKind() != msgpack::Type::UInt || !Root[I + 4].isArray())
      return std::nullopt;
    KernelUse &Use = Result.Kernels[Root[I].getString().str()];
    Use.IsOpen = Root[I + 1].getBool();
    Use.OpenFile = Root[I + 2].getString().str();
    Use.OpenLine = Root[I + 3].getUInt();
    if (!readLaunches(Root[I + 4].getArray(), Use))
      return std::nullopt;
  }
  return Result;
}

} // namespace cudaopt
