// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Records what clang resolves; inclusions that #if disables are looked up in
/// the same way as the compiler would.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Scan/InclusionGraph.h"
#include "cudaopt/Driver/Parse/Prelude.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace cudaopt {

static std::string realPathOf(clang::FileEntryRef File) {
  return File.getFileEntry().tryGetRealPathName().str();
}

std::string InclusionGraph::realPathOf(StringRef File) const {
  SmallString<128> Real;
  if (Disk->getRealPath(File, Real))
    return File.str();
  return Real.str().str();
}

/// Returns the file's name without leading "./": two spellings by which the
/// compiler would know the same file.
static StringRef dropDot(StringRef Name) {
  while (Name.consume_front("./"))
    Name = Name.ltrim('/');
  return Name;
}

class InclusionRecorder : public clang::PPCallbacks {
public:
  InclusionRecorder(std::shared_ptr<InclusionGraph> Graph,
                    clang::Preprocessor &PP)
      : Graph(std::move(Graph)), SM(PP.getSourceManager()) {
    const clang::HeaderSearch &HS = PP.getHeaderSearchInfo();
    for (auto I = HS.search_dir_begin(); I != HS.search_dir_end(); ++I)
      if (I->isNormalDir() && !I->isSystemHeaderDirectory())
        this->Graph->Search.push_back(I->getName().str());
  }

  void InclusionDirective(clang::SourceLocation Hash, const clang::Token &,
                          StringRef Spelled, bool IsAngled,
                          clang::CharSourceRange,
                          clang::OptionalFileEntryRef File, StringRef,
                          StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind Kind) override {
    const bool IsSystem = Kind != clang::SrcMgr::C_User;
    if (!File || File->getName() == getPreludePath())
      return;
    // Inclusions between system headers are not recorded as edges; but a user
    // file that a system header includes, too, must not be replaced.
    if (IsSystem && SM.isInSystemHeader(Hash)) {
      OfSystem.insert(&File->getFileEntry());
      if (InclusionGraph::Node *Known = Entered.lookup(&File->getFileEntry()))
        Known->IsSystem = true;
      return;
    }
    InclusionGraph::Node &Target = enter(*File, IsSystem);
    Target.IsQuoted |= !IsAngled;
    const clang::FileID Id = SM.getFileID(Hash);
    clang::OptionalFileEntryRef From = SM.getFileEntryRefForID(Id);
    if (!From) {
      Target.IsOfCommand = true;
      return;
    }
    InclusionGraph::Node &Source = enter(*From, SM.isInSystemHeader(Hash));
    if (Id == SM.getMainFileID())
      Graph->Main = realPathOf(*From);
    Target.Includers.insert(realPathOf(*From));
    Source.Includes[Spelled.str()] = realPathOf(*File);
  }

private:
  /// Returns the node of \p File, and notes whether it was reached by names in
  /// different folders.
  InclusionGraph::Node &enter(clang::FileEntryRef File, bool IsSystem) {
    auto [Place, IsNew] = Graph->Nodes.try_emplace(realPathOf(File));
    InclusionGraph::Node &Result = Place->second;
    const StringRef Name = dropDot(File.getName());
    if (IsNew)
      Result.Name = Name.str();
    else if (Result.Name != Name &&
             Graph->realPathOf(sys::path::parent_path(Result.Name)) !=
                 Graph->realPathOf(sys::path::parent_path(Name)))
      Result.HasOtherFolder = true;
    Entered[&File.getFileEntry()] = &Result;
    Result.IsSystem |= IsSystem || OfSystem.contains(&File.getFileEntry());
    return Result;
  }

  std::shared_ptr<InclusionGraph> Graph;
  const clang::SourceManager &SM;
  DenseMap<const clang::FileEntry *, InclusionGraph::Node *> Entered;
  /// Files that system headers include, too.
  DenseSet<const clang::FileEntry *> OfSystem;
};

std::shared_ptr<const InclusionGraph>
InclusionGraph::record(clang::Preprocessor &PP) {
  auto Graph = std::make_shared<InclusionGraph>();
  Graph->Disk = PP.getFileManager().getVirtualFileSystemPtr();
  PP.addPPCallbacks(std::make_unique<InclusionRecorder>(Graph, PP));
  return Graph;
}

/// A worklist over the edges from included files to their includers.
InclusionGraph::Files InclusionGraph::findClosure(const Files &Changed) const {
  Files Result;
  SmallVector<std::string> Next(Changed.begin(), Changed.end());
  while (!Next.empty()) {
    std::string File = Next.pop_back_val();
    auto Known = Nodes.find(File);
    if (Result.insert(std::move(File)).second && Known != Nodes.end())
      Next.append(Known->second.Includers.begin(),
                  Known->second.Includers.end());
  }
  return Result;
}

std::string InclusionGraph::nameOf(const std::string &File) const {
  auto Known = Nodes.find(File);
  return Known == Nodes.end() ? File : Known->second.Name;
}

bool InclusionGraph::isBeside(const std::string &Includer,
                              const IncludeText &Include) const {
  SmallString<128> Path(sys::path::parent_path(nameOf(Includer)));
  sys::path::append(Path, Include.Spelled);
  return Include.IsQuoted && Disk->exists(Path);
}

std::optional<std::string>
InclusionGraph::resolve(const std::string &Includer,
                        const IncludeText &Include) const {
  auto Known = Nodes.find(Includer);
  if (Known != Nodes.end()) {
    auto Met = Known->second.Includes.find(Include.Spelled);
    if (Met != Known->second.Includes.end())
      return Met->second;
  }
  SmallString<128> Folder;
  if (Include.IsQuoted) {
    Folder = sys::path::parent_path(nameOf(Includer));
    if (Folder.empty())
      Folder = ".";
  }
  std::optional<std::string> Found =
      findInclude(Include.Spelled, Folder, Search, *Disk);
  if (Found)
    Found = realPathOf(*Found);
  return Found;
}

ErrorOr<std::unique_ptr<MemoryBuffer>>
InclusionGraph::readFile(const std::string &File) const {
  return Disk->getBufferForFile(File);
}

std::optional<ScannedIncludes>
InclusionGraph::scanFile(const std::string &File) const {
  auto Buffer = readFile(File);
  if (!Buffer)
    return std::nullopt;
  return scanIncludes((*Buffer)->getBuffer());
}

/// Returns true if a directive of \p File includes one of \p Closure and would
/// not be redirected, directly or through files that clang did not enter. Such
/// a way would lead to the old text.
bool InclusionGraph::leadsTo(const std::string &File, const Files &Closure,
                             Files &Seen) const {
  if (!Seen.insert(File).second)
    return false;
  std::optional<ScannedIncludes> Text = scanFile(File);
  if (!Text)
    return true;
  const bool IsReplaced = Closure.count(File);
  return any_of(Text->Includes, [&](const IncludeText &Include) {
    std::optional<std::string> Target = resolve(File, Include);
    if (!Target)
      // A file outside the folders that we search may be any file of that name.
      return any_of(Closure, [&](StringRef Each) {
        return sys::path::filename(Each) ==
               sys::path::filename(Include.Spelled);
      });
    if (Closure.count(*Target))
      return !IsReplaced;
    auto Known = Nodes.find(*Target);
    // Files that clang has entered are examined on their own.
    return Known == Nodes.end() && leadsTo(*Target, Closure, Seen);
  });
}

/// Returns true if some file, in a region that `#if` disables, includes a file
/// of \p Closure by its old name. The other side of the compilation would then
/// see both texts.
bool InclusionGraph::hasHiddenWay(const Files &Closure) const {
  Files Seen;
  return any_of(Nodes, [&](const auto &Entry) {
    return !Entry.second.IsSystem && leadsTo(Entry.first, Closure, Seen);
  });
}

/// The new text must be seen by every includer, and only under one name: if
/// some way to the old text remained, one compilation would contain both
/// versions. So no file of the closure may be a system header (which others
/// include by their own means), come from the command line, have names in
/// several folders (then `#include` from there would resolve differently), or
/// use directives that cannot be rewritten.
std::string InclusionGraph::findObstacle(const std::string &File) const {
  const Files Closure = findClosure({File});
  for (const std::string &Each : Closure) {
    auto Known = Nodes.find(Each);
    const std::string Name = "'" + nameOf(Each) + "'";
    if (Known == Nodes.end() || Known->second.IsSystem)
      return Name + " is a header of the system";
    if (Known->second.IsOfCommand)
      return Name + " is included by the command line";
    if (Known->second.HasOtherFolder)
      return Name + " has names in several folders";
    std::optional<ScannedIncludes> Text = scanFile(Each);
    if (!Text || Text->IsUnusual)
      return Name + " includes files in an unusual way";
  }
  if (hasHiddenWay(Closure))
    return "it may also be included where #if does not let it be now";
  return "";
}

/// Matches the filter, or, without one, requires an inclusion in quotes and a
/// place below the main file's folder, which distinguish headers of the project
/// from headers of libraries.
bool InclusionGraph::mayChange(const std::string &File,
                               StringRef Filter) const {
  if (!Filter.empty())
    return Regex(Filter).match(File);
  auto Known = Nodes.find(File);
  if (Known == Nodes.end() || !Known->second.IsQuoted)
    return false;
  StringRef Rest = File;
  return Rest.consume_front(sys::path::parent_path(Main)) &&
         sys::path::is_separator(Rest.front());
}

/// The overlay passes the main file's folder as a search folder (-iquote), so
/// that the main file's own includes still work from another place. An include
/// in another file that did not look there before would now find a file there.
std::string InclusionGraph::findAmbiguity() const {
  const StringRef Folder = sys::path::parent_path(Main);
  for (const auto &[File, Each] : Nodes) {
    if (Each.IsSystem || File == Main)
      continue;
    for (const auto &[Spelled, Target] : Each.Includes) {
      SmallString<128> Other(Folder);
      sys::path::append(Other, Spelled);
      const bool IsOther = Disk->exists(Other) && realPathOf(Other) != Target;
      if (IsOther && !isBeside(File, {Spelled, true}))
        return "'" + Spelled + "' in '" + Each.Name + "'";
    }
  }
  return "";
}

} // namespace cudaopt
