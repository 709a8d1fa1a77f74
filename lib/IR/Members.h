// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Maps clang's types to those of the IR, and computes the layout of
/// aggregates: the scalars that they consist of, and the bytes that bit-fields
/// share.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_MEMBERS_H
#define CUDAOPT_LIB_IR_MEMBERS_H

#include "cudaopt/IR/Function.h"

namespace cudaopt::ir {

/// Returns the type of the IR for \p T. Arrays, functions and references are
/// pointers; classes and other types that are no scalar are aggregates.
Type typeOf(clang::QualType T, const clang::ASTContext &Context);

/// Returns the size of \p T in bytes, for a reference that of the type referred
/// to; 0 if the size is not known (incomplete or dependent types, arrays of
/// variable length) or \p T is void.
uint64_t sizeOf(clang::QualType T, const clang::ASTContext &Context);

/// Returns true if \p T, or a member, base or element of it, is volatile.
bool hasVolatile(clang::QualType T, const clang::ASTContext &Context);

/// A scalar in an aggregate, or a run of bit-fields that share bytes.
struct Member {
  uint64_t Offset = 0; ///< Bytes from the beginning of the aggregate.
  uint64_t Width = 0;  ///< Bytes.
  Type Ty;
};

/// Where a bit-field lies.
struct BitField {
  /// The memory location that it is part of: the maximal run of adjacent
  /// bit-fields, which C++ treats as one location ([intro.memory]).
  Member Location;
  unsigned Shift = 0; ///< The position in bits, from the lowest of Location.
  unsigned Width = 0; ///< The width in bits.
};

/// Returns where \p Field, a bit-field, lies; std::nullopt if its memory
/// location is wider than 64 bits.
std::optional<BitField> findBits(const clang::FieldDecl *Field,
                                 const clang::ASTContext &Context);

/// Returns the scalars that \p T consists of, by increasing offset, so that a
/// copy of \p T can be split into copies of scalars. Returns std::nullopt if
/// there are more than 16, if some overlap (unions) or are volatile, or if \p T
/// has virtual functions or virtual bases.
std::optional<llvm::SmallVector<Member, 4>>
membersOf(clang::QualType T, const clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_MEMBERS_H
