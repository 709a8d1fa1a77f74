// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the compilers of a program may do to its floating-point operations, as
/// far as their command-line flags tell (docs/FloatingPoint.md): fuse a product
/// and a sum, reassociate, or round otherwise than to nearest. Every pass that
/// moves an operation between host and device code, or copies one, must check
/// this first: the bits of the result have to stay the same.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_FLOATINGPOINT_H
#define CUDAOPT_SOURCE_FLOATINGPOINT_H

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

/// The liberties that the compilers of a program have. Each string names the
/// flag that grants the liberty, for use in messages; an empty string means
/// that no flag does.
struct FloatingPoint {
  /// The device compiler may fuse a product and a sum into one operation that
  /// rounds once (nvcc does so unless -fmad=false is given).
  bool DeviceContracts = true;
  /// The flag by which single-precision operations of the device are not all
  /// rounded to nearest (-use_fast_math, -ftz=true, -prec-div=false,
  /// -prec-sqrt=false).
  std::string DeviceApproximates;
  /// The flag that gives the host compiler an instruction for a fused product
  /// and sum, so that it may contract.
  std::string HostContracts;
  /// True if the host compiler contracts on no target: -ffp-contract=off.
  bool HostNeverContracts = false;
  /// The flag by which the host compiler may use other operations than the
  /// source says, or round them otherwise (-ffast-math and its parts).
  std::string HostReassociates;

  bool operator==(const FloatingPoint &) const = default;
};

/// Reads the arguments of a host compiler's command, in their order.
/// \p Compiler is the compiler's name; an empty one means nvcc's default.
FloatingPoint readHostFlags(llvm::ArrayRef<std::string> Words,
                            llvm::StringRef Compiler = "");

/// Returns true if readHostFlags() understands \p Word, an argument of a host
/// compiler's command.
bool isFloatingPointFlag(llvm::StringRef Word);

/// The facts of \p Floats about the host compiler and about approximations
/// travel to a parse as flags. makeParseFlags() returns these flags;
/// readFloatingPoint() reads what the parse of \p CI was told, by them and by
/// clang's own flags.
std::vector<std::string> makeParseFlags(const FloatingPoint &Floats);
FloatingPoint readFloatingPoint(const clang::CompilerInstance &CI);

/// Returns \p Floats with what the attributes of \p Function change.
FloatingPoint forFunction(FloatingPoint Floats,
                          const clang::FunctionDecl *Function);

/// Returns true if a directive "pragma \p Text" changes what compilers may do
/// to floating-point operations.
bool isFloatingPointPragma(llvm::StringRef Text);

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_FLOATINGPOINT_H
