// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parts of a grid that run at the same time, and what they do to global
/// memory. A cell that a part writes must be no other part's; else the result
/// would depend on which part is first. What parts wrote can be taken back.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_GRIDMEMORY_H
#define CUDAOPT_LIB_SIMT_GRIDMEMORY_H

#include "cudaopt/Machine/Memory.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

namespace cudaopt::simt {

class GridMemory {
public:
  /// No access is narrower than \p CellSize bytes, a power of two. Broken from
  /// the start where there is no memory for all cells.
  GridMemory(DeviceMemory &Memory, uint32_t CellSize);

  /// True if two parts accessed the same cell and one wrote it, or a part did
  /// what shows in which order parts run.
  bool isBroken() const { return Broken.load(std::memory_order_relaxed); }
  void setBroken() { Broken = true; }

private:
  friend class GridPart;
  /// The part that wrote a cell in the upper half, the one that read it in the
  /// lower half; parts count from 1.
  using Cell = std::atomic<uint32_t>;
  static_assert(sizeof(Cell) == sizeof(uint32_t) && Cell::is_always_lock_free);
  struct Free {
    void operator()(void *Data) const { std::free(Data); }
  };
  struct Cells {
    uint64_t First; ///< The number of the first one: its address over its size.
    std::unique_ptr<Cell, Free> State;
  };

  std::map<PhysMemAddr, Cells> ByAllocation;
  unsigned CellShift;
  std::atomic<bool> Broken = false;
};

/// One part, for the thread that runs it.
class GridPart {
public:
  static constexpr uint32_t MaxParts = 1 << 15;

  GridPart(GridMemory &Grid, uint32_t Number) : Grid(Grid), Me(Number + 1) {}

  bool isBroken() const { return Grid.isBroken(); }
  void setBroken() { Grid.setBroken(); }
  /// Both return false if another part is in the way: the access must not take
  /// place, and the grid is broken.
  bool read(const DeviceMemory::Allocation &A, uint64_t Offset, uint32_t Size);
  bool write(const DeviceMemory::Allocation &A, uint64_t Offset, uint32_t Size);
  /// Restores what the part wrote.
  void undo();

private:
  static constexpr uint32_t Many = 0xffff; ///< More than one part reads.
  /// Bytes side by side that were saved one after the other.
  struct SavedRun {
    Byte *Data;
    uint64_t Size;
  };

  /// Calls \p Enter with each cell until it returns false.
  template <class Function>
  bool forEachCell(const DeviceMemory::Allocation &A, uint64_t Offset,
                   uint32_t Size, Function Enter);
  void save(const DeviceMemory::Allocation &A, uint64_t CellAddress);

  GridMemory &Grid;
  uint32_t Me;
  PhysMemAddr LastAddress = 0; ///< Of the allocation accessed last.
  GridMemory::Cells *Last = nullptr;
  std::vector<SavedRun> Saved;
  std::vector<Byte> SavedBytes; ///< Of all runs.
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_GRIDMEMORY_H
