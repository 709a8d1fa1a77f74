// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which user files of a translation unit include which. An included file can
/// get another text for one compilation if all files on the way to it can, and
/// if no other way leads there:
///
///   changed:  tile.h          a.cu -> util.h -> tile.h
///   closure:  tile.h util.h a.cu, each of which names the next one's new text
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_INCLUSIONGRAPH_H
#define CUDAOPT_FRONTEND_INCLUSIONGRAPH_H

#include "cudaopt/Frontend/IncludeScan.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace cudaopt {

class InclusionGraph {
public:
  /// Real paths.
  using Files = std::set<std::string>;

  /// Starts to record what \p PP includes.
  static std::shared_ptr<const InclusionGraph> record(clang::Preprocessor &PP);

  /// \p Changed and all files that include one of them, over others, too.
  Files findClosure(const Files &Changed) const;
  /// Why \p File cannot get another text for one compilation; empty if it can.
  std::string findObstacle(const std::string &File) const;
  /// True if the user lets \p File change: if regular expression \p Filter
  /// matches its real path, or, without one, if it is included in quotes and
  /// lies below the folder of the main file.
  bool mayChange(const std::string &File, llvm::StringRef Filter) const;
  /// The name by which messages know \p File.
  std::string nameOf(const std::string &File) const;
  /// What \p Include in \p Includer means; nothing if no file is found.
  std::optional<std::string> resolve(const std::string &Includer,
                                     const IncludeText &Include) const;
  /// True if \p Include is found beside \p Includer.
  bool isBeside(const std::string &Includer, const IncludeText &Include) const;
  /// A file that some header does not find beside itself, and that the folder
  /// of the main file holds, too: "'a.h' in 'b.h'"; empty if there is none.
  /// Were that folder searched for headers, another file would be found.
  std::string findAmbiguity() const;
  /// The text of \p File, as the parse found it.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  readFile(const std::string &File) const;

private:
  friend class InclusionRecorder;
  struct Node {
    std::string Name; ///< As the compiler spells it.
    bool IsSystem = false;
    bool IsQuoted = false;       ///< Somewhere.
    bool IsOfCommand = false;    ///< Included by -include.
    bool HasOtherFolder = false; ///< By another of its names.
    std::set<std::string> Includers;
    std::map<std::string, std::string> Includes; ///< By spelling.
  };
  std::string realPathOf(llvm::StringRef File) const;
  std::optional<ScannedIncludes> scanFile(const std::string &File) const;
  bool leadsTo(const std::string &File, const Files &Closure,
               Files &Seen) const;
  bool hasHiddenWay(const Files &Closure) const;

  /// Of the parse: it records what is looked up here, too.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk;
  std::string Main;
  std::map<std::string, Node> Nodes; ///< By real path.
  std::vector<std::string> Search;   ///< Folders that are no system's.
};

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_INCLUSIONGRAPH_H
