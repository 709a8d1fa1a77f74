// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The shape of the blocks of a launch, and how far it may be believed.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LAUNCHES_BLOCKSHAPE_H
#define CUDAOPT_LAUNCHES_BLOCKSHAPE_H

#include "cudaopt/Launches/Trust.h"

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace clang {
class FunctionDecl;
}

namespace cudaopt {

/// Where the shape of a block is known from, best first. Assumed is one of the
/// shapes that a block of unknown shape may plausibly have: costs are counted
/// for it, but nothing is proved by it.
enum class ShapeOrigin { Option, Mark, Launch, Assumed, LaunchBounds, Unknown };

/// Returns the name in reports: "launch-bounds", ...
llvm::StringRef getName(ShapeOrigin Origin);

/// The largest extents of a block in x, y, z (CUDA programming guide, the same
/// in all compute capabilities).
inline constexpr uint32_t MaxBlockExtents[3] = {1024, 1024, 64};

/// What is known of a launch: the threads of a block in x, y, z, and the blocks
/// of the grid. With origin LaunchBounds or Unknown, Threads is {0, 0, 0} and
/// only the total number of threads is bounded, by \c MaxThreads.
struct BlockShape {
  std::array<uint32_t, 3> Threads = {};
  std::array<uint32_t, 3> Grid = {}; ///< Blocks in x, y, z; 0 if not known.
  uint32_t MaxThreads = 1024;
  /// Bytes of `extern __shared__` memory, if a launch tells.
  std::optional<uint64_t> DynamicBytes;
  ShapeOrigin Origin = ShapeOrigin::Unknown;
  /// True if the shape stands for launches that are not known, beside those
  /// that are. What is proved must hold for these, too; costs are not counted
  /// for them.
  bool IsUnseen = false;

  /// What a fact rests on that uses this shape.
  Trust trust() const {
    return Origin == ShapeOrigin::Assumed ? Trust::Assumed
           : isKnown()                    ? Trust::ClosedWorld
                                          : Trust::Proved;
  }

  bool isKnown() const { return Threads[0] != 0; }
  /// Returns an upper bound of the threads along \p Dimension, whether or not
  /// the shape is known.
  uint32_t maxExtent(unsigned Dimension) const {
    return isKnown() ? Threads[Dimension]
                     : std::min(MaxBlockExtents[Dimension], MaxThreads);
  }
  uint32_t numThreads() const { return Threads[0] * Threads[1] * Threads[2]; }
};

/// Reads the arguments of CUDAOPT_ASSUME_BLOCK in front of \p Kernel; nothing
/// without one, or if it is malformed.
std::optional<std::array<uint32_t, 3>>
findAssumedBlock(const clang::FunctionDecl *Kernel);

/// Reads "X", "X,Y" or "X,Y,Z", positive numbers; what is left out is 1.
std::optional<std::array<uint32_t, 3>> parseExtents(llvm::StringRef Text);

/// The same of numbers that a block may have on all GPUs.
std::optional<std::array<uint32_t, 3>> parseBlock(llvm::StringRef Text);

} // namespace cudaopt

#endif // CUDAOPT_LAUNCHES_BLOCKSHAPE_H
