// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the shape in memory of the matrix of a `wmma::fragment` from the
/// template arguments of its type.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/DeviceCalls.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace cudaopt::ir {

/// Returns template argument \p Index as a number; 0 if it is no number.
static uint64_t getNumber(const TemplateArgumentList &Arguments,
                          unsigned Index) {
  return Arguments[Index].getKind() == TemplateArgument::Integral
             ? Arguments[Index].getAsIntegral().getLimitedValue()
             : 0;
}

/// Returns the name of the class that template argument \p Index is; "" if it
/// is no class.
static StringRef getName(const TemplateArgumentList &Arguments,
                         unsigned Index) {
  const auto *Class = Arguments[Index].getKind() == TemplateArgument::Type
                          ? Arguments[Index].getAsType()->getAsCXXRecordDecl()
                          : nullptr;
  return Class && Class->getIdentifier() ? Class->getName() : "";
}

/// \p Fragment is `wmma::fragment<use, m, n, k, T, layout>`: a tile of an m x k
/// matrix A, a k x n matrix B, or an m x n accumulator.
std::optional<FragmentLines> describeFragment(QualType Fragment,
                                              bool SumIsByRows) {
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Fragment->getAsCXXRecordDecl());
  if (!Class || Class->getName() != "fragment" ||
      Class->getTemplateArgs().size() < 6)
    return std::nullopt;
  const TemplateArgumentList &Arguments = Class->getTemplateArgs();
  const uint64_t M = getNumber(Arguments, 1), N = getNumber(Arguments, 2),
                 K = getNumber(Arguments, 3);
  const StringRef Use = getName(Arguments, 0);
  FragmentLines Lines;
  if (Use == "accumulator")
    Lines = {M, N, true};
  else if (Use == "matrix_a")
    Lines = {M, K};
  else if (Use == "matrix_b")
    Lines = {K, N};
  const bool IsByRows =
      Lines.IsSum ? SumIsByRows : getName(Arguments, 5) == "row_major";
  if (!IsByRows)
    std::swap(Lines.Number, Lines.Length);
  return Lines.Number && Lines.Length ? std::optional(Lines) : std::nullopt;
}

} // namespace cudaopt::ir
