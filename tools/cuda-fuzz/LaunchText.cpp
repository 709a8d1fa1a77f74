// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prints the host function that launches a kernel, and the statements by which
/// threads leave early.
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

using llvm::Twine;

namespace cudaopt::fuzz {

bool KernelPrinter::hasGoto() const {
  for (const Phase &P : K.Phases)
    if (P.Leaving.Shape != Guard::Form::None && P.How == Exit::Goto)
      return true;
  return false;
}

void KernelPrinter::printLeaving(const Phase &P) {
  std::string C = conditionOf(P.Leaving);
  if (P.LeavingTrip && isInLoop(P))
    C = "t >= " + std::to_string(P.LeavingTrip) + " && " + C;
  const std::string If = "if (" + C + ")\n" + Indent + "  ";
  switch (P.How) {
  case Exit::Return:
    return line(If + "return;");
  case Exit::Asm:
    return line(If + "asm volatile(\"exit;\");");
  case Exit::PredicatedAsm:
    return line("asm volatile(\"{ .reg .pred p; setp.ne.s32 p, %0, 0; @p exit; "
                "}\" : : \"r\"(int(" +
                C + ")));");
  case Exit::DeviceFunction:
    return line("leaveIf(" + C + ");");
  case Exit::Template:
    return line("leaveIfNot(!(" + C + "));");
  case Exit::StatementExpression:
    return line("(void)((" + C + ") && ({ return; true; }));");
  case Exit::Conditional:
    return line("acc += (" + C + ") ? ({ return; 1; }) : 0;");
  case Exit::Goto:
    return line(If + "goto end;");
  case Exit::Lambda:
    return line("[&] { if (" + C + ") asm volatile(\"exit;\"); }();");
  case Exit::Loop:
    open("for (unsigned k = 0; k < 3; ++k)");
    line("acc += k;");
    line("if (k == 1 && (" + C + "))\n" + Indent + "  return;");
    return close();
  case Exit::AsmInLoop:
    open("while (true)");
    line("if (" + C + ")\n" + Indent + "  asm volatile(\"exit;\");");
    line("break;");
    return close();
  }
}

void KernelPrinter::printLaunch(const Twine &Name,
                                std::array<unsigned, 3> Shape,
                                bool ComputesShape) {
  std::string Value = spellingOf(K.Value).str();
  write("void " + Name + "(" + Value + " *out, const " + Value +
        " *in, const int *flags) {\n");
  std::array<std::string, 3> Extents;
  for (unsigned D = 0; D < 3; ++D) {
    bool IsComputed = ComputesShape && !K.HostValue[D].empty();
    Extents[D] = IsComputed ? K.HostValue[D] : std::to_string(Shape[D]);
    if (IsComputed)
      write(K.HostText[D]);
  }
  std::string Block =
      "dim3(" + Extents[0] + ", " + Extents[1] + ", " + Extents[2] + ")";
  if (K.Block[1] * K.Block[2] == 1)
    Block = Extents[0];
  if (K.LaunchesVariable) {
    line("const dim3 block = " + Block + ";");
    Block = "block";
  }
  std::string Parameters;
  if (K.Width == WidthForm::Template)
    Parameters = "<" + std::to_string(K.WidthValue) +
                 (K.HasTypeParameter ? ", " + Value : "") + ">";
  std::string Dynamic;
  if (unsigned Bytes = K.dynamicBytes())
    Dynamic = ", " + std::to_string(Bytes);
  line(K.name() + Parameters + "<<<" + Twine(K.Grid) + ", " + Block + Dynamic +
       ">>>(out, in, flags" + (K.HasCount ? ", 16" : "") + ");");
  write("}\n\n");
}

} // namespace cudaopt::fuzz
