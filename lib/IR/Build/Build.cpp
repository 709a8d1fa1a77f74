// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the IR of a function: lowers it to memory form, and promotes
/// variables to values round by round. Debug builds verify the result.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace cudaopt::ir;

/// The most rounds of promotion. Each may make branches constant, which lets
/// the next one drop blocks and replace phis.
static constexpr unsigned MaxRounds = 8;

std::unique_ptr<Function> cudaopt::ir::build(const clang::FunctionDecl *F,
                                             clang::ASTContext &Context,
                                             const BuildOptions &Options) {
  std::unique_ptr<Function> Result = Lowering(Context, Options, F).run();
  for (unsigned Round = 0; Result && Round < MaxRounds; ++Round) {
    std::unique_ptr<Function> Better = promote(*Result, Options);
    if (!Better)
      break;
    Result = std::move(Better);
  }
#ifndef NDEBUG
  if (std::optional<std::string> Broken =
          Result ? Result->verify() : std::nullopt)
    llvm::report_fatal_error(llvm::Twine("the IR breaks an invariant: ") +
                             *Broken);
#endif
  return Result;
}
