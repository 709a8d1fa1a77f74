// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a thread has surely written to shared memory itself since the last
/// barrier of the block, on every way to where it reads.
///
///   s[t] = x;           @s + 4 * t is the thread's own
///   s[t] += s[t + 1];   so that the first read sees its own value
///
/// Places are compared by the values of their addresses. A value that a loop
/// changes names one place at a time: whatever was written before it got its
/// present value, was not written on the way on which it got its first one.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_OWNWRITES_H
#define CUDAOPT_LIB_MODEL_OWNWRITES_H

#include "StatementOverlay.h"

#include "llvm/ADT/BitVector.h"

namespace cudaopt {

class OwnWrites {
public:
  OwnWrites(const ir::Function &F, const StatementOverlay &Overlay);

  /// True if the thread wrote all of the \p Width bytes at \p Address before
  /// operation \p Index of \p B.
  bool covers(const ir::Block &B, size_t Index, ir::ValueId Address,
              uint64_t Width) const;

private:
  struct Write {
    const ir::Block *In;
    size_t Index;
    ir::ValueId Base;
    int64_t Offset; ///< Bytes from Base.
    uint64_t Width;
  };
  std::pair<ir::ValueId, int64_t> split(ir::ValueId Address) const;
  void addWrites(const ir::Block &B);
  void solve();

  const ir::Function &F;
  const StatementOverlay &Overlay;
  std::vector<Write> Writes;            ///< In the order of blocks.
  std::vector<llvm::BitVector> AtStart; ///< By block: what is written.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_OWNWRITES_H
