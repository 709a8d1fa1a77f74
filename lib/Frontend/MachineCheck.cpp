// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Both texts are compiled in memory: what is checked is what was parsed, and
/// nothing is written before it is checked.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/MachineCheck.h"
#include "cudaopt/Frontend/IRCompiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace llvm;

namespace {

/// One of the two texts, ready to run.
struct LoadedText {
  LLVMContext Context;
  DeviceMemory Memory;
  std::unique_ptr<simt::DeviceImage> Image; ///< Dies before what it refers to.

  Error load(IRCompiler &Compiler,
             const std::map<std::string, std::string> &Texts);
};

} // namespace

Error LoadedText::load(IRCompiler &Compiler,
                       const std::map<std::string, std::string> &Texts) {
  for (const auto &[Path, Text] : Texts)
    Compiler.replaceFile(Path, Text);
  Expected<std::unique_ptr<Module>> M = Compiler.compileDevice(Context);
  if (!M)
    return M.takeError();
  simt::LowerOptions Options;
  Options.IsSystemFile = [&Compiler](StringRef File) {
    return Compiler.isSystemFile(File);
  };
  return simt::DeviceImage::load(std::move(*M), Memory, std::move(Options))
      .moveInto(Image);
}

/// The same verdict for all kernels; of \p E only the first line counts.
static std::vector<Verdict> failAll(const RewriteRequest &Request,
                                    VerdictKind Kind, const Twine &Prefix,
                                    Error E) {
  Verdict V;
  V.Kind = Kind;
  V.Detail =
      (Prefix + StringRef(toString(std::move(E))).split('\n').first).str();
  return std::vector<Verdict>(Request.Kernels.size(), V);
}

/// The worst verdict of the instances.
static Verdict compareInstances(LoadedText &Before, LoadedText &After,
                                const RewriteRequest::Instances &Instances) {
  Verdict Worst;
  bool IsFirst = true;
  for (const auto &[Name, Shapes] : Instances) {
    Verdict V = compareKernels(*Before.Image, Before.Memory, *After.Image,
                               After.Memory, Name, Shapes);
    // It may be broken only because nobody launches such blocks.
    if (V.Kind == VerdictKind::OriginalIsBroken &&
        any_of(Shapes, [](const LaunchShape &S) { return S.IsAssumed; }))
      V.Detail += ", in blocks of an assumed shape; --block gives another";
    if (IsFirst || V.Kind > Worst.Kind)
      Worst = std::move(V);
    IsFirst = false;
  }
  return Worst;
}

static std::vector<Verdict> check(const RewriteRequest &Request,
                                  const Input &In, const char *Executable,
                                  StringRef Arch) {
  Expected<IRCompiler> Compiler = IRCompiler::create(In, Executable, Arch);
  if (!Compiler)
    return failAll(Request, VerdictKind::Unsupported, "", Compiler.takeError());
  LoadedText Before, After;
  if (Error E = Before.load(*Compiler, Request.Before))
    return failAll(Request, VerdictKind::Unsupported, "", std::move(E));
  if (Error E = After.load(*Compiler, Request.After))
    return failAll(Request, VerdictKind::Different,
                   "the rewritten file does not compile: ", std::move(E));
  std::vector<Verdict> Verdicts;
  for (const RewriteRequest::Instances &Instances : Request.Kernels)
    Verdicts.push_back(compareInstances(Before, After, Instances));
  return Verdicts;
}

RewriteChecker cudaopt::createMachineChecker(const Input &In,
                                             const char *Executable,
                                             StringRef Arch) {
  return [In, Executable, Arch = Arch.str()](const RewriteRequest &Request) {
    return check(Request, In, Executable, Arch);
  };
}
