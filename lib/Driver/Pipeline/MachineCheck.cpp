// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compiles both texts in memory, so that what is checked is what was parsed
/// and nothing is written before it is checked, and compares the kernels on the
/// interpreter.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Pipeline/MachineCheck.h"
#include "cudaopt/Driver/Pipeline/IRCompiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace llvm;

namespace {

/// One of the two texts, ready to run.
struct LoadedText {
  LLVMContext Context;
  DeviceMemory Memory;
  /// Destroyed before the members it refers to.
  std::unique_ptr<simt::DeviceImage> Image;

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

/// Returns the same verdict for all kernels, with the first line of \p E.
static std::vector<Verdict> failAll(const RewriteRequest &Request,
                                    VerdictKind Kind, const Twine &Prefix,
                                    Error E) {
  Verdict V;
  V.Kind = Kind;
  V.Detail =
      (Prefix + StringRef(toString(std::move(E))).split('\n').first).str();
  return std::vector<Verdict>(Request.Kernels.size(), V);
}

/// Returns the worst verdict over the instances.
static Verdict compareInstances(LoadedText &Before, LoadedText &After,
                                const RewriteRequest::Instances &Instances) {
  Verdict Worst;
  bool IsFirst = true;
  for (const auto &[Name, Shapes] : Instances) {
    Verdict V = compareKernels(*Before.Image, Before.Memory, *After.Image,
                               After.Memory, Name, Shapes);
    // The kernel may be broken only for block shapes that no launch uses.
    if (V.Kind == VerdictKind::OriginalIsBroken &&
        any_of(Shapes, [](const LaunchShape &S) { return S.IsAssumed; }))
      V.Detail += ", in blocks of an assumed shape; --block gives another";
    if (IsFirst || V.Kind > Worst.Kind)
      Worst = std::move(V);
    IsFirst = false;
  }
  return Worst;
}

/// Compares again without contraction: no product is rounded together with a
/// sum.
static std::vector<Verdict>
compareWithoutContraction(const RewriteRequest &Request, Input In,
                          const char *Executable, StringRef Arch) {
  In.Command.ClangFlags.push_back("-ffp-contract=off");
  std::vector<Verdict> Verdicts(Request.Kernels.size());
  for (Verdict &V : Verdicts)
    V.Kind = VerdictKind::Different;
  Expected<IRCompiler> Compiler = IRCompiler::create(In, Executable, Arch);
  LoadedText Before, After;
  Error E =
      Compiler ? Before.load(*Compiler, Request.Before) : Compiler.takeError();
  if (!E)
    E = After.load(*Compiler, Request.After);
  if (E) {
    consumeError(std::move(E));
    return Verdicts;
  }
  for (auto [V, Instances] : zip(Verdicts, Request.Kernels))
    V = compareInstances(Before, After, Instances);
  return Verdicts;
}

/// Downgrades differences that contraction explains. Which products become
/// fused multiply-adds is the compiler's choice, and the interpreter may choose
/// differently for the two texts. If the kernels agree without contraction, the
/// difference proves no error, but equality is not shown either.
static void excuseContraction(std::vector<Verdict> &Verdicts,
                              const RewriteRequest &Request, const Input &In,
                              const char *Executable, StringRef Arch) {
  auto isDifferent = [](const Verdict &V) {
    return V.Kind == VerdictKind::Different;
  };
  if (none_of(Verdicts, isDifferent))
    return;
  const std::vector<Verdict> Plain =
      compareWithoutContraction(Request, In, Executable, Arch);
  for (auto [V, Other] : zip(Verdicts, Plain))
    if (isDifferent(V) && (Other.Kind == VerdictKind::ProvedEqual ||
                           Other.Kind == VerdictKind::EqualOn)) {
      V.Kind = VerdictKind::Unsupported;
      V.Detail = "with -fmad=false the results are equal; else other products "
                 "may be rounded together with sums";
    }
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
  excuseContraction(Verdicts, Request, In, Executable, Arch);
  return Verdicts;
}

RewriteChecker cudaopt::createMachineChecker(const Input &In,
                                             const char *Executable,
                                             StringRef Arch) {
  return [In, Executable, Arch = Arch.str()](const RewriteRequest &Request) {
    return check(Request, In, Executable, Arch);
  };
}
