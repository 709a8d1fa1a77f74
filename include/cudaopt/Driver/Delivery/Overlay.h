// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The overlay: the texts that a launched compiler gets in place of a source
/// and some of its headers, while the user's files stay untouched. They lie in
/// one folder beside the product and include each other by names in that
/// folder; `#line` makes messages and debug information name the originals:
///
///   a.o.cuda-opt/a.cu       #line 1 "a.cu"    #include "1.tile.h"
///   a.o.cuda-opt/1.tile.h   #line 1 "tile.h"
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_DELIVERY_OVERLAY_H
#define CUDAOPT_DRIVER_DELIVERY_OVERLAY_H

#include "cudaopt/Driver/Pipeline/Pipeline.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudaopt {

struct OverlayFile {
  std::string Name;     ///< The file name in the folder.
  std::string Original; ///< The name that messages and dependency files use.
  std::string Text;
};

/// Returns the overlay for \p Result, the source first; an empty list if no
/// file changes. \p File names the source as the user wrote it, \p Text is its
/// original text. Fails if a file would change that cannot be replaced.
llvm::Expected<std::vector<OverlayFile>>
buildOverlay(llvm::StringRef File, llvm::StringRef Text,
             const PipelineResult &Result);

/// Serialise an overlay, with the need for other files' launches, into the
/// bytes of one file, and read it back. If the need cannot be read, the
/// strictest is returned.
std::string packOverlay(llvm::ArrayRef<OverlayFile> Files, ProgramNeed Need);
llvm::Expected<std::vector<OverlayFile>> unpackOverlay(llvm::StringRef Bytes);
ProgramNeed unpackProgramNeed(llvm::StringRef Bytes);

/// Writes \p Files to \p Folder, and removes the other files there. Fails if
/// the folder was not made by cuda-opt.
llvm::Error writeOverlay(llvm::StringRef Folder,
                         llvm::ArrayRef<OverlayFile> Files);
/// Removes \p Folder with its files if cuda-opt made it.
void removeOverlay(llvm::StringRef Folder);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_DELIVERY_OVERLAY_H
