// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The texts that a compiler gets in place of a source and of headers of it,
/// all in one folder, in which no name has to lead out of it:
///
///   a.o.cuda-opt/a.cu       #line 1 "a.cu"    #include "1.tile.h"
///   a.o.cuda-opt/1.tile.h   #line 1 "tile.h"
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_OVERLAY_H
#define CUDAOPT_FRONTEND_OVERLAY_H

#include "cudaopt/Frontend/Pipeline.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudaopt {

struct OverlayFile {
  std::string Name;     ///< In the folder.
  std::string Original; ///< As messages and dependencies shall name it.
  std::string Text;
};

/// The source first; nothing if nothing changes. \p File names the source as
/// the user wrote it, \p Text is what it contains. Fails if a file changes that
/// cannot be replaced.
llvm::Expected<std::vector<OverlayFile>>
buildOverlay(llvm::StringRef File, llvm::StringRef Text,
             const PipelineResult &Result);

/// As the bytes of one file, and back.
std::string packOverlay(llvm::ArrayRef<OverlayFile> Files, ProgramNeed Need);
llvm::Expected<std::vector<OverlayFile>> unpackOverlay(llvm::StringRef Bytes);
ProgramNeed unpackProgramNeed(llvm::StringRef Bytes);

/// Writes \p Files to \p Folder, and removes what else lies there; fails if
/// the folder is none of ours.
llvm::Error writeOverlay(llvm::StringRef Folder,
                         llvm::ArrayRef<OverlayFile> Files);
/// Removes \p Folder and the files in it, if it is ours.
void removeOverlay(llvm::StringRef Folder);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_OVERLAY_H
