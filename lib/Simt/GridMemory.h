// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Detects conflicts between parts of a grid that run at the same time. A cell
/// of global memory that one part writes must not be accessed by another part,
/// or the result would depend on which one is first. If there is a conflict,
/// the grid is broken: what the parts wrote is undone, and the blocks run one
/// after the other.
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

/// Which parts accessed which cells, for all allocations of a memory.
class GridMemory {
public:
  /// No access may be narrower than \p CellSize bytes, a power of two. The grid
  /// is broken from the start if there is no memory for the state of all cells.
  GridMemory(DeviceMemory &Memory, uint32_t CellSize);

  /// Returns true if two parts accessed the same cell and one wrote it, or if a
  /// part did something that reveals the order of parts, such as an atomic
  /// operation.
  bool isBroken() const { return Broken.load(std::memory_order_relaxed); }
  void setBroken() { Broken = true; }

private:
  friend class GridPart;
  /// The upper half is the part that wrote the cell, the lower half the part
  /// that read it, or GridPart::Many; parts are counted from 1, and 0 is none.
  using Cell = std::atomic<uint32_t>;
  static_assert(sizeof(Cell) == sizeof(uint32_t) && Cell::is_always_lock_free);
  struct Free {
    void operator()(void *Data) const { std::free(Data); }
  };
  /// The cells of an allocation.
  struct Cells {
    /// The number of the first cell: its address divided by the size of cells.
    uint64_t First;
    std::unique_ptr<Cell, Free> State;
  };

  std::map<PhysMemAddr, Cells> ByAllocation;
  unsigned CellShift;
  std::atomic<bool> Broken = false;
};

/// A part of a grid, for the thread that runs it.
class GridPart {
public:
  static constexpr uint32_t MaxParts = 1 << 15;

  GridPart(GridMemory &Grid, uint32_t Number) : Grid(Grid), Me(Number + 1) {}

  bool isBroken() const { return Grid.isBroken(); }
  void setBroken() { Grid.setBroken(); }
  /// Registers an access. Both return false if another part is in conflict: the
  /// access must then not take place, and the grid is broken.
  bool read(const DeviceMemory::Allocation &A, uint64_t Offset, uint32_t Size);
  bool write(const DeviceMemory::Allocation &A, uint64_t Offset, uint32_t Size);
  /// Restores the bytes that the part wrote.
  void undo();

private:
  /// Stands for several parts that read a cell.
  static constexpr uint32_t Many = 0xffff;
  /// Adjacent bytes whose old contents were saved one after the other.
  struct SavedRun {
    Byte *Data;
    uint64_t Size;
  };

  /// Calls \p Enter with each cell of an access until it returns false, which
  /// breaks the grid.
  template <class Function>
  bool forEachCell(const DeviceMemory::Allocation &A, uint64_t Offset,
                   uint32_t Size, Function Enter);
  /// Saves the bytes of a cell before their first change.
  void save(const DeviceMemory::Allocation &A, uint64_t CellAddress);

  GridMemory &Grid;
  uint32_t Me;
  /// The address of the allocation that was accessed last; Last are its cells.
  PhysMemAddr LastAddress = 0;
  GridMemory::Cells *Last = nullptr;
  std::vector<SavedRun> Saved;
  std::vector<Byte> SavedBytes; ///< The old contents of all runs.
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_GRIDMEMORY_H
