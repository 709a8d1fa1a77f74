// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds accesses to global memory that nothing orders. Within a block the
/// rules are those of shared memory (RaceDetector.h); no barrier orders two
/// blocks. A block is ordered behind another one only if it acquires what the
/// other released: if it reads, atomically or volatile, where the other wrote
/// so after a fence.
///
///   data = ...; __threadfence(); atomicInc(&Count)   block 0
///   atomicInc(&Count); ... = data                    block 1: ordered
///
/// A cell remembers two writers and two readers. The first of each is kept if
/// it belongs to an earlier block, so that an access of another block finds it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_GLOBALRACES_H
#define CUDAOPT_LIB_SIMT_GLOBALRACES_H

#include "RaceDetector.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace cudaopt::simt {

/// The race detector for the global memory of a launch.
class GlobalRaces {
public:
  /// \p Order knows the barriers of the block. Memory is observed in cells of
  /// \p CellSize bytes, a power of two, which must not exceed the narrowest
  /// access.
  GlobalRaces(const RaceDetector &Order, uint32_t CellSize)
      : Order(Order), CellSize(CellSize),
        CellShift(static_cast<unsigned>(std::countr_zero(CellSize))) {}

  void startBlock(std::array<uint32_t, 3> Block) {
    Blocks.push_back({Order.now(), Block});
    IsFenced = false;
    Known.clear();
  }
  /// Records a fence: what the block did before it is released by its next
  /// atomic write.
  void fence() { IsFenced = true; }

  /// Records an access. Returns an earlier access that it races with,
  /// preferably one of another block or else of another warp; one with Time 0
  /// if there is none.
  CellAccess read(PhysMemAddr Address, uint32_t Size, CellAccess By) {
    CellAccess Found;
    By.Time = Order.now();
    if (By.isAtomic())
      acquire(Address);
    forEachCell(Address, Size, [&](Cell &C, uint32_t) {
      choose(Found, C.Writers, By);
      note(C.Readers, By);
    });
    return Found;
  }
  CellAccess write(PhysMemAddr Address, uint32_t Size, CellAccess By,
                   const WrittenBytes &Content) {
    CellAccess Found;
    By.Time = Order.now();
    if (By.isAtomic()) {
      acquire(Address);
      release(Address);
    }
    forEachCell(Address, Size, [&](Cell &C, uint32_t At) {
      choose(Found, C.Readers, By);
      if (Content.differ(At, std::min(CellSize, Size - At)))
        choose(Found, C.Writers, By);
      note(C.Writers, By);
    });
    return Found;
  }

  /// Returns true if a write would race with a read.
  bool isReadUnordered(PhysMemAddr Address, uint32_t Size, CellAccess By) {
    CellAccess Found;
    By.Time = Order.now();
    forEachCell(Address, Size,
                [&](Cell &C, uint32_t) { choose(Found, C.Readers, By); });
    return Found.Time != 0;
  }

  /// Returns true if the access is one of the block that runs.
  bool isOfThisBlock(const CellAccess &Access) const {
    return Access.Time >= Blocks.back().Start;
  }
  /// Returns the index of the block that made an access.
  std::array<uint32_t, 3> blockOf(const CellAccess &Access) const {
    return Blocks[numberOf(Access)].Index;
  }

private:
  using Pair = std::array<CellAccess, 2>;
  struct Cell {
    Pair Writers, Readers;
  };
  static constexpr unsigned CellsOfPage = 256;
  using Page = std::array<Cell, CellsOfPage>;
  /// A block that ran, and the time when it started.
  struct StartedBlock {
    uint64_t Start;
    std::array<uint32_t, 3> Index;
  };

  template <class Function>
  void forEachCell(PhysMemAddr Address, uint32_t Size, Function Body) {
    for (uint32_t At = 0; At < Size; At += CellSize) {
      PhysMemAddr Number = (Address + At) >> CellShift;
      if (!LastPage || Number / CellsOfPage != LastNumber) {
        LastNumber = Number / CellsOfPage;
        std::unique_ptr<Page> &P = Pages[LastNumber];
        if (!P)
          P = std::make_unique<Page>();
        LastPage = P.get();
      }
      Body((*LastPage)[Number % CellsOfPage], At);
    }
  }

  /// Returns the number of the block that made an access, in the order of
  /// execution.
  unsigned numberOf(const CellAccess &Access) const {
    auto Next = std::upper_bound(
        Blocks.begin(), Blocks.end(), Access.Time,
        [](uint64_t Time, const StartedBlock &B) { return Time < B.Start; });
    return static_cast<unsigned>(Next - Blocks.begin()) - 1;
  }

  /// Blocks whose effects were released at an address become known to this
  /// block.
  void acquire(PhysMemAddr Address) {
    if (auto Found = Released.find(Address); Found != Released.end())
      Known |= Found->second;
  }
  /// Releases what this block did before its last fence, and what it knows of.
  void release(PhysMemAddr Address) {
    if (!IsFenced)
      return;
    llvm::BitVector &Told = Released[Address];
    Told |= Known;
    if (Told.size() < Blocks.size())
      Told.resize(static_cast<unsigned>(Blocks.size()));
    Told.set(static_cast<unsigned>(Blocks.size()) - 1);
  }

  bool races(const CellAccess &Earlier, const CellAccess &Later) const {
    if (Earlier.Time == 0 || (Earlier.isAtomic() && Later.isAtomic()))
      return false;
    if (isOfThisBlock(Earlier))
      return Earlier.Thread != Later.Thread && !Order.isOrdered(Earlier, Later);
    unsigned Number = numberOf(Earlier);
    return Number >= Known.size() || !Known[Number];
  }
  void choose(CellAccess &Best, const Pair &Earlier,
              const CellAccess &Later) const {
    auto IsOfWarp = [&](const CellAccess &Access) {
      return isOfThisBlock(Access) && Access.warp() == Later.warp();
    };
    for (const CellAccess &Access : Earlier)
      if (races(Access, Later) &&
          (Best.Time == 0 || (IsOfWarp(Best) && !IsOfWarp(Access))))
        Best = Access;
  }
  /// Returns true if \p New may replace \p Old in a cell: whatever races with
  /// \p Old from now on races with \p New, too.
  bool replaces(const CellAccess &New, const CellAccess &Old) const {
    if (Old.Time == 0)
      return true;
    if (!isOfThisBlock(Old) || (New.isAtomic() && !Old.isAtomic()))
      return false;
    return Old.Thread == New.Thread || Order.isOrdered(Old, New);
  }
  void note(Pair &Accesses, const CellAccess &New) const {
    auto &[First, Second] = Accesses;
    if (replaces(New, First))
      First = New;
    else if (replaces(New, Second) || !isOfThisBlock(Second) ||
             (First.warp() == Second.warp() && New.warp() != First.warp()))
      Second = New;
  }

  const RaceDetector &Order;
  uint32_t CellSize;
  unsigned CellShift;
  /// In the order of execution; the last one runs.
  std::vector<StartedBlock> Blocks;
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> Pages;
  uint64_t LastNumber = 0;
  Page *LastPage = nullptr;
  bool IsFenced = false;
  /// The blocks whose effects happen before what this block does now.
  llvm::BitVector Known;
  /// Indexed by address of an atomic write: the blocks whose effects were
  /// released there.
  llvm::DenseMap<PhysMemAddr, llvm::BitVector> Released;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_GLOBALRACES_H
