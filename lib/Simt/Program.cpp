// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The shared memory of a program, and its listing.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Program.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <cassert>

namespace cudaopt::simt {

llvm::StringRef nameOf(Opcode Code) {
  static constexpr llvm::StringLiteral Names[] = {
#define OPCODE(Name, Text) Text,
#include "cudaopt/Simt/Opcodes.def"
  };
  return Names[static_cast<unsigned>(Code)];
}

SharedMemory Program::makeSharedMemory(uint32_t DynamicBytes) const {
  SharedMemory Memory;
  for (const SharedVariable &V : Shared) {
    uint32_t Bytes = V.IsDynamic ? DynamicBytes : V.Size;
    [[maybe_unused]] unsigned Index = Memory.place(V.Name, Bytes, V.Alignment);
    assert(Memory.arrays()[Index].Address == V.Address &&
           "the program was lowered for another place");
  }
  return Memory;
}

std::string Program::textOf(SourceRef Where) const {
  if (Where.Line == 0 || Where.File >= Files.size())
    return "?";
  return Files[Where.File] + ":" + llvm::utostr(Where.Line) + ":" +
         llvm::utostr(Where.Column);
}

namespace {

/// Prints a program, one operation per line: "%3 = add.32 %1, %2".
class Listing {
public:
  Listing(const Program &P, llvm::raw_ostream &OS) : P(P), OS(OS) {}
  void header();
  void block(unsigned Index);

private:
  void parameter(const Parameter &Param);
  void operation(const Operation &O, const Block &In);
  void mnemonic(const Operation &O);
  void operands(const Operation &O);
  void extra(const Operation &O);
  void edges(const Operation &O, const Block &In);
  void edge(const Edge &E);

  const Program &P;
  llvm::raw_ostream &OS;
};

} // namespace

static llvm::StringRef nameOf(PointerSpace Space) {
  static constexpr llvm::StringLiteral Names[] = {"generic", "global", "shared",
                                                  "const",   "local",  "param"};
  return Names[static_cast<unsigned>(Space)];
}

static llvm::StringRef nameOf(SpecialReg Reg) {
  static constexpr llvm::StringLiteral Names[] = {"tid.x",
                                                  "tid.y",
                                                  "tid.z",
                                                  "ntid.x",
                                                  "ntid.y",
                                                  "ntid.z",
                                                  "ctaid.x",
                                                  "ctaid.y",
                                                  "ctaid.z",
                                                  "nctaid.x",
                                                  "nctaid.y",
                                                  "nctaid.z",
                                                  "laneid",
                                                  "warpsize",
                                                  "warpid",
                                                  "nwarpid",
                                                  "smid",
                                                  "nsmid",
                                                  "gridid",
                                                  "lanemask.eq",
                                                  "lanemask.lt",
                                                  "lanemask.le",
                                                  "lanemask.gt",
                                                  "lanemask.ge",
                                                  "dynamic_smem_size",
                                                  "total_smem_size"};
  return Names[static_cast<unsigned>(Reg)];
}

static llvm::StringRef nameOfRounding(uint8_t Variant) {
  switch (roundingOf(Variant)) {
  case llvm::RoundingMode::TowardZero:
    return "rz";
  case llvm::RoundingMode::NearestTiesToEven:
    return "rn";
  case llvm::RoundingMode::TowardPositive:
    return "ru";
  case llvm::RoundingMode::TowardNegative:
    return "rd";
  case llvm::RoundingMode::NearestTiesToAway:
    return "rna";
  default:
    return "r?";
  }
}

/// Returns the text of an operation's variant, or an empty string.
static llvm::StringRef nameOfVariant(const Operation &O) {
  static constexpr llvm::StringLiteral Shuffles[] = {"up", "down", "bfly",
                                                     "idx"};
  static constexpr llvm::StringLiteral Votes[] = {"all", "any", "uni",
                                                  "ballot"};
  static constexpr llvm::StringLiteral Reductions[] = {
      "add", "min.s", "max.s", "min.u", "max.u", "and", "or", "xor"};
  static constexpr llvm::StringLiteral BarrierReductions[] = {"popc", "and",
                                                              "or"};
  static constexpr llvm::StringLiteral Spaces[] = {"global", "local", "shared",
                                                   "const"};
  switch (O.Code) {
  case Opcode::Compare:
  case Opcode::FCompare:
    return llvm::CmpInst::getPredicateName(predicateOf(O.Code, O.Variant));
  case Opcode::FRound:
  case Opcode::FToS:
  case Opcode::FToU:
    return nameOfRounding(O.Variant);
  case Opcode::AtomicRmw:
    return llvm::AtomicRMWInst::getOperationName(
        static_cast<llvm::AtomicRMWInst::BinOp>(O.Variant));
  case Opcode::SpecialRegister:
    return nameOf(static_cast<SpecialReg>(O.Variant));
  case Opcode::Shuffle:
    return Shuffles[O.Variant];
  case Opcode::Vote:
    return Votes[O.Variant];
  case Opcode::WarpReduce:
    return Reductions[O.Variant];
  case Opcode::BarrierReduce:
    return BarrierReductions[O.Variant];
  case Opcode::IsSpace:
    return Spaces[O.Variant];
  default:
    return "";
  }
}

static bool accessesMemory(Opcode Code) {
  switch (Code) {
  case Opcode::Load:
  case Opcode::Store:
  case Opcode::AtomicRmw:
  case Opcode::AtomicCas:
    return true;
  default:
    return false;
  }
}

/// Returns true if the operation depends on its width.
static bool hasWidth(Opcode Code) {
  return Code < Opcode::ToShared || accessesMemory(Code) ||
         Code == Opcode::Shuffle || Code == Opcode::MatchAny ||
         Code == Opcode::MatchAll || Code == Opcode::WarpReduce;
}

static bool hasImmediate(Opcode Code) {
  switch (Code) {
  case Opcode::Split:
  case Opcode::FClass:
  case Opcode::Alloca:
  case Opcode::Copy:
  case Opcode::Fill:
  case Opcode::CopyAsync:
  case Opcode::WaitAsync:
    return true;
  default:
    return false;
  }
}

void Listing::parameter(const Parameter &Param) {
  OS << "  %" << Param.Value << " = parameter " << Param.Name << ": ";
  if (Param.IsByValue)
    OS << Param.Size << " bytes\n";
  else
    OS << (Param.IsPointer ? "pointer"
           : Param.IsFloat ? "float"
                           : "integer")
       << '.' << unsigned(Param.Bits) << '\n';
}

void Listing::header() {
  OS << "kernel " << P.Name << '\n';
  for (const Parameter &Param : P.Parameters)
    parameter(Param);
  for (const SharedVariable &V : P.Shared) {
    OS << "  shared " << V.Name << ": ";
    if (V.IsDynamic)
      OS << "dynamic";
    else
      OS << V.Size << " bytes";
    OS << " at " << V.Address << '\n';
  }
  for (auto [Reg, Value] : P.Constants)
    OS << "  %" << Reg << " = " << Value << '\n';
  for (auto [Reg, Bits] : P.Undefined)
    OS << "  %" << Reg << " = undefined." << Bits << '\n';
}

void Listing::mnemonic(const Operation &O) {
  OS << nameOf(O.Code);
  if (llvm::StringRef Variant = nameOfVariant(O); !Variant.empty())
    OS << '.' << Variant;
  if (O.IsVolatile)
    OS << ".volatile";
  if (accessesMemory(O.Code) && O.Space != PointerSpace::Generic)
    OS << '.' << nameOf(O.Space);
  if (hasWidth(O.Code)) {
    OS << '.' << (O.IsFloat ? "f" : "") << unsigned(O.Bits);
    if (O.SourceBits != 0)
      OS << '.' << unsigned(O.SourceBits);
  }
  if (O.Count != 1)
    OS << ".v" << unsigned(O.Count);
}

void Listing::extra(const Operation &O) {
  if (O.Code == Opcode::Switch)
    return;
  for (auto [Reg, Number] : O.Extra) {
    if (O.Code == Opcode::Address)
      OS << " + %" << Reg << " * " << Number;
    else if (O.Code == Opcode::Join)
      OS << " %" << Reg << " at " << Number;
    else
      OS << ", %" << Reg;
  }
}

void Listing::operands(const Operation &O) {
  unsigned Last = O.C != NoRegister   ? 3
                  : O.B != NoRegister ? 2
                  : O.A != NoRegister ? 1
                                      : 0;
  const Register Operands[] = {O.A, O.B, O.C};
  for (unsigned I = 0; I < Last; ++I) {
    OS << (I == 0 ? " " : ", ");
    // The operands of a barrier are optional: it may have B but no A.
    if (Operands[I] == NoRegister)
      OS << '_';
    else
      OS << '%' << Operands[I];
  }
  if (O.Code == Opcode::Address && O.Immediate != 0)
    OS << " + " << O.Immediate;
  if (hasImmediate(O.Code))
    OS << (Last == 0 ? " #" : ", #") << O.Immediate;
  extra(O);
  if (O.Align != 1)
    OS << ", align " << O.Align;
}

void Listing::edge(const Edge &E) {
  OS << " bb" << E.To;
  if (E.Copies.empty())
    return;
  llvm::ListSeparator Comma;
  OS << " (";
  for (auto [To, From] : E.Copies)
    OS << Comma << '%' << To << " = %" << From;
  OS << ')';
}

void Listing::edges(const Operation &O, const Block &In) {
  if (O.Code == Opcode::Branch || O.Code == Opcode::CondBranch) {
    OS << (O.Code == Opcode::Branch ? "" : " ?");
    llvm::ListSeparator Otherwise(" :");
    for (const Edge &E : In.Edges) {
      OS << static_cast<llvm::StringRef>(Otherwise);
      edge(E);
    }
  }
  if (O.Code != Opcode::Switch)
    return;
  OS << " default";
  edge(In.Edges.front());
  for (auto [Index, Value] : O.Extra) {
    OS << ", " << Value << ':';
    edge(In.Edges[static_cast<unsigned>(Index)]);
  }
}

void Listing::operation(const Operation &O, const Block &In) {
  OS << "  ";
  if (O.D != NoRegister)
    OS << '%' << O.D << " = ";
  mnemonic(O);
  operands(O);
  edges(O, In);
  if (O.Site != 0)
    OS << "  ; " << P.textOf(P.Sites[O.Site]);
  OS << '\n';
}

void Listing::block(unsigned Index) {
  const Block &B = P.Blocks[Index];
  OS << "bb" << Index << ':';
  if (B.Edges.size() > 1) {
    OS << "  ; lanes meet at ";
    if (B.Reconvergence < 0)
      OS << "the exit";
    else
      OS << "bb" << B.Reconvergence;
  }
  OS << '\n';
  for (const Operation &O : B.Operations)
    operation(O, B);
}

void Program::print(llvm::raw_ostream &OS) const {
  Listing L(*this, OS);
  L.header();
  for (unsigned Index = 0; Index < Blocks.size(); ++Index)
    L.block(Index);
}

} // namespace cudaopt::simt
