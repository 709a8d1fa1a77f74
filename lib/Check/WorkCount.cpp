// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs a block of a kernel's optimized code, and counts. For addresses,
/// pointers among the arguments lead to memory of their own, and integers are
/// 1024. Conditions on them are unknown: a loop whose end they tell runs ten
/// times, as in the analysis of bank conflicts.
//===----------------------------------------------------------------------===//

#include "cudaopt/Check/WorkCount.h"

#include "InstructionCost.h"
#include "LaneCalls.h"
#include "MemoryPlaces.h"
#include "ToolkitBodies.h"
#include "WarpRun.h"

#include "cudaopt/Machine/Sectors.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;
using namespace cudaopt;
using namespace cudaopt::check;

/// The value of integer arguments.
static constexpr uint64_t MadeUpNumber = 1024;
/// The most operations of warps that are run for a block (some 0.03 s), and for
/// a neighbour of it.
static constexpr uint64_t MaxSteps = 300'000, MaxStepsOfNeighbour = 100'000;
/// The wavefronts, or sectors, of a request whose addresses are not known:
/// those of neighbouring words.
static constexpr double LikelyWavefronts = 1, LikelySectors = 4;

/// The most instructions of a kernel with all that it calls: LLVM takes more
/// than linear time for large functions.
static constexpr size_t MaxInstructions = 5000;

/// The address space of shared variables.
static constexpr unsigned SharedSpace = 3;

//===----------------------------------------------------------------------===//
// Before the optimization
//===----------------------------------------------------------------------===//

static bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

/// Returns the intrinsic that reads \p Register (LaneOperation::Register).
static Intrinsic::ID intrinsicOf(unsigned Register) {
  // By LaneRegister and dimension.
  static constexpr Intrinsic::ID Table[4][3] = {
      {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
       Intrinsic::nvvm_read_ptx_sreg_tid_z},
      {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
       Intrinsic::nvvm_read_ptx_sreg_ntid_y,
       Intrinsic::nvvm_read_ptx_sreg_ntid_z},
      {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
       Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
       Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
      {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
       Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
       Intrinsic::nvvm_read_ptx_sreg_nctaid_z}};
  return Table[Register / 4][Register % 4];
}

/// Returns the instructions of \p Kernel and of all functions that it may call.
static size_t countReached(const Function &Kernel) {
  FunctionSet Reached;
  Reached.insert(&Kernel);
  size_t Count = 0;
  for (unsigned I = 0; I != Reached.size(); ++I) {
    Count += Reached[I]->getInstructionCount();
    addCallees(*Reached[I], Reached);
  }
  return Count;
}

bool cudaopt::check::prepareForOptimization(Module &M,
                                            const SymbolTable &Symbols,
                                            StringRef Symbol) {
  const Function *Kernel = M.getFunction(Symbol);
  if (!Kernel || Kernel->isDeclaration())
    return false;
  // nvcc aligns shared arrays so that neighbouring accesses can be merged.
  for (GlobalVariable &V : M.globals())
    if (V.getAddressSpace() == SharedSpace && V.hasInitializer())
      V.setAlignment(std::max(V.getAlign().valueOrOne(), Align(16)));
  if (countReached(*Kernel) > MaxInstructions)
    return false;
  addToolkitBodies(M, Symbols);
  std::vector<CallBase *> Reads;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (isKernel(F) && &F != Kernel) {
      F.deleteBody();
      F.setComdat(nullptr);
      continue;
    }
    // Without optimization, clang asks for none of these to be inlined.
    F.removeFnAttr(Attribute::NoInline);
    if (!isKernel(F))
      F.setLinkage(GlobalValue::InternalLinkage);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && !isa<IntrinsicInst>(Call) &&
          findLaneCall(*Call, Symbols).What == LaneOperation::Register)
        Reads.push_back(Call);
  }
  for (CallBase *Call : Reads) {
    Function *Read = Intrinsic::getOrInsertDeclaration(
        &M, intrinsicOf(findLaneCall(*Call, Symbols).Opcode));
    CallInst *New = CallInst::Create(Read, {}, "", Call->getIterator());
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {

using Sectors = DenseSet<uint64_t>;

/// Counts the work of a kernel in blocks.
class WorkCounter {
public:
  WorkCounter(RunFacts &Facts, const MemoryPlaces &Memory,
              const Function &Kernel, const LaunchClaim &Launch,
              const BankMap &Banks,
              const DenseMap<const BasicBlock *, InstructionMix> &Costs)
      : Facts(Facts), Memory(Memory), Kernel(Kernel), Launch(Launch),
        Banks(Banks), Costs(Costs) {}

  std::optional<KernelWork> count();

private:
  WarpRun makeRun(uint64_t MaxSteps) const;
  Dim3 chooseBlock() const;
  KernelWork begin() const;
  void finish(KernelWork &Work, double Scale) const;
  void access(const WarpEvent &Event, KernelWork &Work, Sectors &Touched);
  void accessGlobal(const RunPlace &Place, const WarpEvent &Event,
                    KernelWork &Work, Sectors &Touched);
  void accessShared(const RunPlace &Place, const WarpEvent &Event,
                    KernelWork &Work);
  Sectors touchedBy(const Dim3 &Block, bool &IsWhole);

  RunFacts &Facts;
  const MemoryPlaces &Memory;
  const Function &Kernel;
  const LaunchClaim &Launch;
  const BankMap &Banks;
  const DenseMap<const BasicBlock *, InstructionMix> &Costs;
};

} // namespace

WarpRun WorkCounter::makeRun(uint64_t MaxSteps) const {
  WarpRun Run(Facts, Kernel, Launch.Block, Launch.Grid, MaxSteps);
  for (const Argument &A : Kernel.args()) {
    if (A.hasByValAttr())
      continue;
    if (A.getType()->isPointerTy())
      Run.setArgument(A.getArgNo(),
                      addressOf(Memory.Numbers.size() + A.getArgNo()));
    else if (A.getType()->isIntegerTy())
      Run.setArgument(A.getArgNo(), MadeUpNumber);
  }
  return Run;
}

/// Returns a block in the middle of the grid; the first where that is not
/// known.
Dim3 WorkCounter::chooseBlock() const {
  return {Launch.Grid[0] / 2, Launch.Grid[1] / 2, Launch.Grid[2] / 2};
}

/// Adds a request to global memory. Lanes whose address is not known are taken
/// for neighbours.
void WorkCounter::accessGlobal(const RunPlace &Place, const WarpEvent &Event,
                               KernelWork &Work, Sectors &Touched) {
  ++Work.GlobalRequests;
  Work.IsExact &= Event.Known == Event.Lanes;
  if (!Event.Known || !isPowerOf2_64(Place.Width)) {
    const double Number = LikelySectors * std::max(1., Place.Width / 4.);
    Work.RequestedSectors += Number;
    Work.BlockSectors += Number;
    Work.OwnSectors += Number;
    Work.GlobalLines += std::max(1., Number / LikelySectors);
    return;
  }
  GlobalRequest Request;
  Request.IsAtomic = Place.Kind == UseKind::Atomic;
  Request.Width = Place.Width;
  Request.ActiveLanes = Event.Known;
  Request.Addresses = Event.Addresses;
  const unsigned Number = countSectors(Request);
  Work.RequestedSectors += Number;
  if (Event.Known == Event.Lanes) {
    GlobalAccess &Each = Work.GlobalAccesses[Event.Place];
    ++Each.Requests;
    Each.Sectors += Number;
    const unsigned Least = boundSectors(Request);
    Each.Least += Least;
    if (Each.Requests == 1 || Number - Least > Each.Excess) {
      Each.Excess = Number - Least;
      Each.Lanes = findDistance(Request);
    }
  }
  SmallVector<uint64_t, WarpSize> Own;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    if (Event.Known >> Lane & 1)
      Own.push_back(Event.Addresses[Lane] / SectorSize);
  sort(Own);
  uint64_t Last = ~uint64_t(0);
  for (const uint64_t Sector : Own) {
    Work.GlobalLines += Sector / 4 != Last;
    Last = Sector / 4;
    Touched.insert(Sector);
  }
}

void WorkCounter::access(const WarpEvent &Event, KernelWork &Work,
                         Sectors &Touched) {
  Work.IsExact &= (Event.Lanes & ~Event.Certain) == 0;
  if (Event.Place == WarpEvent::Barrier) {
    ++Work.Barriers;
    return;
  }
  const RunPlace &Place = Facts.Places[Event.Place];
  WarpEvent Piece = Event;
  for (unsigned I = 0; I != Memory.Requests[Event.Place]; ++I) {
    if (Memory.Spaces[Event.Place] == Space::Global)
      accessGlobal(Place, Piece, Work, Touched);
    else
      accessShared(Place, Piece, Work);
    for (uint64_t &Address : Piece.Addresses)
      Address += Place.Width;
  }
}

void WorkCounter::accessShared(const RunPlace &Place, const WarpEvent &Event,
                               KernelWork &Work) {
  ++Work.SharedRequests;
  Work.IsExact &= Event.Known == Event.Lanes;
  if (!Event.Known || !isPowerOf2_64(Place.Width)) {
    Work.SharedWavefronts += LikelyWavefronts * std::max(1., Place.Width / 4.);
    return;
  }
  WarpRequest Request;
  Request.Op = opOf(Place.Kind);
  Request.Width = Place.Width;
  Request.ActiveLanes = Event.Known;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    Request.Addresses[Lane] = uint32_t(Event.Addresses[Lane]);
  Work.SharedWavefronts += countWavefronts(Banks, Request);
}

/// Returns no work yet, with room for the accesses of each place.
KernelWork WorkCounter::begin() const {
  KernelWork Work;
  Work.GlobalAccesses.resize(Facts.Places.size());
  return Work;
}

static GlobalAccess::Kind kindOf(UseKind Kind) {
  return Kind == UseKind::Read    ? GlobalAccess::Load
         : Kind == UseKind::Write ? GlobalAccess::Store
                                  : GlobalAccess::Atomic;
}

/// Says where the accesses of \p Places stand, and adds up those of unrolled
/// code that stand at one place in the source.
static std::vector<GlobalAccess> joinAccesses(std::vector<GlobalAccess> ByPlace,
                                              ArrayRef<RunPlace> Places) {
  std::map<std::pair<SourcePoint, GlobalAccess::Kind>, size_t> Known;
  std::vector<GlobalAccess> Joined;
  for (auto [A, Place] : zip_equal(ByPlace, Places)) {
    if (A.Requests == 0)
      continue;
    const SourcePoint At = getPoint(*Place.By);
    A.What = kindOf(Place.Kind);
    A.File = At.File;
    A.Line = At.Line;
    A.Column = At.Column;
    const auto [Same, IsNew] = Known.try_emplace({At, A.What}, Joined.size());
    if (IsNew) {
      Joined.push_back(A);
      continue;
    }
    GlobalAccess &Sum = Joined[Same->second];
    Sum.Requests += A.Requests;
    Sum.Sectors += A.Sectors;
    Sum.Least += A.Least;
    if (A.Excess > Sum.Excess) {
      Sum.Excess = A.Excess;
      Sum.Lanes = A.Lanes;
    }
  }
  return Joined;
}

/// Makes the work of a block from that of some of its warps, and leaves out
/// places without requests.
void WorkCounter::finish(KernelWork &Work, double Scale) const {
  for (double *Number :
       {&Work.SharedRequests, &Work.SharedWavefronts, &Work.GlobalRequests,
        &Work.GlobalLines, &Work.RequestedSectors, &Work.BlockSectors,
        &Work.OwnSectors, &Work.Barriers})
    *Number *= Scale;
  Work.GlobalAccesses =
      joinAccesses(std::move(Work.GlobalAccesses), Facts.Places);
  for (GlobalAccess &Each : Work.GlobalAccesses)
    for (double *Number : {&Each.Requests, &Each.Sectors, &Each.Least})
      *Number *= Scale;
}

/// Returns the sectors that a block touches, or some of its warps if the steps
/// do not suffice.
Sectors WorkCounter::touchedBy(const Dim3 &Block, bool &IsWhole) {
  WarpRun Run = makeRun(MaxStepsOfNeighbour);
  Sectors Touched;
  KernelWork Ignored = begin();
  std::vector<WarpEvent> Events;
  for (unsigned First = 0; First < Run.numThreads(); First += WarpSize) {
    Events.clear();
    IsWhole = Run.run(First, Block, Events);
    for (const WarpEvent &Event : Events)
      access(Event, Ignored, Touched);
    if (!IsWhole)
      break;
  }
  return Touched;
}

/// Counts a block. If not all of its warps can be run, some stand for all.
std::optional<KernelWork> WorkCounter::count() {
  WarpRun Run = makeRun(MaxSteps);
  const Dim3 Block = chooseBlock();
  KernelWork Work = begin();
  Work.IsExact = !Launch.IsAssumed && Memory.Unseen.empty();
  Sectors Touched;
  std::vector<WarpEvent> Events;
  const unsigned NumWarps = divideCeil(Run.numThreads(), WarpSize);
  unsigned NumRun = 0, Stride = 1;
  for (unsigned Warp = 0; Warp < NumWarps; Warp += Stride) {
    Events.clear();
    if (!Run.run(Warp * WarpSize, Block, Events))
      return std::nullopt;
    for (const WarpEvent &Event : Events)
      access(Event, Work, Touched);
    if (++NumRun == 1)
      while (NumWarps / Stride * Run.steps() > MaxSteps / 2 &&
             Stride < NumWarps)
        Stride *= 2;
  }
  const double Scale = double(NumWarps) / NumRun;
  Run.visitExecuted([&](const BasicBlock &BB, uint64_t Times) {
    Work.Instructions.add(Costs.lookup(&BB), double(Times) * Scale);
  });
  finish(Work, Scale);
  Work.IsExact &= Run.isComplete() && NumRun == NumWarps;
  Work.BlockSectors += double(Touched.size()) * Scale;
  for (unsigned D = 0; D != 3; ++D) {
    if (Launch.Grid[D] == 1 || !(Run.blockDimensions() >> D & 1))
      continue;
    Dim3 Next = Block;
    ++Next[D];
    if (Launch.Grid[D] && Next[D] >= Launch.Grid[D])
      Next[D] -= 2;
    bool IsWhole = true;
    for (const uint64_t Sector : touchedBy(Next, IsWhole))
      Touched.erase(Sector);
    Work.IsExact &= IsWhole;
  }
  Work.OwnSectors += double(Touched.size()) * Scale;
  return Work;
}

std::optional<KernelWork> cudaopt::check::countWork(Module &M,
                                                    const SymbolTable &Symbols,
                                                    StringRef Symbol,
                                                    const LaunchClaim &Launch,
                                                    const BankMap &Banks) {
  const Function *Kernel = M.getFunction(Symbol);
  if (!Kernel || Kernel->isDeclaration() || !Launch.isKnown())
    return std::nullopt;
  const MemoryPlaces Memory(M, Symbols);
  RunFacts Facts(Symbols, Memory.Places, Memory.PlacesOf, Memory.Numbers);
  const auto Costs = costOfBlocks(M, Symbols);
  return WorkCounter(Facts, Memory, *Kernel, Launch, Banks, Costs).count();
}
