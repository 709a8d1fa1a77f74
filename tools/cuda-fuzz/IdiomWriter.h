// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes one idiom of a kernel. The writer gives names, random numbers and
/// what idioms have in common; the idioms are in LiveRangeIdioms.cpp,
/// PrivateIdioms.cpp and LayoutIdioms.cpp.
///
/// An idiom finds in scope `tid` (0 <= tid < threads()), `acc` (to which it
/// adds its results), `in` (NumInputs values), `flags` (NumFlags integers),
/// `out` and `n`, which may have any value. It is free of races, also with what
/// stands in front of it, as its arrays are its own.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_IDIOMWRITER_H
#define CUDAOPT_FUZZ_IDIOMWRITER_H

#include "Kernel.h"
#include "Random.h"

#include "llvm/ADT/Twine.h"
#include <string>

namespace cudaopt::fuzz {

/// A shared array of one dimension that an idiom declared.
struct IdiomArray {
  std::string Name;
  Element Type = Element::Float;
  unsigned Count = 0;

  std::string at(const llvm::Twine &Index) const {
    return (llvm::Twine(Name) + "[" + Index + "]").str();
  }
};

class IdiomWriter {
public:
  /// For idiom \p Position of \p K, whose outputs begin at \p FirstOutput.
  IdiomWriter(const Kernel &K, unsigned Position, unsigned FirstOutput)
      : K(K), R(K.Idioms[Position].Seed, K.Idioms[Position].Seed),
        Position(Position), NextOutput(FirstOutput) {}
  void run();

  const Kernel &K;
  Random R;

  // Texts of different places. `line` adds to the kernel's body.
  void fileLine(const llvm::Twine &Text) { File += (Text + "\n").str(); }
  void declare(const llvm::Twine &Text) {
    Declarations += ("  " + Text + "\n").str();
  }
  void line(const llvm::Twine &Text);
  void open(const llvm::Twine &Head);
  void close(unsigned Count = 1);
  void barrier() { line("__syncthreads();"); }
  void add(const llvm::Twine &Value) { line("acc += " + Value + ";"); }
  /// Opens a loop of \p Trips iterations, in one of its forms, with the counter
  /// \p Counter from 0.
  void openLoop(const llvm::Twine &Counter, unsigned Trips);

  /// A name that nothing else in the file has.
  std::string fresh(llvm::StringRef Stem);
  std::string freshArray();

  unsigned threads() const { return K.numThreads(); }
  static std::string text(unsigned Number) { return std::to_string(Number); }
  /// A type that a value of the kernel can hold; no record.
  Element chooseElement();
  /// Declares an array, of as many elements as there are threads if \p Count is
  /// 0.
  IdiomArray array(Element Type, unsigned Count = 0);
  IdiomArray array() { return array(chooseElement()); }
  /// The number of a thread that is often another one, in parentheses if need
  /// be: each thread has one of its own.
  std::string otherThread();
  /// A value of \p Type for the thread, from what the kernel is given.
  std::string value(Element Type);
  /// A condition that is the same for all threads and holds, or not, as the
  /// launch says.
  std::string uniformCondition();
  /// A condition that differs between threads.
  std::string threadCondition();
  /// A condition that the input decides.
  std::string dataCondition();
  /// Writes elements of \p A, one a thread.
  void fill(const IdiomArray &A) {
    line(A.at("tid") + " = " + value(A.Type) + ";");
  }
  /// Uses another array that is alive only here, which may get the bytes of
  /// \p Like if that is said to be dead. There must be a barrier in front of
  /// it; there is one behind it.
  void gap(const IdiomArray &Like);

  /// Reserves \p Count elements of the output; returns the one at \p Index.
  std::string output(unsigned Count, const llvm::Twine &Index);
  /// What each thread gives, also in front of a return.
  std::string result() const;

  const std::string &file() const { return File; }
  const std::string &declarations() const { return Declarations; }
  const std::string &body() const { return Body; }
  unsigned nextOutput() const { return NextOutput; }

private:
  const unsigned Position;
  unsigned NumNames = 0, NextOutput;
  std::string File, Declarations, Body, Indent = "  ";
};

#define IDIOM(NAME, WORD, WEIGHT, PLACE, JUDGE)                                \
  void write##NAME(IdiomWriter &W);
#include "Idioms.def"

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_IDIOMWRITER_H
