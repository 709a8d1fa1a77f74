// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// printf and assert of a kernel. The arguments of printf are in a buffer, each
/// at a multiple of its size; narrow ones are promoted as in C.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_DEVICEOUTPUT_H
#define CUDAOPT_LIB_SIMT_DEVICEOUTPUT_H

#include "RunState.h"
#include "WarpMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace cudaopt::simt {

/// Formats what one thread prints.
class Formatter {
public:
  Formatter(WarpMemory &Memory, const Warp &W, unsigned Lane,
            uint64_t Arguments)
      : Memory(Memory), W(W), Lane(Lane), Next(Arguments) {}

  /// Formats the whole text. Returns what is not modelled, or an empty string.
  std::string format(llvm::StringRef Format) {
    while (!Format.empty() && Problem.empty()) {
      size_t Percent = Format.find('%');
      Text += Format.take_front(Percent);
      Format = Format.substr(Percent);
      if (!Format.empty())
        Format = conversion(Format);
    }
    return Problem;
  }
  llvm::StringRef text() const { return Text; }
  unsigned numArguments() const { return NumArguments; }

private:
  /// Returns the next argument, of \p Size bytes.
  uint64_t take(unsigned Size) {
    Next = (Next + Size - 1) / Size * Size;
    NameOfAddress.clear();
    std::optional<uint64_t> Value =
        Memory.peek(W, Lane, Next, Size, &NameOfAddress);
    Next += Size;
    ++NumArguments;
    if (!Value)
      Problem = "an argument of printf";
    return Value.value_or(0);
  }

  /// Handles the conversion that \p Format begins with, and returns the rest.
  llvm::StringRef conversion(llvm::StringRef Format) {
    std::string Spec = "%";
    Format = Format.drop_front();
    for (; !Format.empty() &&
           llvm::StringRef("-+ #0123456789.*").contains(Format.front());
         Format = Format.drop_front()) {
      if (Format.front() == '*')
        Spec += std::to_string(static_cast<int32_t>(take(4)));
      else
        Spec += Format.front();
    }
    llvm::StringRef Length = Format.take_while(
        [](char C) { return llvm::StringRef("hljzt").contains(C); });
    Format = Format.substr(Length.size());
    if (Format.empty()) {
      Problem = "the format of printf";
      return Format;
    }
    convert(Spec, Length, Format.front());
    return Format.drop_front();
  }

  template <class T> void print(const std::string &Spec, T Value) {
    llvm::raw_string_ostream(Text) << llvm::format(Spec.c_str(), Value);
  }

  int64_t signedArgument(llvm::StringRef Length) {
    if (isLong(Length))
      return static_cast<int64_t>(take(8));
    auto Value = static_cast<int32_t>(take(4));
    if (Length == "hh")
      return static_cast<int8_t>(Value);
    return Length == "h" ? static_cast<int16_t>(Value) : Value;
  }
  uint64_t unsignedArgument(llvm::StringRef Length) {
    if (isLong(Length))
      return take(8);
    uint64_t Value = take(4);
    return Length == "hh"  ? Value & 0xff
           : Length == "h" ? Value & 0xffff
                           : Value;
  }
  /// Returns true for the lengths that take 8 bytes: everything but "", "h" and
  /// "hh".
  static bool isLong(llvm::StringRef Length) {
    return !Length.empty() && Length.front() != 'h';
  }

  /// Prints one argument. If addresses are terms, since two programs are
  /// compared, an address of shared memory is printed as the variable and
  /// offset it names.
  void convert(std::string Spec, llvm::StringRef Length, char Conversion) {
    const bool IsNumber = llvm::StringRef("diuoxXp").contains(Conversion);
    const bool IsWhole = Length.empty() || isLong(Length);
    const std::string Before = Text;
    convertValue(std::move(Spec), Length, Conversion);
    if (NameOfAddress.empty() || Conversion == 's')
      return;
    if (!IsNumber || !IsWhole)
      Problem = "a part of an address that printf prints";
    Text = Before + PrintedAddress + NameOfAddress + PrintedAddress;
    NameOfAddress.clear();
  }

  void convertValue(std::string Spec, llvm::StringRef Length, char Conversion) {
    switch (Conversion) {
    case '%':
      Text += '%';
      return;
    case 'd':
    case 'i':
      return print(Spec + "lld",
                   static_cast<long long>(signedArgument(Length)));
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return print(Spec + "ll" + Conversion,
                   static_cast<unsigned long long>(unsignedArgument(Length)));
    case 'c':
      return print(Spec + 'c', static_cast<int>(take(4)));
    case 'p': // As CUDA prints it.
      return print(Spec + 's', "0x" + llvm::utohexstr(take(8), true));
    case 's': {
      uint64_t Address = take(8);
      if (Address == 0)
        return print(Spec + 's', std::string("(null)"));
      std::optional<std::string> String = Memory.peekString(W, Lane, Address);
      if (!String)
        Problem = "a string of printf";
      return print(Spec + 's', String.value_or(""));
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return print(Spec + Conversion, std::bit_cast<double>(take(8)));
    default:
      Problem = std::string("the conversion '%") + Conversion + "' of printf";
    }
  }
  void print(const std::string &Spec, const std::string &Value) {
    print(Spec, Value.c_str());
  }

  WarpMemory &Memory;
  const Warp &W;
  unsigned Lane;
  uint64_t Next; ///< The address of the next argument.
  unsigned NumArguments = 0;
  std::string Text, Problem;
  /// The text of the last argument if it is an address that is a term; else
  /// empty.
  std::string NameOfAddress;
};

/// Executes printf for the active lanes in ascending order.
inline void printFormatted(RunState &S, WarpMemory &Memory, const Operation &Op,
                           Warp &W) {
  if (W.symbolicOperands(Op))
    return S.dependsOnData("an argument of printf", Op);
  forEachLane(W.Active.Bits, [&](unsigned Lane) {
    std::optional<std::string> Format =
        Memory.peekString(W, Lane, W[Op.A][Lane]);
    Formatter F(Memory, W, Lane, W[Op.B][Lane]);
    std::string Problem = Format ? F.format(*Format) : "the format of printf";
    W.put(Op.D, Lane, F.numArguments());
    if (!S.Options.Output)
      return;
    if (!Problem.empty())
      return S.Terms ? S.dependsOnData(std::move(Problem), Op)
                     : S.giveUp(RunStatus::Unsupported, std::move(Problem), Op);
    *S.Options.Output << F.text();
  });
}

/// Reports a failed assertion of the first active lane and stops the run.
inline void failAssertion(RunState &S, WarpMemory &Memory, const Operation &Op,
                          const Warp &W) {
  const unsigned Lane = W.firstActive();
  auto StringAt = [&](Register R) {
    return Memory.peekString(W, Lane, W[R][Lane]).value_or("?");
  };
  std::string Message = StringAt(Op.A);
  if (S.Options.Output)
    *S.Options.Output << StringAt(Op.B) << ':' << W[Op.C][Lane]
                      << ": assertion `" << Message << "' failed\n";
  S.report(FindingKind::AssertFailed, Op, W, W.Active.Bits, Message);
  S.stop();
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_DEVICEOUTPUT_H
