// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints kernels. KernelText.cpp has what surrounds the statements,
/// LaunchText.cpp the launches and the ways in which threads leave,
/// StatementText.cpp the statements that use arrays by subscripts, and
/// SpecialText.cpp and OwnedText.cpp the other statements.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_KERNELPRINTER_H
#define CUDAOPT_FUZZ_KERNELPRINTER_H

#include "KernelText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

namespace cudaopt::fuzz {

llvm::StringRef spellingOf(Element E);

/// The sizes of the inputs that kernels read at made-up positions.
inline constexpr unsigned NumFlags = 64, NumInputs = 256;

/// A part of an expression, and whether it can be an operand without
/// parentheses.
struct Piece {
  std::string Text;
  bool IsAtom = true;
  std::string operand() const { return IsAtom ? Text : "(" + Text + ")"; }
};

/// Prints one kernel, from its head to its launch.
class KernelPrinter {
public:
  explicit KernelPrinter(const Kernel &K) : K(K) {}
  KernelText run();

private:
  KernelText runIdioms();
  void printHead();
  void printDeclarations();
  void printLocals();
  void printThread();
  void printPhase(const Phase &P);
  void printStatements(const Phase &P);
  void printFunction(const Phase &P);
  void printBarrier();
  void printStatement(const Statement &S);
  void printBody(const Statement &S);
  void printStore(const Statement &S);
  void printOutput(const Statement &S);
  void printLaunch(const llvm::Twine &Name, std::array<unsigned, 3> Block,
                   bool ComputesShape);
  void printLeaving(const Phase &P);
  bool hasGoto() const;

  void printHelpers();
  std::string helper(llvm::StringRef Name) const;
  void printSpecial(const Statement &S);
  void printPointerRead(const Statement &S);
  void printPointerWrite(const Statement &S);
  void printBreakRead(const Statement &S);
  void printBreakWrite(const Statement &S);
  void printLambda(const Statement &S);
  void printPartialWrite(const Statement &S);
  void printWide(const Statement &S);
  void printTrap(const Statement &S);
  void printOwnedDeclarations();
  void printOwned(const Statement &S);
  void printBytesTaken(const Statement &S);
  void printBytesUsed(const Statement &S);
  void printAggregate(const Statement &S);
  void printPrivate(const Statement &S);
  void printContraction(const Statement &S);

  unsigned openGuard(const Statement &S);
  unsigned openLoops(const Statement &S);
  unsigned openFlatLoop(const Array &A);
  unsigned openDriver(const Statement &S, size_t Dimension);
  unsigned openFor(const llvm::Twine &Name, const llvm::Twine &First,
                   const llvm::Twine &Limit, const llvm::Twine &Step);

  void printReference(unsigned Array, llvm::ArrayRef<Piece> Subscripts);
  void printRead(const Access &A, bool IsFloat);
  void printSum(const Statement &S, bool IsFloat, bool IsFirst);
  std::vector<Piece> ownElement(unsigned Array) const;
  std::string ownNumber(const Statement &S) const;
  std::string inputOf(const Statement &S, bool IsFloat) const;

  std::string allThreads() const;
  std::string elementAt(unsigned Array, const llvm::Twine &Number) const;
  std::string baseOf(unsigned Array, unsigned Salt) const;
  std::string madeValue(unsigned Array, const llvm::Twine &Number) const;
  std::string privateElement(unsigned Own, const llvm::Twine &J) const;

  Piece textOf(const Index &I) const;
  std::string wrappedText(const Index &I) const;
  std::string conditionOf(const Guard &G) const;
  std::string typeOf(Element E) const;
  std::string number(unsigned N) const;
  std::string threads(unsigned Dimension) const;
  /// Returns true if the text must be right for several block shapes.
  bool hasTwoShapes() const { return K.OtherBlock.has_value(); }
  std::string nameOf(unsigned Array) const;
  std::string functionOf(const Phase &P) const;
  std::string extentsOf(const Array &A) const;
  bool isInLoop(const Phase &P) const;
  llvm::StringRef integer() const { return K.IsUnsigned ? "unsigned" : "int"; }
  Piece &variable(Variable V) { return Names[unsigned(V)]; }
  const Piece &variable(Variable V) const { return Names[unsigned(V)]; }

  void write(const llvm::Twine &Text) { Out.Text += Text.str(); }
  void line(const llvm::Twine &Text) {
    write(llvm::Twine(Indent) + Text + "\n");
  }
  unsigned here() const { return unsigned(Out.Text.size()); }
  /// Opens a block with a head such as `if (...)`.
  void open(const llvm::Twine &Head);
  void close(unsigned Count = 1);

  const Kernel &K;
  KernelText Out;
  std::string Indent = "  ";
  std::array<Piece, 9> Names;
  unsigned OutputBase = 0; ///< Where in the output the next array is copied to.
  unsigned OutputStride = 0; ///< The number of outputs per block.
};

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_KERNELPRINTER_H
