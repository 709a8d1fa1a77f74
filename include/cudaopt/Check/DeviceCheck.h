// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the claims of a plan with the device code that clang generates,
/// before it is optimized: its accesses to shared variables, the escapes of
/// their addresses, and where threads may leave.
///
///   DeviceCheck Code(Module, Symbols);
///   if (std::optional<Disagreement> D = Code.compare(Claims))
///     ... // The plan is rejected, with D->Text as the reason.
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

/// The variable of the source that a global variable of the code stands for.
struct DeclaredVariable {
  std::string Name;
  SourcePoint Declared;
};

/// What the (mangled) names in the code stand for in the source.
struct SymbolTable {
  llvm::StringMap<DeclaredVariable> Variables; ///< The shared variables.
  /// Functions of the toolkit, the system or the compiler, with their names in
  /// the source. The user does not see their text: what they do is attributed
  /// to the calls in the user's code.
  llvm::StringMap<std::string> Library;
};

/// The accesses, escapes and exits of device code.
class DeviceCheck {
public:
  /// Analyses \p M, and changes it: local variables are promoted to registers.
  /// \p M must outlive this object.
  DeviceCheck(llvm::Module &M, SymbolTable Symbols);
  ~DeviceCheck();

  /// Returns the first thing that the code of a kernel does and that
  /// contradicts
  /// \p Claims; std::nullopt if there is none.
  std::optional<Disagreement> compare(const KernelClaims &Claims) const;

  /// The code that was analysed, and what its names stand for.
  const llvm::Module &module() const;
  const SymbolTable &symbols() const;

  struct Facts;
  /// The facts found, for the checks that run the code (RunCheck.h).
  Facts &facts() const { return *Found; }

private:
  std::unique_ptr<Facts> Found;
};

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_DEVICECHECK_H
