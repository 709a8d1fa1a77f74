// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One side of a comparison: runs a kernel on data of our making and takes the
/// results.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_VERIFY_KERNELSIDE_H
#define CUDAOPT_LIB_VERIFY_KERNELSIDE_H

#include "LaunchInputs.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cudaopt {

/// The bytes of an object, each a number, or a term if its tag is not 0.
struct Contents {
  std::vector<Byte> Bytes;
  std::vector<uint64_t> Tags; ///< As many, or none.
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

/// What fills the buffers: symbols if Terms is set, else random numbers.
struct DataSource {
  simt::TermTable *Terms = nullptr;
  uint64_t Seed = 0;
  uint64_t Schedule = 0; ///< ExecutorOptions::ScheduleSeed.
};

/// A run and what it left.
struct SideResult {
  simt::RunResult Run;
  std::string Printed;
  std::vector<Contents> Buffers;             ///< By slot.
  std::map<std::string, Contents> Variables; ///< Of the module.
};

class KernelSide {
public:
  /// Notes what the variables of the module hold now.
  KernelSide(const simt::Program &P, DeviceMemory &Memory,
             const EquivalenceOptions &Options);

  SideResult run(const std::vector<ScalarSlot> &Slots, const LaunchInput &Input,
                 LaunchBuffers &Buffers, const DataSource &Data,
                 uint64_t MaxWarpInstructions);
  /// Undoes what runs did to the variables.
  void restore();

  const simt::Program &P;

private:
  struct Variable {
    PhysMemAddr Address;
    std::vector<Byte> Bytes;
    bool IsZero; ///< The host may write it before the launch.
  };
  void fillVariables(unsigned FirstInput, const DataSource &Data);
  std::vector<PhysMemAddr> adopt(const std::vector<ScalarSlot> &Slots,
                                 LaunchBuffers &Buffers,
                                 const DataSource &Data);

  DeviceMemory &Memory;
  const EquivalenceOptions &Options;
  std::map<std::string, Variable> Variables;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_VERIFY_KERNELSIDE_H
