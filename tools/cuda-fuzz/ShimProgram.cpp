// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates kernels to C++ by replacing the few constructs that are not C++.
//===----------------------------------------------------------------------===//

#include "ShimProgram.h"
#include "KernelPrinter.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cudaopt::fuzz {

static std::string replaceAll(std::string Text, StringRef From, StringRef To) {
  for (size_t At = Text.find(From); At != std::string::npos;
       At = Text.find(From, At + To.size()))
    Text.replace(At, From.size(), To);
  return Text;
}

/// Splits \p Text at the commas outside parentheses.
static SmallVector<std::string> splitArguments(StringRef Text) {
  SmallVector<std::string> Result(1);
  int Depth = 0;
  for (char C : Text) {
    Depth += C == '(' ? 1 : C == ')' ? -1 : 0;
    if (C == ',' && Depth == 0)
      Result.emplace_back();
    else
      Result.back() += C;
  }
  return Result;
}

/// Replaces `k<<<grid, block>>>(arguments);`, which is not C++, by a call.
static std::string replaceLaunch(StringRef Line) {
  auto [Kernel, Rest] = Line.split("<<<");
  auto [Shape, Arguments] = Rest.rsplit(">>>");
  SmallVector<std::string> Parts = splitArguments(Shape);
  return ("  shim::launch(dim3(" + Parts[0] + "), dim3(" + Parts[1] +
          "), [&] { " + Kernel.trim() + Arguments + " });")
      .str();
}

/// Returns \p Text as C++.
static std::string translate(std::string Text) {
  Text =
      replaceAll(std::move(Text), "asm volatile(\"exit;\");", "shim::leave();");
  Text = replaceAll(std::move(Text), "asm volatile(\"trap;\");", "__trap();");
  Text = replaceAll(std::move(Text),
                    "asm volatile(\"{ .reg .pred p; setp.ne.s32 p, %0, 0; @p "
                    "exit; }\" : : \"r\"(",
                    "shim::leave_if((");
  std::string Result;
  for (StringRef Line : split(StringRef(Text), '\n')) {
    if (Line.contains("<<<"))
      Result += replaceLaunch(Line);
    else if (Line.contains("extern __shared__"))
      Result += replaceAll(
          replaceAll(Line.str(), "extern __shared__", "alignas(16) static"),
          "[]", "[shim::dynamic_elements]");
    else
      Result += Line.str();
    Result += '\n';
  }
  return Result;
}

static void addSide(std::string &Program, ShimTarget Target, StringRef Side,
                    StringRef Text, StringRef OtherLaunch) {
  std::string Both = (Text + OtherLaunch).str();
  if (Target == ShimTarget::Host)
    Both = translate(std::move(Both));
  Program += ("namespace " + Side + " {\n").str() + Both + "}\n";
}

std::string makeShimProgram(ShimTarget Target, ArrayRef<Kernel> Kernels,
                            ArrayRef<KernelPair> Pairs) {
  std::string Program = Target == ShimTarget::Host
                            ? "#include \"cuda_shim.h\"\n\n"
                            : "#include \"gpu_pairs.cuh\"\n\n";
  std::string Table;
  unsigned Count = 0;
  for (size_t I = 0; I < Kernels.size(); ++I) {
    const Kernel &K = Kernels[I];
    const KernelText &Original = Pairs[I].Original;
    if (Original.Text == Pairs[I].Rewritten)
      continue;
    std::string Number = std::to_string(K.Number);
    addSide(Program, Target, "original", Original.Text, Original.OtherLaunch);
    if (K.Width == WidthForm::Macro)
      Program += "#undef WIDTH_" + Number + "\n";
    addSide(Program, Target, "rewritten", Pairs[I].Rewritten,
            Original.OtherLaunch);
    for (StringRef Launch : {"launch", "other"}) {
      if (Launch == "other" && !K.OtherBlock)
        continue;
      std::string Name = Launch.str() + Number;
      Table += ("    shim::make_pair<" + spellingOf(K.Value) + ">(" + Number +
                ", " + std::to_string(Original.NumOutputs) +
                ", original::" + Name + ", rewritten::" + Name + "),\n")
                   .str();
    }
    ++Count;
  }
  Program += "\nconst shim::pair shim::pairs[] = {\n" + Table + "    {}};\n";
  Program += "// kernels " + std::to_string(Kernels.size()) + ", rewritten " +
             std::to_string(Count) + "\n";
  return Program;
}

} // namespace cudaopt::fuzz
