// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What authors of a source say by
/// `[[clang::annotate("cudaopt::name=value")]]`.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_ANNOTATIONS_H
#define CUDAOPT_IR_ANNOTATIONS_H

#include "clang/AST/Attr.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudaopt {

/// Names and values that annotations may have ("layout", "xor").
struct Annotation {
  llvm::StringRef Name, Value;
};

/// Returns what \p Mark says to us; nothing if it is for somebody else.
std::optional<Annotation> readAnnotation(const clang::AnnotateAttr *Mark);

} // namespace cudaopt

#endif // CUDAOPT_IR_ANNOTATIONS_H
