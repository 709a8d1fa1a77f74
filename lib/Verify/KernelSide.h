// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One side of a comparison: runs a kernel on data of our making and takes the
/// results.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_VERIFY_KERNELSIDE_H
#define CUDAOPT_LIB_VERIFY_KERNELSIDE_H

#include "LaunchInputs.h"

#include "llvm/ADT/BitVector.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cudaopt {

/// The bytes of an object, each a number, or a term if its tag is not 0.
struct Contents {
  std::vector<Byte> Bytes;
  std::vector<uint64_t> Tags; ///< As many, or none.
  /// As many, or none: those that threads write in no order.
  llvm::BitVector Unordered = {};
  uint32_t NeededAlignment = 1; ///< Bytes: the widest access asks for it.
};

/// What a launch works on. Both sides see it at the same addresses.
class LaunchBuffers {
public:
  /// With \p Slack, buffers are larger than the dry run asks for: other data
  /// may lead elsewhere.
  LaunchBuffers(const std::vector<ScalarSlot> &Slots, const LaunchInput &Input,
                bool Slack);

  struct Buffer {
    std::unique_ptr<Byte[]> Owned;
    Byte *Data = nullptr; ///< Null for a slot that is no pointer.
    uint64_t Size = 0;
    int64_t Pointer = 0; ///< Where the argument points, from Data.
  };
  std::vector<Buffer> Buffers; ///< By slot.
};

/// The seed of numbers where kernels go wrong: NaN, infinities, zeros, many
/// that are equal, negative and large integers.
inline constexpr uint64_t WildSeed = uint64_t(1) << 32;

/// What fills the buffers: symbols if Terms is set and HoldsNumbers is not,
/// else random numbers.
struct DataSource {
  simt::TermTable *Terms = nullptr;
  uint64_t Seed = 0;
  uint64_t Schedule = 0; ///< ExecutorOptions::ScheduleSeed.
  /// Variables that the program initialises stay numbers, too.
  bool KeepsInitialValues = false;
  /// Also finds races on global memory, and Contents::Unordered.
  bool ChecksGlobalRaces = false;
  /// Only addresses of shared memory are terms.
  bool HoldsNumbers = false;

  /// Where symbols come from, or null.
  simt::TermTable *symbols() const { return HoldsNumbers ? nullptr : Terms; }
};

/// The number of the input that a variable is, by its key: the same on both
/// sides.
using VariableNumbers = std::map<std::string, uint32_t>;

/// A run and what it left.
struct SideResult {
  simt::RunResult Run;
  std::string Printed;
  std::vector<Contents> Buffers;             ///< By slot.
  std::map<std::string, Contents> Variables; ///< Of the module.
  bool ReadsUnordered = false; ///< What threads read others write in no order.
  std::string UsedNumbers; ///< A variable that was used and held no symbols.
};

/// The first error but reads of what nobody wrote, or null.
const simt::Finding *findError(const simt::Observations &Seen);
/// The first read of what nobody wrote, or null.
const simt::Finding *findUninitialised(const simt::Observations &Seen);
/// The first race, also one within a warp, or null.
const simt::Finding *findRace(const simt::Observations &Seen);
/// True if what nobody wrote shows in a result.
bool showsUndefined(const SideResult &Result, const simt::TermTable &Terms);

class KernelSide {
public:
  /// Notes what the variables of the module hold now.
  KernelSide(const simt::Program &P, DeviceMemory &Memory,
             const EquivalenceOptions &Options,
             VariableNumbers *Shared = nullptr);

  SideResult run(const std::vector<ScalarSlot> &Slots, const LaunchInput &Input,
                 LaunchBuffers &Buffers, const DataSource &Data,
                 uint64_t MaxWarpInstructions);
  /// True if the program gives variables values that the host may change.
  bool hasInitialValues() const;
  /// True if the program uses addresses of shared memory as values.
  bool usesAddresses() const { return !AddressUses.empty(); }
  /// Undoes what runs did to the variables.
  void restore();

  const simt::Program &P;

private:
  struct Variable {
    PhysMemAddr Address;
    std::vector<Byte> Bytes;
    uint32_t Number; ///< Of VariableNumbers.
    bool IsZero;
    bool IsFixed; ///< Nobody writes it before the launch.
  };
  void fillVariables(unsigned FirstInput, const DataSource &Data);
  void takeVariables(SideResult &Result);
  std::vector<PhysMemAddr> adopt(const std::vector<ScalarSlot> &Slots,
                                 LaunchBuffers &Buffers,
                                 const DataSource &Data);

  DeviceMemory &Memory;
  const EquivalenceOptions &Options;
  const std::vector<unsigned> AddressUses;   ///< simt::findAddressUses.
  std::map<std::string, Variable> Variables; ///< By name, made unique.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_VERIFY_KERNELSIDE_H
