// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers the LLVM IR of device code to programs of the interpreter. A
/// construct that the interpreter does not model is an error that names the
/// construct and its line, never a guess.
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
  /// The optimizations that run before lowering. If null, device functions are
  /// inlined and local variables become registers, but nothing else happens, so
  /// that every access of the source is still there to be checked. With
  /// `optimize` of Optimizer.h, the accesses are those that a compiler emits.
  std::function<void(llvm::Module &M)> Optimize;
  /// Returns true for files of the toolkit: an access inside them is reported
  /// at the line where the user called them.
  std::function<bool(llvm::StringRef File)> IsSystemFile;
};

/// The device side of a translation unit: its kernels, and its `__device__` and
/// `__constant__` variables, which live as long as this object.
class DeviceImage {
public:
  /// Transforms \p M for lowering, and allocates and initialises its variables
  /// in
  /// \p Memory. The LLVM context of \p M, and \p Memory, must outlive the
  /// image.
  static llvm::Expected<std::unique_ptr<DeviceImage>>
  load(std::unique_ptr<llvm::Module> M, DeviceMemory &Memory,
       LowerOptions Options = {});
  ~DeviceImage();

  /// Returns the mangled names of the kernels, in the order of the module.
  std::vector<std::string> kernels() const;
  /// Returns the program of a kernel, which is lowered at its first use. An
  /// error reads "file.cu:7:3: inline assembly 'mov.b32 ...' is not modelled".
  llvm::Expected<const Program &> kernel(llvm::StringRef MangledName);
  /// Returns the threads of a block according to `__launch_bounds__`, or 0
  /// without it.
  unsigned maxThreads(llvm::StringRef MangledName) const;
  /// Returns the variable with this mangled name; null if there is none.
  DeviceMemory::Allocation *variable(llvm::StringRef MangledName);

private:
  DeviceImage();
  struct Impl;
  std::unique_ptr<Impl> State;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_LOWER_H
