// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares what a plan relies on with the device code that clang generates,
/// before it is optimized.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_CHECK_DEVICECHECK_H
#define CUDAOPT_CHECK_DEVICECHECK_H

#include "cudaopt/Check/Claims.h"

#include "llvm/ADT/StringMap.h"
#include <memory>
#include <optional>

namespace llvm {
class Module;
}

namespace cudaopt::check {

/// A variable of the source that a global variable of the code stands for.
struct DeclaredVariable {
  std::string Name;
  SourcePoint Declared;
};

/// What the names in the code stand for in the source.
struct SymbolTable {
  llvm::StringMap<DeclaredVariable> Variables; ///< All in shared memory.
  /// Functions of the toolkit, the system or the compiler, whose text is not
  /// the user's: what they do is said of the places that call them. Each with
  /// its name in the source.
  llvm::StringMap<std::string> Library;
};

/// The accesses, escapes and exits of device code.
class DeviceCheck {
public:
  /// Analyses \p M, whose local variables it moves to registers.
  DeviceCheck(llvm::Module &M, SymbolTable Symbols);
  ~DeviceCheck();

  /// Returns what the code of a kernel does although \p Claims do not say so;
  /// nothing if they are right.
  std::optional<Disagreement> compare(const KernelClaims &Claims) const;

  struct Facts;
  /// What was found, for those who run the code.
  Facts &facts() const { return *Found; }

private:
  std::unique_ptr<Facts> Found;
};

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_DEVICECHECK_H
