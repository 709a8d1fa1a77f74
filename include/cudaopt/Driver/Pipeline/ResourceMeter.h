// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// --verify-resources: compares the registers, spills and shared memory that
/// nvcc gives kernels before and after a rewrite.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PIPELINE_RESOURCEMETER_H
#define CUDAOPT_DRIVER_PIPELINE_RESOURCEMETER_H

#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Report/Report.h"

#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <string>

namespace cudaopt {

/// The resources of kernels, by mangled name.
using ResourceTable = std::map<std::string, KernelResources>;

/// Returns the key of a kernel in a ResourceTable: its symbol without what each
/// compiler adds in its own way to names of one file. So "_ZL1kPf" of clang and
/// "_Z1kPf" of nvcc are one, and so are all unnamed namespaces.
std::string keyOfSymbol(llvm::StringRef Symbol);

/// Compiles the main file with the text that the map holds for its real path,
/// and returns the resources of its kernels. Fails if nvcc is missing or
/// reports an error, or if the map contains other files.
using ResourceMeter = std::function<llvm::Expected<ResourceTable>(
    const std::map<std::string, std::string> &Texts)>;

/// Returns the meter that runs nvcc on \p In for the GPU \p Arch ("sm_90").
ResourceMeter createResourceMeter(const Input &In, llvm::StringRef Arch);

/// Returns what the rewrite makes worse for \p K, in words: more spilled bytes,
/// or lower occupancy. Returns an empty string if nothing gets worse.
std::string findLoss(const BeforeAfter<KernelResources> &R, const Kernel &K,
                     const Target &T);

/// Returns true if the occupancy of some instance of \p K rises, in blocks per
/// multiprocessor, given its registers and shared memory.
bool fitsMoreBlocks(const BeforeAfter<KernelResources> &R, const Kernel &K,
                    const Target &T);

/// Parses the output of `nvcc --resource-usage`.
ResourceTable readResourceUsage(llvm::StringRef Output);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PIPELINE_RESOURCEMETER_H
