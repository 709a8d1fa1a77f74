// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A set of items as a bit vector. All operands of an operation must have been
/// constructed for the same number of items.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_ITEMSET_H
#define CUDAOPT_LIB_PLACEMENT_ITEMSET_H

#include "cudaopt/Placement/Problem.h"

#include <bit>

namespace cudaopt {

class ItemSet {
public:
  explicit ItemSet(size_t Count) : Words((Count + 63) / 64) {}

  void insert(ItemId I) { Words[I / 64] |= uint64_t(1) << I % 64; }
  void erase(ItemId I) { Words[I / 64] &= ~(uint64_t(1) << I % 64); }
  bool contains(ItemId I) const { return Words[I / 64] >> I % 64 & 1; }

  bool empty() const {
    for (uint64_t Word : Words)
      if (Word)
        return false;
    return true;
  }

  size_t size() const {
    size_t Size = 0;
    for (uint64_t Word : Words)
      Size += std::popcount(Word);
    return Size;
  }

  bool isSubsetOf(const ItemSet &Other) const {
    for (size_t W = 0; W < Words.size(); ++W)
      if (Words[W] & ~Other.Words[W])
        return false;
    return true;
  }

  ItemSet &operator|=(const ItemSet &Other) {
    for (size_t W = 0; W < Words.size(); ++W)
      Words[W] |= Other.Words[W];
    return *this;
  }
  ItemSet &operator&=(const ItemSet &Other) {
    for (size_t W = 0; W < Words.size(); ++W)
      Words[W] &= Other.Words[W];
    return *this;
  }
  ItemSet &operator-=(const ItemSet &Other) {
    for (size_t W = 0; W < Words.size(); ++W)
      Words[W] &= ~Other.Words[W];
    return *this;
  }
  bool operator==(const ItemSet &) const = default;

  /// Returns the least member. The set must not be empty.
  ItemId first() const {
    size_t W = 0;
    while (!Words[W])
      ++W;
    return W * 64 + std::countr_zero(Words[W]);
  }

  /// Calls \p F for each member, in ascending order.
  template <typename Function> void forEach(Function F) const {
    for (size_t W = 0; W < Words.size(); ++W)
      for (uint64_t Rest = Words[W]; Rest; Rest &= Rest - 1)
        F(ItemId(W * 64 + std::countr_zero(Rest)));
  }

private:
  std::vector<uint64_t> Words;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_ITEMSET_H
