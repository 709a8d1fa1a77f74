// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes one idiom of a kernel. The writer provides names, random numbers and
/// the parts that idioms have in common; the idioms are in LiveRangeIdioms.cpp,
/// AddressIdioms.cpp, PrivateIdioms.cpp, LayoutIdioms.cpp and
/// StorageIdioms.cpp.
///
/// An idiom finds in scope `tid` (0 <= tid < threads()), `acc`, to which it
/// adds its results, `in` with NumInputs values, `flags` with NumFlags
/// integers, `out`, and `n`, which may have any value. An idiom is free of
/// races, also together with the ones before it, because its arrays are its
/// own.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_IDIOMWRITER_H
#define CUDAOPT_FUZZ_IDIOMWRITER_H

#include "Kernel.h"
#include "Random.h"

#include "llvm/ADT/Twine.h"
#include <string>

namespace cudaopt::fuzz {

/// A one-dimensional shared array that an idiom has declared.
struct IdiomArray {
  std::string Name;
  Element Type = Element::Float;
  unsigned Count = 0;

  std::string at(const llvm::Twine &Index) const {
    return (llvm::Twine(Name) + "[" + Index + "]").str();
  }
};

/// Writes the text of one idiom.
class IdiomWriter {
public:
  /// Writes idiom \p Position of \p K, whose outputs begin at \p FirstOutput.
  IdiomWriter(const Kernel &K, unsigned Position, unsigned FirstOutput)
      : K(K), R(K.Idioms[Position].Seed, K.Idioms[Position].Seed),
        Position(Position), NextOutput(FirstOutput) {}
  void run();

  const Kernel &K;
  Random R;

  // These add to texts in different places: the file, the declarations, and the
  // kernel's body.
  void fileLine(const llvm::Twine &Text) { File += (Text + "\n").str(); }
  void declare(const llvm::Twine &Text) {
    Declarations += ("  " + Text + "\n").str();
  }
  void line(const llvm::Twine &Text);
  void open(const llvm::Twine &Head);
  void close(unsigned Count = 1);
  void barrier() { line("__syncthreads();"); }
  void add(const llvm::Twine &Value) { line("acc += " + Value + ";"); }
  /// Opens a loop with \p Trips iterations, in one of several forms, with the
  /// counter \p Counter from 0.
  void openLoop(const llvm::Twine &Counter, unsigned Trips);

  /// Returns a name that nothing else in the file has.
  std::string fresh(llvm::StringRef Stem);
  std::string freshArray();

  unsigned threads() const { return K.numThreads(); }
  static std::string text(unsigned Number) { return std::to_string(Number); }
  /// Returns a type, not a record, that a value of the kernel can hold.
  Element chooseElement();
  /// Declares an array with \p Count elements; with one per thread if \p Count
  /// is 0.
  IdiomArray array(Element Type, unsigned Count = 0);
  IdiomArray array() { return array(chooseElement()); }
  /// Returns an expression for the number of a thread, usually another one;
  /// different threads get different numbers. It may need parentheses.
  std::string otherThread();
  /// Returns a value of \p Type for the thread, from the kernel's input.
  std::string value(Element Type);
  /// Returns a condition that is uniform; whether it holds depends on the
  /// launch.
  std::string uniformCondition();
  /// Returns a condition that differs between threads.
  std::string threadCondition();
  /// Returns a condition that depends on the input.
  std::string dataCondition();
  /// Writes an element of \p A in each thread.
  void fill(const IdiomArray &A) {
    line(A.at("tid") + " = " + value(A.Type) + ";");
  }
  /// Uses another array that is live only here, and which may get the bytes of
  /// \p Like if that is wrongly considered dead. A barrier must precede it; one
  /// follows it.
  void gap(const IdiomArray &Like);

  /// Reserves \p Count elements of the output; returns the one at \p Index.
  std::string output(unsigned Count, const llvm::Twine &Index);
  /// Returns the element of the output that receives each thread's result; a
  /// thread that returns early stores it, too.
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
