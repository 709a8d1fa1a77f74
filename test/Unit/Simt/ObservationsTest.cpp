// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the user reads: findings, costs, and the listing of a program.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Observations.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

#include <set>

using namespace cudaopt;
using namespace cudaopt::simt;

static constexpr SourceRef Line7 = {0, 7, 3}, Line9 = {0, 9, 5};

/// A program of one file without operations.
static Program emptyProgram() {
  Program P;
  P.Name = "k";
  P.Files = {"k.cu"};
  P.Sites = {{}, Line7, Line9};
  return P;
}

static Finding found(FindingKind Kind, SourceRef Where, SourceRef Other = {}) {
  Finding F;
  F.Kind = Kind;
  F.Where = Where;
  F.Other = Other;
  F.Object = "s";
  return F;
}

// Findings.

TEST(FindingTest, IdsAreDistinct) {
  std::set<llvm::StringRef> Ids;
  for (unsigned Kind = 0; Kind <= unsigned(FindingKind::NoProgress); ++Kind)
    Ids.insert(idOf(FindingKind(Kind)));
  EXPECT_EQ(Ids.size(), unsigned(FindingKind::NoProgress) + 1);
  EXPECT_EQ(idOf(FindingKind::Race), "race");
}

TEST(FindingTest, ARaceWithinAWarpIsAWarning) {
  EXPECT_TRUE(isError(FindingKind::Race));
  EXPECT_FALSE(isError(FindingKind::WarpRace));
  Observations O;
  O.add(found(FindingKind::WarpRace, Line7));
  EXPECT_FALSE(O.hasErrors());
  O.add(found(FindingKind::Race, Line7));
  EXPECT_TRUE(O.hasErrors());
}

TEST(FindingTest, ARepeatedFindingIsCounted) {
  Observations O;
  Finding First = found(FindingKind::Race, Line7, Line9);
  First.Thread = 3;
  O.add(First);
  Finding Second = First;
  Second.Thread = 4;
  O.add(Second);
  ASSERT_EQ(O.Findings.size(), 1u);
  EXPECT_EQ(O.Findings[0].Count, 2u);
  EXPECT_EQ(O.Findings[0].Thread, 3u);
}

TEST(FindingTest, FindingsDifferInKindAndBothPlaces) {
  Observations O;
  O.add(found(FindingKind::Race, Line7, Line9));
  O.add(found(FindingKind::WarpRace, Line7, Line9));
  O.add(found(FindingKind::Race, Line9, Line9));
  O.add(found(FindingKind::Race, Line7, Line7));
  ASSERT_EQ(O.Findings.size(), 4u);
  EXPECT_EQ(O.Findings[2].Where, Line9);
  EXPECT_EQ(O.Findings[3].Count, 1u);
}

TEST(FindingTest, FormatOfARace) {
  Finding F = found(FindingKind::Race, Line9, Line7);
  F.Thread = 3;
  F.OtherThread = 35;
  F.Block = {1, 0, 2};
  F.Address = 12;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: threads of different warps race on s at byte 12, "
            "threads 3 and 35 of block (1,0,2); the other access is at "
            "k.cu:7:3 [race]");
}

TEST(FindingTest, FormatCounts) {
  Finding F = found(FindingKind::WarpMask, Line9);
  F.Count = 4;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: the mask names lanes that do not take part; seen "
            "4 times [warp-mask]");
}

TEST(FindingTest, ManyPlacesAreCounted) {
  constexpr uint32_t NumPlaces = 100000; // A search for each takes minutes.
  Observations Seen;
  for (unsigned Time = 0; Time < 2; ++Time)
    for (uint32_t Line = 1; Line <= NumPlaces; ++Line)
      Seen.add(found(FindingKind::Race, {0, Line, 1}));
  ASSERT_EQ(Seen.Findings.size(), NumPlaces);
  EXPECT_EQ(Seen.Findings.back().Where.Line, NumPlaces);
  EXPECT_EQ(Seen.Findings.back().Count, 2u);
}

TEST(FindingTest, FormatOfAnOffset) {
  Finding F = found(FindingKind::Misaligned, Line9);
  F.Address = DeviceMemory::FirstAddress + 2;
  F.Offset = 2;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: the address is no multiple of the size of the "
            "access at byte 2 of s [misaligned]");
  F = found(FindingKind::UseAfterFree, Line9);
  F.Offset = -4;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: s is accessed after it was freed at byte -4 "
            "[use-after-free]");
}

TEST(FindingTest, FormatOfAPlaceOutsideOfAnArray) {
  Finding F = found(FindingKind::SharedOutOfBounds, Line9);
  F.Thread = 0;
  F.Address = 22440;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: shared memory is accessed outside of s at byte "
            "22440, thread 0 of block (0,0,0) [shared-out-of-bounds]");
  for (uint64_t Before : {uint64_t(uint32_t(-4)), uint64_t(-4)}) {
    F.Address = Before;
    EXPECT_EQ(format(F, emptyProgram()),
              "k.cu:9:5: error: shared memory is accessed outside of s at byte "
              "-4, thread 0 of block (0,0,0) [shared-out-of-bounds]");
  }
}

TEST(FindingTest, FormatOfAnAddress) {
  Finding F = found(FindingKind::GlobalOutOfBounds, Line9);
  F.Address = 16;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: memory is accessed outside of any allocation "
            "(nearest: s) at address 0x10 [global-out-of-bounds]");
  F = found(FindingKind::Misaligned, Line9);
  F.Address = DeviceMemory::FirstAddress + 2;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: the address is no multiple of the size of the "
            "access at address 0x1000000000002 [misaligned]");
}

TEST(FindingTest, FormatWithoutPlaceAndObject) {
  Finding F = found(FindingKind::Uninitialised, {});
  F.Object.clear();
  EXPECT_EQ(format(F, emptyProgram()), "?: error: memory is read before it is "
                                       "written at byte 0 [uninitialised]");
}

// Costs.

TEST(CostTest, Totals) {
  Observations O;
  O.Shared[{Line7, AccessOp::Load, 4}] = {1, 10, 2};
  O.Shared[{Line7, AccessOp::Store, 4}] = {3, 20, 4};
  O.Shared[{Line9, AccessOp::Load, 8}] = {5, 30, 6};
  EXPECT_EQ(totalOf(O.Shared).Requests, 9u);
  EXPECT_EQ(totalOf(O.Shared).Units, 60u);
  EXPECT_EQ(totalOf(O.Shared).Bound, 12u);
  EXPECT_EQ(totalOf(O.Shared, AccessOp::Load).Units, 40u);
  EXPECT_EQ(totalOf(O.Shared, AccessOp::Store).Bound, 4u);
  EXPECT_EQ(totalOf(O.Shared, AccessOp::Atomic).Requests, 0u);
}

static std::string table(const Observations &O) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printCosts(O.Shared, SharedCosts, emptyProgram(), OS);
  return Text;
}

TEST(CostTest, TheTableIsByLineDearestFirst) {
  Observations O;
  O.Shared[{Line7, AccessOp::Store, 4}] = {100, 100, 100};
  O.Shared[{{0, 7, 20}, AccessOp::Load, 4}] = {1, 1, 1};
  O.Shared[{Line9, AccessOp::Load, 4}] = {1000, 32000, 1000};
  O.Shared[{{0, 9, 30}, AccessOp::Load, 8}] = {10, 20, 20};
  EXPECT_EQ(table(O),
            "                   requests   wavefronts        bound   ratio\n"
            "k.cu:9  load           1010        32020         1020   31.39\n"
            "k.cu:7  store           100          100          100    1.00\n"
            "k.cu:7  load              1            1            1    1.00\n"
            "total                  1111        32121         1121   28.65\n");
}

TEST(CostTest, RowsOfOneCostAreInTheOrderOfTheSource) {
  Observations O;
  O.Shared[{Line9, AccessOp::Atomic, 4}] = {1, 1, 0};
  O.Shared[{Line7, AccessOp::Atomic, 4}] = {1, 1, 1};
  std::string Text = table(O);
  EXPECT_LT(Text.find("k.cu:7"), Text.find("k.cu:9"));
  EXPECT_NE(Text.find("0       -\n"), std::string::npos) << "no ratio to 0";
}

TEST(CostTest, NoAccess) {
  EXPECT_EQ(table({}), "no access to shared memory\n");
}

// Programs.

TEST(ProgramTest, PlacesAreTexts) {
  Program P = emptyProgram();
  EXPECT_EQ(P.textOf(Line7), "k.cu:7:3");
  EXPECT_EQ(P.textOf({}), "?");
  EXPECT_EQ(P.textOf({1, 7, 3}), "?");
}

/// Arrays that were placed when the program was lowered; the last is dynamic.
static Program programWithArrays() {
  Program P;
  SharedMemory Lowered;
  for (auto [Name, Size, Alignment] :
       {std::tuple("a", 100u, 4u), std::tuple("b", 7u, 1u),
        std::tuple("c", 64u, 128u), std::tuple("dynamic", 0u, 16u)}) {
    unsigned Index = Lowered.place(Name, Size, Alignment);
    SharedAddr Address = Lowered.arrays()[Index].Address;
    P.Shared.push_back({Name, Size, Alignment, Size == 0, Address});
  }
  return P;
}

TEST(ProgramTest, SharedMemoryIsPlacedAsLowered) {
  Program P = programWithArrays();
  SharedMemory Made = P.makeSharedMemory(0);
  ASSERT_EQ(Made.arrays().size(), P.Shared.size());
  for (unsigned I = 0; I < P.Shared.size(); ++I) {
    EXPECT_EQ(Made.arrays()[I].Address, P.Shared[I].Address) << I;
    EXPECT_EQ(Made.arrays()[I].Size, P.Shared[I].Size) << I;
    EXPECT_EQ(Made.arrays()[I].Name, P.Shared[I].Name) << I;
  }
}

TEST(ProgramTest, TheDynamicArrayHasTheBytesOfTheLaunch) {
  Program P = programWithArrays();
  SharedMemory Memory = P.makeSharedMemory(96);
  EXPECT_EQ(Memory.arrays()[3].Size, 96u);
  EXPECT_EQ(Memory.arrays()[3].Address, P.Shared[3].Address);
  EXPECT_EQ(Memory.arrays()[0].Size, 100u);
}

/// Returns the listing of a block that consists of \p O.
static std::string listing(const Operation &O, std::vector<Edge> Edges = {}) {
  Program P = emptyProgram();
  P.Blocks.resize(1);
  P.Blocks[0].Operations = {O};
  P.Blocks[0].Edges.assign(Edges.begin(), Edges.end());
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  P.print(OS);
  llvm::StringRef Line = Text;
  return Line.substr(Line.find('\n', Line.find("bb0")) + 1).rtrim('\n').str();
}

static Operation operation(Opcode Code, Register D, Register A = NoRegister,
                           Register B = NoRegister, Register C = NoRegister) {
  Operation O;
  O.Code = Code;
  O.D = D;
  O.A = A;
  O.B = B;
  O.C = C;
  return O;
}

TEST(ListingTest, NamesOfOpcodes) {
  EXPECT_EQ(nameOf(Opcode::Add), "add");
  EXPECT_EQ(nameOf(Opcode::Clock), "clock");
}

TEST(ListingTest, Arithmetic) {
  Operation Add = operation(Opcode::Add, 3, 1, 2);
  Add.Site = 1;
  EXPECT_EQ(listing(Add), "  %3 = add.32 %1, %2  ; k.cu:7:3");
  Operation Compare = operation(Opcode::Compare, 3, 1, 2);
  Compare.Bits = 64;
  Compare.Variant = llvm::CmpInst::ICMP_SLT;
  EXPECT_EQ(listing(Compare), "  %3 = icmp.slt.64 %1, %2");
  Operation Extend = operation(Opcode::SignExtend, 3, 1);
  Extend.Bits = 64;
  Extend.SourceBits = 32;
  EXPECT_EQ(listing(Extend), "  %3 = sext.64.32 %1");
}

TEST(ListingTest, Memory) {
  Operation Load = operation(Opcode::Load, 3, 1);
  Load.Space = PointerSpace::Shared;
  Load.IsFloat = true;
  Load.Count = 4;
  Load.Align = 16;
  EXPECT_EQ(listing(Load), "  %3 = ld.shared.f32.v4 %1, align 16");
  Operation Store = operation(Opcode::Store, NoRegister, 1, 2);
  Store.IsVolatile = true;
  EXPECT_EQ(listing(Store), "  st.volatile.32 %1, %2");
  Operation Atomic = operation(Opcode::AtomicRmw, 3, 1, 2);
  Atomic.Variant = llvm::AtomicRMWInst::Max;
  EXPECT_EQ(listing(Atomic), "  %3 = atom.max.32 %1, %2");
}

TEST(ListingTest, Addresses) {
  Operation Address = operation(Opcode::Address, 3, 1);
  Address.Immediate = 8;
  Address.Extra = {{2, 4}, {5, 132}};
  EXPECT_EQ(listing(Address), "  %3 = gep %1 + 8 + %2 * 4 + %5 * 132");
}

TEST(ListingTest, Warps) {
  Operation Tid = operation(Opcode::SpecialRegister, 0);
  Tid.Variant = uint8_t(SpecialReg::TidX);
  EXPECT_EQ(listing(Tid), "  %0 = sreg.tid.x");
  Tid.Variant = uint8_t(SpecialReg::TotalSharedSize);
  EXPECT_EQ(listing(Tid), "  %0 = sreg.total_smem_size");
  Operation Shuffle = operation(Opcode::Shuffle, 3, 1, 2, 4);
  Shuffle.Variant = uint8_t(ShuffleKind::Butterfly);
  Shuffle.Extra = {{5, 0}};
  EXPECT_EQ(listing(Shuffle), "  %3 = shfl.bfly.32 %1, %2, %4, %5");
  EXPECT_EQ(listing(operation(Opcode::Barrier, NoRegister, NoRegister, 2)),
            "  bar.sync _, %2");
  Operation Wait = operation(Opcode::WaitAsync, NoRegister);
  EXPECT_EQ(listing(Wait), "  cp.async.wait #0");
}

TEST(ListingTest, Control) {
  Edge First = {1, {{4, 2}, {5, 3}}}, Second = {2, {}};
  EXPECT_EQ(listing(operation(Opcode::Branch, NoRegister), {First}),
            "  br bb1 (%4 = %2, %5 = %3)");
  EXPECT_EQ(
      listing(operation(Opcode::CondBranch, NoRegister, 1), {Second, First}),
      "  br.cond %1 ? bb2 : bb1 (%4 = %2, %5 = %3)");
  Operation Switch = operation(Opcode::Switch, NoRegister, 1);
  Switch.Extra = {{1, 7}, {0, 8}};
  EXPECT_EQ(listing(Switch, {Second, First}),
            "  switch %1 default bb2, 7: bb1 (%4 = %2, %5 = %3), 8: bb2");
}

TEST(ListingTest, AProgram) {
  Program P = emptyProgram();
  P.Parameters.resize(2);
  P.Parameters[0].Value = 0;
  P.Parameters[0].Name = "out";
  P.Parameters[0].IsPointer = true;
  P.Parameters[0].Bits = 64;
  P.Parameters[1].Value = 1;
  P.Parameters[1].Name = "box";
  P.Parameters[1].IsByValue = true;
  P.Parameters[1].Size = 24;
  P.Shared = {{"s", 40, 4, false, 256}, {"d", 0, 16, true, 560}};
  P.Constants = {{2, 7}};
  P.Blocks.resize(2);
  P.Blocks[0].Operations = {operation(Opcode::CondBranch, NoRegister, 2)};
  P.Blocks[0].Edges = {{1, {}}, {1, {}}};
  P.Blocks[0].Reconvergence = 1;
  P.Blocks[1].Operations = {operation(Opcode::Return, NoRegister)};
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  P.print(OS);
  EXPECT_EQ(Text, "kernel k\n"
                  "  %0 = parameter out: pointer.64\n"
                  "  %1 = parameter box: 24 bytes\n"
                  "  shared s: 40 bytes at 256\n"
                  "  shared d: dynamic at 560\n"
                  "  %2 = 7\n"
                  "bb0:  ; lanes meet at bb1\n"
                  "  br.cond %2 ? bb1 : bb1\n"
                  "bb1:\n"
                  "  ret\n");
}
