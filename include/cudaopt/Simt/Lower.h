// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// From the LLVM IR of a device to programs of the interpreter. What it does
/// not model is an error that names the construct and its line, never a guess.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_LOWER_H
#define CUDAOPT_SIMT_LOWER_H

#include "cudaopt/Simt/Program.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace cudaopt::simt {

struct LowerOptions {
  /// Null: device functions are inlined and locals become registers, nothing
  /// else, so that every access of the source is still there to be checked.
  /// With `optimize` of Optimizer.h, accesses are those that a compiler emits.
  std::function<void(llvm::Module &M)> Optimize;
  /// True for files of the toolkit: an access inside them is reported where the
  /// user called them.
  std::function<bool(llvm::StringRef File)> IsSystemFile;
};

/// The device side of a translation unit: its kernels, and its `__device__` and
/// `__constant__` variables, which live as long as this does.
class DeviceImage {
public:
  /// Takes \p M apart; its variables are allocated and initialised in
  /// \p Memory. Both contexts must outlive the image.
  static llvm::Expected<std::unique_ptr<DeviceImage>>
  load(std::unique_ptr<llvm::Module> M, DeviceMemory &Memory,
       LowerOptions Options = {});
  ~DeviceImage();

  /// Mangled names, in order of the module.
  std::vector<std::string> kernels() const;
  /// Lowers a kernel at its first use. The error reads "file.cu:7:3: inline
  /// assembly 'mov.b32 ...' is not modelled".
  llvm::Expected<const Program &> kernel(llvm::StringRef MangledName);
  /// Of `__launch_bounds__`: threads of a block, or 0.
  unsigned maxThreads(llvm::StringRef MangledName) const;
  /// The variable of this mangled name, or null.
  DeviceMemory::Allocation *variable(llvm::StringRef MangledName);

private:
  DeviceImage();
  struct Impl;
  std::unique_ptr<Impl> State;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_LOWER_H
