// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes findings about the files of the program that launch a kernel.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Finding.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

/// Returns "b.cu:12". A file below the main file's folder is named relative to
/// the same folder as the main file.
static std::string nameLine(const SourceManager &Sources, StringRef File,
                            unsigned Line) {
  const auto Main = Sources.getFileEntryRefForID(Sources.getMainFileID());
  llvm::SmallString<128> Name(File);
  if (Main) {
    const StringRef Folder =
        llvm::sys::path::parent_path(Main->getFileEntry().tryGetRealPathName());
    if (StringRef Rest = File;
        Rest.consume_front(Folder) && Rest.consume_front("/")) {
      Name = llvm::sys::path::parent_path(Main->getName());
      llvm::sys::path::append(Name, Rest);
    }
  }
  return (Name + ":" + llvm::Twine(Line)).str();
}

/// Returns the block shape as text: "512 x 1".
static std::string nameThreads(const BlockShape &Block) {
  if (!Block.isKnown())
    return "a size that is not known";
  std::string Text = std::to_string(Block.Threads[0]) + " x " +
                     std::to_string(Block.Threads[1]);
  if (Block.Threads[2] != 1)
    Text += " x " + std::to_string(Block.Threads[2]);
  return Text;
}

std::vector<Finding> findLaunches(const Kernel &K,
                                  const SourceManager &Sources) {
  std::vector<Finding> List;
  if (!K.InProgram)
    return List;
  auto Add = [&](diag::Kind What, std::vector<Finding::Argument> Arguments) {
    Finding &F = List.emplace_back();
    F.What = What;
    F.Pass = "launches";
    F.Function = K.Name;
    F.Arguments = std::move(Arguments);
    F.Loc = K.Decl->getLocation();
    F.At = findPlace(F.Loc, Sources);
  };
  // For each block size, the first launch and how many there are.
  llvm::MapVector<StringRef, std::pair<std::string, size_t>,
                  std::map<StringRef, unsigned>>
      Places;
  std::vector<std::string> Sizes;
  for (const PlacedLaunch &Launch : K.InProgram->Launches)
    Sizes.push_back(nameThreads(Launch.Block));
  for (auto [Launch, Size] : llvm::zip(K.InProgram->Launches, Sizes)) {
    auto &[First, Count] = Places[Size];
    if (!Count++)
      First = nameLine(Sources, Launch.File, Launch.Line);
  }
  for (const auto &[Size, Place] : Places) {
    std::string Where = Place.first;
    if (Place.second > 1)
      Where += " (and " + std::to_string(Place.second - 1) + " more)";
    Add(diag::remark_kernel_launched,
        {{"Kernel", K.Name}, {"Place", Where}, {"Threads", Size.str()}});
  }
  if (Places.empty())
    Add(diag::remark_kernel_not_launched, {{"Kernel", K.Name}});
  if (K.InProgram->IsOpen)
    Add(diag::remark_kernel_named,
        {{"Kernel", K.Name},
         {"Place",
          nameLine(Sources, K.InProgram->OpenFile, K.InProgram->OpenLine)}});
  return List;
}

} // namespace cudaopt
