// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a thread has certainly written to shared memory itself since the last
/// barrier of the block, on every path to the place where it reads.
///
///     s[t] = x;           @s + 4 * t is the thread's own
///     s[t] += s[t + 1];   so that the first read sees its own value
///
/// Addresses are compared as values of the IR. A value that a loop changes (a
/// phi) names one place at a time: a write with its present value has not been
/// made on the path on which it got its first one, so no write of an earlier
/// iteration is taken for one of the present iteration.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_OWNWRITES_H
#define CUDAOPT_LIB_MODEL_OWNWRITES_H

#include "StatementOverlay.h"

#include "llvm/ADT/BitVector.h"

namespace cudaopt {

class OwnWrites {
public:
  OwnWrites(const ir::Function &F, const StatementOverlay &Overlay);

  /// Returns true if the thread has written all of the \p Width bytes at
  /// \p Address before operation \p Index of \p B.
  bool covers(const ir::Block &B, size_t Index, ir::ValueId Address,
              uint64_t Width) const;

private:
  struct Write {
    const ir::Block *In;
    size_t Index;
    ir::ValueId Base;
    int64_t Offset; ///< The distance from Base, in bytes.
    uint64_t Width;
  };
  std::pair<ir::ValueId, int64_t> split(ir::ValueId Address) const;
  void addWrites(const ir::Block &B);
  void solve();

  const ir::Function &F;
  const StatementOverlay &Overlay;
  std::vector<Write> Writes; ///< In the order of blocks.
  /// Indexed by block: the writes available at its start.
  std::vector<llvm::BitVector> AtStart;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_OWNWRITES_H
