// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the compilers of a program may do to its floating-point operations, as
/// far as their flags tell (docs/FloatingPoint.md). Everybody who moves an
/// operation asks here.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_FLOATINGPOINT_H
#define CUDAOPT_MODEL_FLOATINGPOINT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace cudaopt {

/// A string names the flag that allows something; an empty one says that
/// nothing does.
struct FloatingPoint {
  /// The compiler of device code may make one operation of a product and a sum
  /// (nvcc: unless -fmad=false).
  bool DeviceContracts = true;
  /// Single-precision operations of the device are not all rounded to nearest
  /// (-use_fast_math, -ftz=true, -prec-div=false, -prec-sqrt=false).
  std::string DeviceApproximates;
  /// The compiler of host code may make one operation of a product and a sum:
  /// the flag that gives it an instruction for that.
  std::string HostContracts;
  /// It never does, whatever the target: -ffp-contract=off.
  bool HostNeverContracts = false;
  /// The compiler of host code may use other operations than the source says,
  /// or round them otherwise.
  std::string HostReassociates;

  bool operator==(const FloatingPoint &) const = default;
};

/// Reads the words of a host compiler's command, in their order. \p Compiler is
/// its name, empty for the default of nvcc.
FloatingPoint readHostFlags(llvm::ArrayRef<std::string> Words,
                            llvm::StringRef Compiler = "");

/// True if \p Word, of the command of a host compiler, is read by
/// readHostFlags().
bool isFloatingPointFlag(llvm::StringRef Word);

/// The flags by which a parse is told what \p Floats says of the host compiler
/// and of approximations, and the other way round: what the parse of \p CI was
/// told, by these and by clang's own flags.
std::vector<std::string> makeParseFlags(const FloatingPoint &Floats);
FloatingPoint readFloatingPoint(const clang::CompilerInstance &CI);

/// \p Floats, with what the attributes of \p Function change.
FloatingPoint forFunction(FloatingPoint Floats,
                          const clang::FunctionDecl *Function);

/// True if a directive "pragma \p Text" changes what compilers may do.
bool isFloatingPointPragma(llvm::StringRef Text);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_FLOATINGPOINT_H
