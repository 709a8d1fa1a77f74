// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the floating-point flags of compilers. What is not known counts as a
/// liberty: a processor without a known name is taken to have fused operations,
/// and a compiler without a known name to use them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Source/FloatingPoint.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Flags of host compilers
//===----------------------------------------------------------------------===//

/// Returns true if the processors that \p Name stands for have fused
/// multiply-add.
static bool hasFusedOperations(StringRef Name) {
  static constexpr StringLiteral Levels[] = {"x86-64", "x86-64-v2"};
  if (is_contained(Levels, Name))
    return false;
  if (X86::parseArchX86(Name) == X86::CK_None)
    return true; // "native", or a name unknown to LLVM.
  SmallVector<StringRef, 64> Features;
  X86::getFeaturesForCPU(Name, Features);
  return is_contained(Features, "fma") || is_contained(Features, "fma4") ||
         is_contained(Features, "avx512f");
}

/// Returns true for flags by which values change in other ways than by
/// contraction.
static bool changesValues(StringRef Word) {
  static constexpr StringLiteral Flags[] = {"-ffast-math",
                                            "-Ofast",
                                            "-funsafe-math-optimizations",
                                            "-fassociative-math",
                                            "-freciprocal-math",
                                            "-fno-signed-zeros",
                                            "-ffinite-math-only",
                                            "-fno-honor-nans",
                                            "-fno-honor-infinities",
                                            "-fapprox-func",
                                            "-frounding-math",
                                            "-ffp-model=fast",
                                            "-ffp-model=aggressive",
                                            "-mdaz-ftz",
                                            "-m32",
                                            "-m16",
                                            "-mno-sse",
                                            "-mno-sse2",
                                            "-mfpmath=387",
                                            "-mfpmath=both",
                                            "-mfpmath=sse+387",
                                            "-mfpmath=sse,387"};
  return is_contained(Flags, Word) || Word.starts_with("-fdenormal-fp-math") ||
         Word.starts_with("-fexcess-precision");
}

/// Returns the flags of changesValues() that \p Word undoes.
static ArrayRef<StringLiteral> listTakenBack(StringRef Word) {
  static constexpr StringLiteral All[] = {
      "-ffast-math",       "-Ofast",
      "-ffp-model=fast",   "-ffp-model=aggressive",
      "-fno-signed-zeros", "-funsafe-math-optimizations",
      "-fapprox-func",     "-fassociative-math",
      "-freciprocal-math", "-ffinite-math-only",
      "-fno-honor-nans",   "-fno-honor-infinities"};
  static constexpr StringLiteral Level[] = {"-Ofast"};
  if (Word == "-fno-fast-math")
    return All;
  if (Word.starts_with("-O") && Word != "-Ofast")
    return Level;
  return {};
}

bool isFloatingPointFlag(StringRef Word) {
  return changesValues(Word) || !listTakenBack(Word).empty() ||
         Word.starts_with("-ffp-contract") || Word.starts_with("-ffp-model");
}

namespace {

/// Reads the arguments of one command, of which later ones override earlier
/// ones.
class HostFlagReader {
public:
  explicit HostFlagReader(StringRef Compiler);
  void read(ArrayRef<std::string> Words);
  FloatingPoint take() const;

private:
  void read(StringRef Word);
  void readTarget(StringRef Name, StringRef Flag);

  bool IsContracting = true; ///< False after -ffp-contract=off.
  /// The flags by which the target has fused operations; empty if it has none.
  std::string OfTarget, OfProcessor, OfFeature;
  bool IsWithoutFma = false; ///< -mno-fma is given.
  /// The flags that change values, and that no later one takes back.
  llvm::SmallVector<std::string, 2> Values;
};

} // namespace

HostFlagReader::HostFlagReader(StringRef Compiler) {
  const Triple Own(sys::getDefaultTargetTriple());
  if (!Own.isX86())
    OfTarget = "the target " + Own.getArchName().str();
  StringRef Name = sys::path::filename(Compiler);
  if (Name.empty())
    return;
  const std::string Flag = ("the compiler " + Name).str();
  static constexpr StringLiteral Others[] = {"nvc++", "icpc",  "icpx", "icc",
                                             "icx",   "pgc++", "xlC",  "dpcpp"};
  if (is_contained(Others, Name))
    Values.push_back(Flag);
  // "aarch64-linux-gnu-g++"
  const size_t Dash = Name.find('-');
  if (Dash != StringRef::npos &&
      Triple(Name.take_front(Dash)).getArch() != Triple::UnknownArch)
    readTarget(Name.take_front(Dash), Flag);
}

void HostFlagReader::readTarget(StringRef Name, StringRef Flag) {
  OfTarget = Triple(Name).isX86() ? "" : Flag.str();
}

void HostFlagReader::read(StringRef Word) {
  StringRef Rest = Word;
  if (changesValues(Word))
    Values.push_back(Word.str());
  else
    erase_if(Values, [&](StringRef Flag) {
      return is_contained(listTakenBack(Word), Flag);
    });
  if (Rest.consume_front("-ffp-contract="))
    IsContracting = Rest != "off";
  else if (Word == "-ffp-model=strict")
    IsContracting = false;
  else if (Word == "-ffp-model=precise" || Word == "-ffast-math" ||
           Word == "-Ofast")
    IsContracting = true;
  else if (Rest.consume_front("-march=") || Rest.consume_front("-mcpu="))
    OfProcessor = hasFusedOperations(Rest) ? Word.str() : "";
  else if (Word == "-mfma")
    IsWithoutFma = false, OfFeature = Word.str();
  else if (Word == "-mno-fma")
    IsWithoutFma = true;
  else if (Word == "-mfma4" || Word.starts_with("-mavx512") ||
           Word.starts_with("-mavx10"))
    OfFeature = Word.str();
  else if (Rest.consume_front("--target=") || Rest.consume_front("-target="))
    readTarget(Rest, Word);
}

void HostFlagReader::read(ArrayRef<std::string> Words) {
  for (size_t I = 0; I != Words.size(); ++I)
    if ((Words[I] == "-target" || Words[I] == "--target") &&
        I + 1 != Words.size())
      readTarget(Words[I + 1], Words[I] + " " + Words[I + 1]);
    else
      read(StringRef(Words[I]));
}

FloatingPoint HostFlagReader::take() const {
  FloatingPoint Result;
  Result.HostReassociates = Values.empty() ? "" : Values.back();
  Result.HostNeverContracts = !IsContracting;
  if (!IsContracting)
    return Result;
  Result.HostContracts = OfTarget;
  if (!OfProcessor.empty() && !IsWithoutFma)
    Result.HostContracts = OfProcessor;
  if (!OfFeature.empty() && !(IsWithoutFma && OfFeature == "-mfma"))
    Result.HostContracts = OfFeature;
  return Result;
}

FloatingPoint readHostFlags(ArrayRef<std::string> Words, StringRef Compiler) {
  HostFlagReader Reader(Compiler);
  Reader.read(Words);
  return Reader.take();
}

//===----------------------------------------------------------------------===//
// What a parse knows
//===----------------------------------------------------------------------===//

static constexpr StringLiteral Contracts = "__CUDAOPT_HOST_CONTRACTS__",
                               Reassociates = "__CUDAOPT_HOST_REASSOCIATES__",
                               Approximates = "__CUDAOPT_APPROXIMATES__",
                               NeverContracts = "__CUDAOPT_NO_CONTRACTION__";

std::vector<std::string> makeParseFlags(const FloatingPoint &Floats) {
  std::vector<std::string> Flags;
  auto add = [&](StringRef Name, const std::string &Flag) {
    if (!Flag.empty())
      Flags.push_back(("-D" + Name + "=" + Flag).str());
  };
  add(Contracts, Floats.HostContracts);
  add(Reassociates, Floats.HostReassociates);
  add(Approximates, Floats.DeviceApproximates);
  if (Floats.HostNeverContracts)
    Flags.push_back(("-D" + NeverContracts).str());
  return Flags;
}

/// Adds what clang's own flags say, where clang compiles the host side, too.
static void readClangTarget(const clang::CompilerInstance &CI,
                            FloatingPoint &Floats) {
  const clang::LangOptions &Language = CI.getLangOpts();
  const clang::FrontendOptions &Frontend = CI.getFrontendOpts();
  const clang::TargetOptions &Own = CI.getTarget().getTargetOpts();
  const bool IsDevice = Language.CUDAIsDevice;
  const std::vector<std::string> NoFeatures;
  const std::vector<std::string> &Features =
      !IsDevice ? Own.FeaturesAsWritten
                : Frontend.AuxTargetFeatures.value_or(NoFeatures);
  const std::string Processor =
      IsDevice ? Frontend.AuxTargetCPU.value_or("") : Own.CPU;
  if (!Floats.HostNeverContracts && Floats.HostContracts.empty()) {
    if (is_contained(Features, "+fma"))
      Floats.HostContracts = "-mfma";
    else if (!Processor.empty() && hasFusedOperations(Processor) &&
             !is_contained(Features, "-fma"))
      Floats.HostContracts = "-march=" + Processor;
  }
  if (Language.AllowFPReassoc && Floats.HostReassociates.empty())
    Floats.HostReassociates = "-fassociative-math";
}

FloatingPoint readFloatingPoint(const clang::CompilerInstance &CI) {
  FloatingPoint Floats;
  for (const auto &[Definition, IsUndefined] :
       CI.getPreprocessorOpts().Macros) {
    auto [Name, Value] = StringRef(Definition).split('=');
    if (Name == Contracts)
      Floats.HostContracts = Value.str();
    else if (Name == Reassociates)
      Floats.HostReassociates = Value.str();
    else if (Name == Approximates)
      Floats.DeviceApproximates = Value.str();
    else if (Name == NeverContracts)
      Floats.HostNeverContracts = true;
  }
  const clang::LangOptions &Language = CI.getLangOpts();
  // Plain C++ code may be compiled as CUDA later, by a compiler that contracts.
  Floats.DeviceContracts =
      !Language.CUDA ||
      Language.getDefaultFPContractMode() != clang::LangOptions::FPM_Off;
  if (Language.AllowFPReassoc && Floats.DeviceApproximates.empty())
    Floats.DeviceApproximates = "-ffast-math";
  readClangTarget(CI, Floats);
  return Floats;
}

FloatingPoint forFunction(FloatingPoint Floats,
                          const clang::FunctionDecl *Function) {
  if (Function->hasAttr<clang::TargetAttr>() ||
      Function->hasAttr<clang::TargetClonesAttr>() ||
      Function->hasAttr<clang::TargetVersionAttr>())
    if (Floats.HostContracts.empty())
      Floats.HostContracts = "the attribute target";
  return Floats;
}

bool isFloatingPointPragma(StringRef Text) {
  SmallVector<StringRef, 8> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  if (Words.empty())
    return false;
  const StringRef First = Words[0], Second = Words.size() > 1 ? Words[1] : "";
  if (First == "GCC")
    return Second.starts_with("optimize") || Second.starts_with("target") ||
           Second == "pop_options" || Second == "reset_options";
  if (First == "clang")
    return Second == "fp" || Second == "attribute";
  return (First == "STDC" && Second != "CX_LIMITED_RANGE") ||
         First.starts_with("float_control") ||
         First.starts_with("fp_contract") || First.starts_with("fenv_access");
}

} // namespace cudaopt
