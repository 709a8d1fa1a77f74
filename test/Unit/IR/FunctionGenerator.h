// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes random functions of C++ that constant expressions may call.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_IR_FUNCTIONGENERATOR_H
#define CUDAOPT_TEST_UNIT_IR_FUNCTIONGENERATOR_H

#include <random>
#include <string>

namespace cudaopt {

class FunctionGenerator {
public:
  explicit FunctionGenerator(unsigned Seed) : Random(Seed) {}

  /// A function `f` of no arguments that returns an integer, and what it calls.
  std::string makeFunction();

private:
  unsigned below(unsigned N) { return Random() % N; }
  std::string number(unsigned Most = 300) {
    return std::to_string(below(Most));
  }
  std::string name();
  std::string expression(unsigned Depth);
  /// `$e` stands for an expression, `$n` for a small number, `$v` for a
  /// variable,
  /// `$s` for a statement, `$i` for a name that is new.
  void add(const char *Pattern, unsigned Depth);
  void addStatement(unsigned Depth);

  std::mt19937 Random;
  std::string Text;
  unsigned Count = 0, Names = 0;
};

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_IR_FUNCTIONGENERATOR_H
