// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Looks up the rows of Advice.def by the identifier of the reason.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/Advice.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

namespace {
struct Row {
  llvm::StringRef Id;
  Advice Given;
};
} // namespace

static constexpr Row Rows[] = {
#define ADVICE(ID, TEXT, EXAMPLE) {ID, {TEXT, EXAMPLE}},
#include "cudaopt/Support/Advice.def"
};

Advice cudaopt::getAdvice(llvm::StringRef Id) {
  const Row *Found =
      llvm::find_if(Rows, [&](const Row &Each) { return Each.Id == Id; });
  if (Found == std::end(Rows))
    return {};
  // The raw strings of the table begin with a line break behind R"(.
  return {Found->Given.Text, Found->Given.Example.ltrim('\n')};
}
