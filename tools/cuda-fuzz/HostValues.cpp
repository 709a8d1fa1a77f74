// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates the host computations, each with the value that the language's
/// rules give it.
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using llvm::formatv;

namespace cudaopt::fuzz {

namespace {

/// Makes a computation whose value is Wanted. Suffix makes its names unique.
class HostValueMaker {
public:
  HostValueMaker(unsigned Wanted, unsigned Suffix, Random &R)
      : Wanted(int(Wanted)), Name("h" + std::to_string(Suffix)), R(R) {}
  HostComputation run();

private:
  HostComputation makeNarrow(unsigned Which);
  HostComputation makeFloating(unsigned Which);
  HostComputation makeEnumeration(unsigned Which);
  HostComputation makeWrapped(unsigned Which);
  HostComputation makeChanging(unsigned Which);
  HostComputation makeConstant(unsigned Which);

  /// Returns a computation of the wanted number from the expression \p Value,
  /// whose value is \p Is, by adding the difference.
  HostComputation corrected(std::string Text, std::string Value, int Is) const {
    return {std::move(Text),
            "(" + Value + " + (" + std::to_string(Wanted - Is) + "))"};
  }
  /// Returns a line of the function, with {0} replaced by the name.
  template <class... T> std::string line(const char *Format, T &&...Arguments) {
    return "  " + formatv(Format, Name, std::forward<T>(Arguments)...).str() +
           "\n";
  }

  const int Wanted;
  const std::string Name;
  Random &R;
};

} // namespace

/// Conversions to narrow types, which lose bits or sign.
HostComputation HostValueMaker::makeNarrow(unsigned Which) {
  int N = int(R.between(200, 70000));
  switch (Which % 7) {
  case 0:
    return corrected(line("const unsigned char {0} = (unsigned char){1};", N),
                     Name, (unsigned char)N);
  case 1:
    return corrected(line("const signed char {0} = (signed char){1};", N), Name,
                     (signed char)N);
  case 2:
    return corrected(line("const short {0} = (short){1};", N), Name, (short)N);
  case 3:
    return corrected(line("unsigned short {0} = (unsigned short)({1} * 3);", N),
                     Name, (unsigned short)(N * 3));
  case 4:
    return {line("const bool {0} = (bool){1};", N),
            "(" + Name + " * " + std::to_string(Wanted) + ")"};
  case 5:
    return corrected(line("char {0} = char({1});", N % 100), Name, N % 100);
  default: // An implicit conversion.
    return corrected(line("const unsigned char {0} = {1};", N), Name,
                     (unsigned char)N);
  }
}

/// Floating-point arithmetic whose conversion to an integer truncates; its
/// value depends on the precision of each step.
HostComputation HostValueMaker::makeFloating(unsigned Which) {
  int N = int(R.between(3, 3000)), M = int(R.between(3, 40));
  float F = float(R.between(1, 90)) / 7;
  std::string Literal = formatv("{0}.0f / 7", std::lround(F * 7)).str();
  F = float(std::lround(F * 7)) / 7;
  switch (Which % 6) {
  case 0:
    return corrected(
        line("const int {0} = {1}; const float {0}f = {2};", N, Literal),
        formatv("(int)({0} / (float){1} * {0}f)", Name, M).str(),
        (int)(N / (float)M * F));
  case 1:
    return corrected(line("const float {0} = {1};", Literal),
                     formatv("int({0} * {1})", Name, N).str(), int(F * N));
  case 2:
    return {"", formatv("int({0}.75)", Wanted).str()};
  case 3: // The constructor of dim3 converts it.
    return {line("const double {0} = {1}.9;", Wanted), Name};
  case 4:
    return corrected("", formatv("int(0.1 * {0} * 10)", M).str(),
                     int(0.1 * M * 10));
  default:
    return corrected(
        line("const double {0} = {1} / 7.0;", N),
        formatv("(0.1 + 0.2 == 0.3 ? 5 : (int)({0} * {1}))", Name, M).str(),
        0.1 + 0.2 == 0.3 ? 5 : (int)(N / 7.0 * M));
  }
}

/// Enumerations with implicit values, negative ones and narrow underlying
/// types.
HostComputation HostValueMaker::makeEnumeration(unsigned Which) {
  switch (Which % 4) {
  case 0:
    return {line("enum {{ {0}a = {1}, {0}b };", Wanted - 1), Name + "b"};
  case 1:
    return corrected(
        line("enum {0}E : unsigned char {{ {0}a = 255, {0}c = 3 };"),
        formatv("({0}c * 10 + {0}a)", Name).str(), 285);
  case 2:
    return {line("enum class {0}E : short {{ a = -1, b = {1} };", Wanted + 1),
            formatv("((int){0}E::b + (int){0}E::a)", Name).str()};
  default: {
    int N = int(R.between(250, 600));
    return corrected(
        line("enum {0}E : unsigned char {{ {0}a = 7 }; const int {0} = "
             "(unsigned char)(({0}E){0}a + {1});",
             N),
        Name, (unsigned char)(7 + N));
  }
  }
}

/// Unsigned wrap-around, negative division and shift, and mixed signedness.
HostComputation HostValueMaker::makeWrapped(unsigned Which) {
  unsigned U = R.between(1, 100), V = R.between(101, 200);
  switch (Which % 8) {
  case 0:
    return corrected(line("const unsigned {0} = {1};", U),
                     formatv("int(({0} - {1}) % 1000)", Name, V).str(),
                     int((U - V) % 1000));
  case 1:
    return corrected(line("unsigned {0} = {1};", U),
                     formatv("int(({0} - {1}u) / 16777216)", Name, V).str(),
                     int((U - V) / 16777216));
  case 2:
    return corrected(line("const int {0} = -{1};", U),
                     formatv("({0} / 3 + {0} % 7 + ({0} >> 2))", Name).str(),
                     -int(U) / 3 + -int(U) % 7 + (-int(U) >> 2));
  case 3:
    return corrected("", "int(~0u >> 24)", 255);
  case 4:
    return {"", formatv("(int)(4294967296LL + {0})", Wanted).str()};
  case 5: // The constructor of dim3 truncates it.
    return {line("const unsigned long long {0} = 4294967296ull + {1};", Wanted),
            Name};
  case 6:
    return corrected(line("const unsigned {0} = 65537u * {1}u;", V * 1000),
                     formatv("int({0} >> 16)", Name).str(),
                     int((65537u * (V * 1000)) >> 16));
  default: // The signed operand becomes unsigned.
    return corrected(line("const int {0} = -{1};", U),
                     formatv("({0} < 5u ? 9 : 4)", Name).str(),
                     unsigned(-int(U)) < 5u ? 9 : 4);
  }
}

/// Variables that change before they are used, directly, in a loop, or through
/// references and pointers: the initializer is not the value.
HostComputation HostValueMaker::makeChanging(unsigned Which) {
  switch (Which % 8) {
  case 0:
    return {line("int {0} = 1; {0} += {1};", Wanted - 1), Name};
  case 1:
    return corrected(line("int {0} = 2; for (int k = 0; k < 3; ++k) {0} *= 2;"),
                     Name, 16);
  case 2:
    return {line("int {0} = 5; int &{0}r = {0}; {0}r = {1};", Wanted), Name};
  case 3:
    return {line("int {0} = 7; int *{0}p = &{0}; *{0}p = {1};", Wanted), Name};
  case 4:
    return {line("int {0} = 9; assign({0}, {1});", Wanted), Name};
  case 5:
    return {line("int {0} = {1}; int {0}o = {0}++; {0} -= {0}o;", Wanted),
            "(" + Name + "o * " + Name + ")"};
  case 6:
    return {
        line("int {0} = {1}; if ({0} > 0) {0} = {2};", R.between(1, 9), Wanted),
        Name};
  default:
    return {line("unsigned char {0} = 250; {0} += 6;"),
            "(" + Name + " + " + std::to_string(Wanted) + ")"};
  }
}

/// Constant expressions: constexpr, sizeof, characters, booleans.
HostComputation HostValueMaker::makeConstant(unsigned Which) {
  switch (Which % 7) {
  case 0:
    return {line("constexpr int {0} = {1};", Wanted), Name};
  case 1:
    return corrected("", formatv("roundUp({0}, 8)", Wanted + 3).str(),
                     (Wanted + 3 + 7) / 8 * 8);
  case 2:
    return corrected("", "int(sizeof(double2) * 2)", 32);
  case 3:
    return corrected("", "('a' - 33)", 64);
  case 4:
    return corrected("", "(true + true + !0 + (3 < 5) * 7)", 10);
  case 5:
    return {line("const int {0} = {1};", Wanted),
            formatv("({0} > 1000 ? 3 : {0})", Name).str()};
  default:
    return {line("constexpr float {0} = {1}.5f;", Wanted), "int(" + Name + ")"};
  }
}

HostComputation HostValueMaker::run() {
  unsigned Which = R.below(840);
  switch (R.below(6)) {
  case 0:
    return makeNarrow(Which);
  case 1:
    return makeFloating(Which);
  case 2:
    return makeEnumeration(Which);
  case 3:
    return makeWrapped(Which);
  case 4:
    return makeChanging(Which);
  default:
    return makeConstant(Which);
  }
}

HostComputation makeHostValue(unsigned Wanted, unsigned Suffix, Random &R) {
  return HostValueMaker(Wanted, Suffix, R).run();
}

} // namespace cudaopt::fuzz
