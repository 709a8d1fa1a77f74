// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The graph of which user files of a translation unit include which. To give a
/// header another text for one compilation, without touching the file, every
/// file on the way from the main file to it must be replaced as well, since
/// each names the next one. That is possible if every way there can be
/// replaced:
///
///   changed:  tile.h          a.cu -> util.h -> tile.h
///   closure:  tile.h util.h a.cu, each of which names the next one's new text
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_SCAN_INCLUSIONGRAPH_H
#define CUDAOPT_DRIVER_SCAN_INCLUSIONGRAPH_H

#include "cudaopt/Driver/Scan/IncludeScan.h"

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

/// Recorded while the preprocessor runs; afterwards it is immutable and
/// independent of clang's data structures.
class InclusionGraph {
public:
  /// A set of files by real path.
  using Files = std::set<std::string>;

  /// Starts to record the inclusions of \p PP. The graph is complete when the
  /// preprocessor has finished.
  static std::shared_ptr<const InclusionGraph> record(clang::Preprocessor &PP);

  /// Returns \p Changed and all files that include one of them, directly or
  /// not.
  Files findClosure(const Files &Changed) const;
  /// Returns why \p File cannot be replaced for one compilation; an empty
  /// string if it can be.
  std::string findObstacle(const std::string &File) const;
  /// Returns true if the user allows edits of \p File: if the regular
  /// expression \p Filter matches its real path or, without a filter, if the
  /// file is included in quotes and lies below the main file's folder.
  bool mayChange(const std::string &File, llvm::StringRef Filter) const;
  /// Returns the name of \p File in messages.
  std::string nameOf(const std::string &File) const;
  /// Returns the file that \p Include in \p Includer leads to; std::nullopt if
  /// none is found.
  std::optional<std::string> resolve(const std::string &Includer,
                                     const IncludeText &Include) const;
  /// Returns true if \p Include is found in the folder of \p Includer.
  bool isBeside(const std::string &Includer, const IncludeText &Include) const;
  /// Returns an inclusion that would change its meaning if the main file's
  /// folder were searched for headers: "'a.h' in 'b.h'", where b.h does not
  /// find a.h beside itself and the main file's folder has an a.h, too. Returns
  /// an empty string if there is none.
  std::string findAmbiguity() const;
  /// Returns the text of \p File as the parse read it.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  readFile(const std::string &File) const;

private:
  friend class InclusionRecorder;
  struct Node {
    std::string Name; ///< The name as the compiler spells it.
    bool IsSystem = false;
    bool IsQuoted = false; ///< Some directive includes it in quotes.
    /// It is included by -include on the command line.
    bool IsOfCommand = false;
    /// Another of its names leads through another folder.
    bool HasOtherFolder = false;
    std::set<std::string> Includers;
    /// The included files, by the spelling of the name.
    std::map<std::string, std::string> Includes;
  };
  std::string realPathOf(llvm::StringRef File) const;
  std::optional<ScannedIncludes> scanFile(const std::string &File) const;
  bool leadsTo(const std::string &File, const Files &Closure,
               Files &Seen) const;
  bool hasHiddenWay(const Files &Closure) const;

  /// The file system of the parse, so that what is looked up here is recorded,
  /// too.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk;
  std::string Main;
  std::map<std::string, Node> Nodes; ///< The files, by real path.
  /// The search folders that are not the system's.
  std::vector<std::string> Search;
};

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_SCAN_INCLUSIONGRAPH_H
