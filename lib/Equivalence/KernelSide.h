// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One side of a comparison: runs a kernel on made-up data (symbols, which
/// stand for all data, or random numbers) and collects what it leaves in
/// memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_EQUIVALENCE_KERNELSIDE_H
#define CUDAOPT_LIB_EQUIVALENCE_KERNELSIDE_H

#include "LaunchInputs.h"

#include "llvm/ADT/BitVector.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cudaopt {

/// The bytes of an object after a run. A byte is a number, or a part of a term
/// if its tag is not 0 (tagOf in Executor.h).
struct Contents {
  std::vector<Byte> Bytes;
  /// As many as Bytes, or none if no byte is a term.
  std::vector<uint64_t> Tags;
  /// The bytes that threads write in no order; as many as Bytes, or empty if
  /// races were not checked.
  llvm::BitVector Unordered = {};
  /// The alignment in bytes that the widest access needs.
  uint32_t NeededAlignment = 1;
};

/// The buffers that the pointer arguments of a launch point to. Both sides see
/// them at the same addresses, so that pointers compare equal.
class LaunchBuffers {
public:
  /// Allocates what the dry run of \p Input touched. With \p Slack, buffers are
  /// larger than that: other data may lead to other addresses.
  LaunchBuffers(const std::vector<ScalarSlot> &Slots, const LaunchInput &Input,
                bool Slack);

  struct Buffer {
    std::unique_ptr<Byte[]> Owned;
    Byte *Data = nullptr; ///< Null for a slot that is no pointer.
    uint64_t Size = 0;
    int64_t Pointer = 0; ///< The offset from Data to where the argument points.
  };
  std::vector<Buffer> Buffers; ///< Indexed by slot.
};

/// The seed that selects values on which kernels are prone to fail: NaN,
/// infinities, zeros, many equal values, negative and large integers.
inline constexpr uint64_t WildSeed = uint64_t(1) << 32;

/// How the buffers are filled: with symbols if Terms is set and HoldsNumbers is
/// not, else with random numbers.
struct DataSource {
  simt::TermTable *Terms = nullptr;
  uint64_t Seed = 0;
  uint64_t Schedule = 0; ///< ExecutorOptions::ScheduleSeed.
  /// Variables that the program initialises keep their numbers also in a run on
  /// symbols.
  bool KeepsInitialValues = false;
  /// The run also finds races on global memory, and fills Contents::Unordered.
  bool ChecksGlobalRaces = false;
  /// Data are numbers although there is a table of terms: only addresses of
  /// shared memory are terms.
  bool HoldsNumbers = false;

  /// The table that symbols are made in; null if data are numbers.
  simt::TermTable *symbols() const { return HoldsNumbers ? nullptr : Terms; }
};

/// The number of the input that a variable of the module is, by its key. Both
/// sides use one map, so that the same variable has the same symbols.
using VariableNumbers = std::map<std::string, uint32_t>;

/// A run and what it left in memory.
struct SideResult {
  simt::RunResult Run;
  std::string Printed;
  std::vector<Contents> Buffers; ///< Indexed by slot.
  /// The variables of the module.
  std::map<std::string, Contents> Variables;
  /// A thread reads what another one writes without an order between the two.
  bool ReadsUnordered = false;
  /// The name of a variable that was used and did not hold symbols, or empty.
  std::string UsedNumbers;
};

/// Returns the first error other than an uninitialised read, or null.
const simt::Finding *findError(const simt::Observations &Seen);
/// Returns the first uninitialised read, or null.
const simt::Finding *findUninitialised(const simt::Observations &Seen);
/// Returns the first race, be it between warps or within one, or null.
const simt::Finding *findRace(const simt::Observations &Seen);
/// Returns true if a result depends on a byte that was never written.
bool showsUndefined(const SideResult &Result, const simt::TermTable &Terms);

/// A kernel with the memory of its module. The memory, and the options, must
/// outlive this object.
class KernelSide {
public:
  /// Saves what the variables of the module hold now, for restore(). \p Shared
  /// numbers the variables for both sides; null for a kernel that is not
  /// compared.
  KernelSide(const simt::Program &P, DeviceMemory &Memory,
             const EquivalenceOptions &Options,
             VariableNumbers *Shared = nullptr);

  /// Runs the kernel on \p Input with data from \p Data and returns what it
  /// leaves. Each run starts from the saved variables.
  SideResult run(const std::vector<ScalarSlot> &Slots, const LaunchInput &Input,
                 LaunchBuffers &Buffers, const DataSource &Data,
                 uint64_t MaxWarpInstructions);
  /// Returns true if the program initialises variables that the host could
  /// change before the launch.
  bool hasInitialValues() const;
  /// Returns true if the program uses addresses of shared memory as values.
  bool usesAddresses() const { return !AddressUses.empty(); }
  /// Gives the variables of the module back what they held at construction.
  void restore();

  const simt::Program &P;

private:
  /// A variable of the module, as saved at construction.
  struct Variable {
    PhysMemAddr Address;
    std::vector<Byte> Bytes;
    uint32_t Number; ///< Its number in VariableNumbers.
    bool IsZero;
    bool IsFixed; ///< The host cannot write it before the launch.
  };
  void fillVariables(unsigned FirstInput, const DataSource &Data);
  void takeVariables(SideResult &Result);
  std::vector<PhysMemAddr> adopt(const std::vector<ScalarSlot> &Slots,
                                 LaunchBuffers &Buffers,
                                 const DataSource &Data);

  DeviceMemory &Memory;
  const EquivalenceOptions &Options;
  const std::vector<unsigned> AddressUses;   ///< simt::findAddressUses.
  std::map<std::string, Variable> Variables; ///< Indexed by name, made unique.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_EQUIVALENCE_KERNELSIDE_H
