// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Layouts, kernels of one array that get them, and what their subscripts then
/// name.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_REWRITE_REWRITTENKERNEL_H
#define CUDAOPT_TEST_UNIT_REWRITE_REWRITTENKERNEL_H

#include "cudaopt/Rewrite/RewriteKernel.h"

#include "../ParsedKernel.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "gtest/gtest.h"

namespace cudaopt {

inline Layout layout(Layout::Family Kind, uint64_t Pitch) {
  Layout New;
  New.Kind = Kind;
  New.Pitch = Pitch;
  return New;
}

inline Layout pad(unsigned Padding, uint64_t Pitch = 0, unsigned Rows = 0) {
  Layout New = layout(Layout::Family::Pad, Pitch);
  New.Padding = Padding;
  New.RowPadding = Rows;
  return New;
}

inline Layout permute(llvm::ArrayRef<uint8_t> Order, unsigned Padding = 0,
                      uint64_t Pitch = 0) {
  Layout New = layout(Layout::Family::Permute, Pitch);
  New.Padding = Padding;
  New.Order.assign(Order.begin(), Order.end());
  return New;
}

inline Layout linear(llvm::ArrayRef<BitTerm> Terms, uint64_t Pitch = 0) {
  Layout New = layout(Layout::Family::Xor, Pitch);
  New.Terms.assign(Terms.begin(), Terms.end());
  return New;
}

/// c ^ (r >> Shift mod 2^Bits) * 2^Unit
inline Layout swizzle(unsigned Shift, unsigned Bits, unsigned Unit = 0,
                      uint64_t Pitch = 0) {
  return linear(BitTerm{1, uint8_t(Shift), uint8_t(Bits), false, 1u << Unit},
                Pitch);
}

inline Layout rotate(unsigned Step, uint64_t Pitch = 0) {
  Layout New = layout(Layout::Family::Rotate, Pitch);
  New.Step = Step;
  return New;
}

/// The transform of document 000.
inline Layout transform(uint64_t Pitch = 0) {
  Layout New = layout(Layout::Family::Transform, Pitch);
  New.T = {{{2, 1}, {0, 1}}};
  return New;
}

/// The warnings and errors of \p Code.
inline std::string diagnose(const std::string &Code) {
  clang::TextDiagnosticBuffer Messages;
  parseCuda(Code, {"-Wall", "-Wextra", "-Wno-unused"}, &Messages);
  std::string Text;
  for (auto I = Messages.err_begin(); I != Messages.err_end(); ++I)
    Text += I->second + "\n";
  for (auto I = Messages.warn_begin(); I != Messages.warn_end(); ++I)
    Text += I->second + "\n";
  return Text;
}

/// Gives array \p Array of \p P, parsed from \p Code, the layout \p New.
/// Returns the new text, or the error.
inline std::string rewrite(ParsedKernel &P, const std::string &Code,
                           const Layout &New, ArrayId Array = 0) {
  ArrayRewrite Wanted{P.K, Array, New};
  Edits E = rewriteArrays(Wanted, P.context());
  if (!Wanted.WhyNot.empty()) {
    EXPECT_TRUE(E.empty());
    return "error: " + Wanted.WhyNot;
  }
  std::string After =
      E.empty() ? Code : applyEdits(Code, E.byFile().begin()->second);
  EXPECT_EQ(diagnose(After), "") << After;
  return After;
}

/// \p SplitPitch says that one-dimensional subscripts are sums.
inline std::string rewrite(const std::string &Code, const Layout &New,
                           uint64_t SplitPitch = 0, ArrayId Array = 0) {
  ParsedKernel P(Code);
  if (SplitPitch)
    P.splitSubscripts(SplitPitch);
  return rewrite(P, Code, New, Array);
}

inline constexpr const char *Macros =
    "#define WIDTH 32\n#define AT(r, c) ((r)*32 + (c))\n"
    "#define __brev __builtin_bitreverse32\n";

/// A kernel with the array `s` of \p Extents, three indices and one store.
inline std::string kernel(llvm::StringRef Extents, llvm::StringRef Subscripts) {
  return (Macros +
          llvm::Twine("__global__ void kernel(int y, int x, int z) {\n"
                      "  __shared__ int s") +
          Extents + ";\n  s" + Subscripts + " = x + y + z;\n}\n")
      .str();
}

/// The brackets after the name of `s` in line \p Line of \p Code.
inline std::string bracketsOf(llvm::StringRef Code, unsigned Line) {
  llvm::SmallVector<llvm::StringRef, 8> Lines;
  Code.split(Lines, '\n');
  return Lines[Line].split(" s").second.split(" = ").first.rtrim(';').str();
}

/// "[32][x] -> ..." of the declaration and of the store, rewritten.
inline std::string forms(llvm::StringRef Extents, llvm::StringRef Subscripts,
                         const Layout &New, uint64_t SplitPitch = 0) {
  std::string After = rewrite(kernel(Extents, Subscripts), New, SplitPitch);
  if (llvm::StringRef(After).starts_with("error"))
    return After;
  return bracketsOf(After, 4) + " " + bracketsOf(After, 5);
}

/// Evaluates the rewritten subscript for every element: `s` has \p Planes of
/// \p Rows rows of \p Pitch elements, z, y and x being their numbers.
inline void expectPlaces(llvm::StringRef Extents, llvm::StringRef Subscripts,
                         const Layout &New, unsigned Rows, unsigned Pitch,
                         uint64_t SplitPitch = 0, unsigned Planes = 1) {
  std::string After = rewrite(kernel(Extents, Subscripts), New, SplitPitch);
  ASSERT_FALSE(llvm::StringRef(After).starts_with("error")) << After;
  ParsedKernel Before(kernel(Extents, Subscripts));
  const ArrayShape &Shape = Before.K.Instances[0]->Shapes[0];
  ASSERT_EQ(Shape.numElements(), Planes * Rows * Pitch);
  std::string Number = std::to_string(Pitch);
  std::string Test = std::string(Macros) + "constexpr int places[] = {";
  for (unsigned I = 0; I != Shape.numElements(); ++I)
    Test += std::to_string(New.apply(I, Shape)) + ", ";
  // Subscripts of these give the place in the array.
  std::string Declared = bracketsOf(After, 4);
  const std::string Types[] = {"", "row s{0}",
                               "array s{0, int(sizeof(d[0]) / sizeof(int))}",
                               ("box s{int(sizeof(d[0]) / sizeof(int)), "
                                "int(sizeof(d[0][0]) / sizeof(int))}")};
  Test += "};\nstruct row { int start; constexpr int operator[](int i) const "
          "{ return start + i; } };\n"
          "struct array { int start, pitch; constexpr row operator[](int i) "
          "const { return {start + i * pitch}; } };\n"
          "struct box { int plane, pitch; constexpr array operator[](int i) "
          "const { return {i * plane, pitch}; } };\n"
          "constexpr bool check() {\n  int d" +
          Declared + " = {};\n  " +
          Types[llvm::StringRef(Declared).count('[')] +
          ";\n  for (int z = 0; z < " + std::to_string(Planes) +
          "; ++z)\n  for (int y = 0; y < " + std::to_string(Rows) +
          "; ++y)\n    for (int x = 0; x < " + Number +
          "; ++x)\n      if (int(s" + bracketsOf(After, 5) +
          ") != places[(z * " + std::to_string(Rows) + " + y) * " + Number +
          " + x])\n        return false;\n  return true;\n}\n"
          "static_assert(check());\n"
          // Every place lies in the array.
          "constexpr int d" +
          Declared + " = {};\n" +
          "constexpr bool fits() {\n  for (int p : places)\n    if (p >= "
          "int(sizeof(d) / sizeof(int)))\n      return false;\n"
          "  return true;\n}\nstatic_assert(fits());\n";
  EXPECT_EQ(diagnose(Test), "") << Test;
}

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_REWRITE_REWRITTENKERNEL_H
