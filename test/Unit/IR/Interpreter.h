// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs functions of the IR on integers: what tests compare with other ways to
/// find what a function computes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_IR_INTERPRETER_H
#define CUDAOPT_TEST_UNIT_IR_INTERPRETER_H

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/DenseMap.h"
#include <functional>
#include <map>

namespace cudaopt {

class Interpreter {
public:
  explicit Interpreter(const ir::Function &F) : F(F) {}

  /// Called for each value that is computed in a block. A pointer is the object
  /// in the upper 32 bits, and a distance.
  std::function<void(ir::ValueId, const ir::Block &, const llvm::APInt &)>
      OnValue;
  llvm::DenseMap<const clang::Decl *, llvm::APInt> Arguments;

  /// What the function returns; none if it does what is not modelled, or runs
  /// for too long.
  std::optional<llvm::APInt> run();

private:
  using Number = std::optional<llvm::APInt>;

  Number evaluate(ir::ValueId V);
  Number compute(const ir::Value &V);
  Number binary(const ir::Value &V);
  bool execute(const ir::Operation &O);
  bool enter(const ir::Block &To, const ir::Block &From);
  const ir::Block *next(const ir::Block &B);
  std::vector<uint8_t> *bytesOf(const llvm::APInt &Pointer, uint64_t Width,
                                uint64_t &Offset);

  const ir::Function &F;
  const ir::Block *Here = nullptr;
  llvm::DenseMap<ir::ValueId, llvm::APInt> Defined; ///< Phis and results.
  llvm::DenseMap<ir::ValueId, llvm::APInt> Computed;
  std::map<ir::ObjectId, std::vector<uint8_t>> Memory;
};

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_IR_INTERPRETER_H
