// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Idioms on when an array is alive: what overwrites it, who still reads it,
/// and what copies to it are under way.
//===----------------------------------------------------------------------===//

#include "IdiomWriter.h"
#include "KernelPrinter.h"

using llvm::Twine;

namespace cudaopt::fuzz {

/// An array is filled, used, and written again but for a part, of which the old
/// values are read.
void writePartOverwritten(IdiomWriter &W) {
  IdiomArray A = W.array();
  W.fill(A);
  W.barrier();
  W.openLoop("i", W.R.between(2, 4));
  W.add(A.at(W.otherThread()));
  W.barrier();
  W.gap(A);
  W.open("if (" + W.threadCondition() + ")");
  W.line(A.at("tid") + " = i + " + Twine(W.R.below(9)) + ";");
  W.close();
  W.barrier();
  W.close();
  W.add(A.at(W.otherThread()));
}

/// Threads leave while others go on, and what they need lives on.
void writeThreadsLeave(IdiomWriter &W) {
  IdiomArray A = W.array();
  W.fill(A);
  W.barrier();
  W.open("if (" + (W.R.chance(50) ? W.threadCondition() : W.dataCondition()) +
         ")");
  W.add(A.at(W.otherThread()));
  W.line(W.result() + " = acc;");
  W.line("return;");
  W.close();
  // Who left has not written its element.
  IdiomArray Other = W.array(A.Type);
  W.fill(Other);
  W.barrier();
  W.add(Other.at("tid"));
}

} // namespace cudaopt::fuzz
