// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Conflict detection without locks. A part enters itself into the atomic state
/// of a cell before it accesses the cell. Of two conflicting accesses, the one
/// whose entry is later in the modification order of the state sees the other's
/// entry, so that at least one of them notices the conflict.
//===----------------------------------------------------------------------===//

#include "GridMemory.h"

#include <bit>

namespace cudaopt::simt {

GridMemory::GridMemory(DeviceMemory &Memory, uint32_t CellSize)
    : CellShift(static_cast<unsigned>(std::countr_zero(CellSize))) {
  for (auto &[Address, A] : Memory.allocations()) {
    if (A.Space == StateSpace::Const || A.Size == 0)
      continue;
    const uint64_t First = Address >> CellShift;
    const uint64_t Count = ((Address + A.Size - 1) >> CellShift) - First + 1;
    // calloc gets zeroed pages, which take no memory before they are used.
    auto *State = static_cast<Cell *>(std::calloc(Count, sizeof(Cell)));
    if (!State) {
      setBroken();
      return;
    }
    ByAllocation[Address] = {First, std::unique_ptr<Cell, Free>(State)};
  }
}

template <class Function>
bool GridPart::forEachCell(const DeviceMemory::Allocation &A, uint64_t Offset,
                           uint32_t Size, Function Enter) {
  if (A.Space == StateSpace::Const)
    return true;
  if (!Last || A.Address != LastAddress) {
    Last = &Grid.ByAllocation.at(A.Address);
    LastAddress = A.Address;
  }
  const uint64_t Begin = (A.Address + Offset) >> Grid.CellShift;
  const uint64_t End = (A.Address + Offset + Size - 1) >> Grid.CellShift;
  for (uint64_t Number = Begin; Number <= End; ++Number)
    if (!Enter(Last->State.get()[Number - Last->First],
               Number << Grid.CellShift)) {
      setBroken();
      return false;
    }
  return true;
}

bool GridPart::read(const DeviceMemory::Allocation &A, uint64_t Offset,
                    uint32_t Size) {
  return forEachCell(A, Offset, Size, [&](GridMemory::Cell &C, uint64_t) {
    uint32_t State = C.load();
    for (;;) {
      const uint32_t Writer = State >> 16, Reader = State & 0xffff;
      if (Writer && Writer != Me)
        return false;
      if (Reader == Me || Reader == Many)
        return true;
      if (C.compare_exchange_weak(State, Writer << 16 | (Reader ? Many : Me)))
        return true;
    }
  });
}

bool GridPart::write(const DeviceMemory::Allocation &A, uint64_t Offset,
                     uint32_t Size) {
  return forEachCell(A, Offset, Size, [&](GridMemory::Cell &C, uint64_t Place) {
    uint32_t State = C.load();
    for (;;) {
      const uint32_t Writer = State >> 16, Reader = State & 0xffff;
      if ((Writer && Writer != Me) || (Reader && Reader != Me))
        return false;
      if (Writer == Me)
        return true;
      if (C.compare_exchange_weak(State, Me << 16 | Reader)) {
        save(A, Place);
        return true;
      }
    }
  });
}

/// Saves the bytes of a cell, of which some may lie outside of the allocation.
void GridPart::save(const DeviceMemory::Allocation &A, uint64_t CellAddress) {
  const uint64_t CellEnd = CellAddress + (uint64_t(1) << Grid.CellShift);
  const uint64_t Begin = std::max(CellAddress, A.Address);
  const uint64_t End = std::min(CellEnd, A.Address + A.Size);
  Byte *Data = A.Data + (Begin - A.Address);
  if (Saved.empty() || Saved.back().Data + Saved.back().Size != Data)
    Saved.push_back({Data, 0});
  Saved.back().Size += End - Begin;
  SavedBytes.insert(SavedBytes.end(), Data, Data + (End - Begin));
}

void GridPart::undo() {
  const Byte *Old = SavedBytes.data();
  for (const SavedRun &Run : Saved) {
    std::memcpy(Run.Data, Old, Run.Size);
    Old += Run.Size;
  }
  Saved.clear();
  SavedBytes.clear();
}

} // namespace cudaopt::simt
