// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Types of clang as the IR sees them: scalars, and what aggregates consist of.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_MEMBERS_H
#define CUDAOPT_LIB_IR_MEMBERS_H

#include "cudaopt/IR/Function.h"

namespace cudaopt::ir {

/// Pointers for arrays, functions and references.
Type typeOf(clang::QualType T, const clang::ASTContext &Context);

/// Bytes; 0 if that is not known, or nothing.
uint64_t sizeOf(clang::QualType T, const clang::ASTContext &Context);

/// True if a part of \p T is volatile.
bool hasVolatile(clang::QualType T, const clang::ASTContext &Context);

/// A scalar in an aggregate, or the bit-fields that share bytes.
struct Member {
  uint64_t Offset = 0; ///< Bytes from the beginning of the aggregate.
  uint64_t Width = 0;  ///< Bytes.
  Type Ty;
};

/// Where a bit-field lies.
struct BitField {
  /// All bit-fields that are next to it: to C++ they are one memory location.
  Member Location;
  unsigned Shift = 0; ///< From the lowest bit of the location.
  unsigned Width = 0;
};

/// None if the location has more than 64 bits.
std::optional<BitField> findBits(const clang::FieldDecl *Field,
                                 const clang::ASTContext &Context);

/// The scalars of \p T, in order. None if there are more than 16, if some share
/// bytes as in unions, or if copies of \p T do more than copy them.
std::optional<llvm::SmallVector<Member, 4>>
membersOf(clang::QualType T, const clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_MEMBERS_H
