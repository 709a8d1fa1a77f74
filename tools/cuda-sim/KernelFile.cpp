// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements --kernels. Only the device side is compiled: there need not be a
/// host program, and nothing is linked.
//===----------------------------------------------------------------------===//

#include "KernelFile.h"

#include "ManagedVariables.h"
#include "ProgramLoader.h"

#include "cudaopt/Equivalence/Equivalence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

namespace {

/// The device side of one file.
class KernelFile {
public:
  KernelFile(const SimCommandLine &Line, raw_ostream &OS)
      : Line(Line), OS(OS) {}

  Error load(StringRef File);
  /// Checks all kernels and returns the exit code.
  int check();

private:
  int check(const std::string &Name);
  cudaopt::LaunchShape makeShape(const std::string &Name,
                                 const simt::Program &P) const;

  const SimCommandLine &Line;
  raw_ostream &OS;
  LLVMContext Context;
  DeviceMemory Memory;
  std::optional<IRCompiler> Compiler;
  /// Destroyed before the members it refers to.
  std::unique_ptr<simt::DeviceImage> Image;
};

} // namespace

Error KernelFile::load(StringRef File) {
  if (Error E = makeCudaCompiler(Line, File).moveInto(Compiler))
    return E;
  auto M = Compiler->compileDevice(Context);
  if (!M)
    return M.takeError();
  takeManagedVariables(**M);
  simt::LowerOptions Options;
  Options.IsSystemFile = [this](StringRef Name) {
    return Compiler->isSystemFile(Name);
  };
  if (Error E = simt::DeviceImage::load(std::move(*M), Memory, Options)
                    .moveInto(Image))
    return E;
  if (Image->kernels().empty())
    return createStringError("'" + File + "' has no kernel");
  return Error::success();
}

/// Returns the launch shape that the command line names, or a likely one.
cudaopt::LaunchShape KernelFile::makeShape(const std::string &Name,
                                           const simt::Program &P) const {
  cudaopt::LaunchShape Shape;
  Shape.Grid = Line.Opts.Grid;
  Shape.Block = Line.Opts.Block;
  if (Shape.Block[0] == 0) {
    unsigned Most = Image->maxThreads(Name);
    Shape.assumeBlock(Most ? Most : cudaopt::LaunchShape::LikelyThreads);
  }
  if (any_of(P.Shared, [](const auto &Array) { return Array.IsDynamic; })) {
    Shape.DynamicShared = cudaopt::LaunchShape::LikelyDynamicBytes;
    Shape.IsDynamicAssumed = true;
  }
  return Shape;
}

/// Runs a kernel with made-up arguments, and prints its defects and the
/// verdict.
int KernelFile::check(const std::string &Name) {
  std::string Title = demangle(Name);
  Expected<const simt::Program &> P = Image->kernel(Name);
  if (!P) {
    OS << Title << ": not modelled: " << toString(P.takeError()) << '\n';
    return ExitBadInput;
  }
  const auto [X, Y, Z] = Line.Opts.Block;
  if (unsigned Most = Image->maxThreads(Name); Most && X * Y * Z > Most) {
    OS << Title << ": not checked: its __launch_bounds__ allow " << Most
       << " threads\n";
    return ExitBadInput;
  }
  EquivalenceOptions Options;
  Options.CheckRaces = Options.CheckGlobalRaces = Line.Opts.CheckRaces;
  if (Line.Opts.MaxSteps != SimOptions().MaxSteps)
    Options.MaxWarpInstructions = Line.Opts.MaxSteps;
  KernelCheck Check =
      checkKernel(*Image, Memory, Name, makeShape(Name, *P), Options);
  for (const simt::Finding &F : Check.Seen.Findings)
    OS << simt::format(F, *P) << '\n';
  if (!Check.Doubt.empty())
    OS << Title << ": with other integers: " << Check.Doubt << '\n';
  bool HasWarnings = !Check.Seen.Findings.empty();
  OS << Title << ": ";
  switch (Check.Kind) {
  case VerdictKind::ProvedEqual:
    OS << (HasWarnings ? "only warnings" : "no defects")
       << ", for all data, at " << Check.Detail << '\n';
    return 0;
  case VerdictKind::EqualOn:
    OS << (HasWarnings ? "only warnings" : "no defects")
       << (Check.Unmodelled.empty() ? ", for the inputs tried, at "
                                    : ", for the inputs and orders tried, at ")
       << Check.Detail;
    if (!Check.Unmodelled.empty())
      OS << "; others may differ, because of " << Check.Unmodelled;
    OS << '\n';
    return 0;
  case VerdictKind::OriginalIsBroken:
    OS << "defects at " << Check.Detail << '\n';
    return ExitFindings;
  case VerdictKind::Unsupported:
  case VerdictKind::Different:
    OS << "not modelled: " << Check.Detail << '\n';
    return ExitBadInput;
  }
  llvm_unreachable("unknown verdict");
}

/// Findings outrank other problems in the exit code.
int KernelFile::check() {
  int Worst = 0;
  for (const std::string &Name : Image->kernels()) {
    int Code = check(Name);
    if (Worst != ExitFindings && Code != 0)
      Worst = Code;
  }
  return Worst;
}

Expected<int> cudasim::checkKernels(const SimCommandLine &Line,
                                    raw_ostream &OS) {
  int Worst = 0;
  for (const std::string &Name : Line.Files) {
    if (!sys::fs::is_regular_file(Name))
      return createStringError("cannot read '" + Name + "'");
    KernelFile File(Line, OS);
    if (Error E = File.load(Name))
      return std::move(E);
    int Code = File.check();
    if (Worst != ExitFindings && Code != 0)
      Worst = Code;
  }
  return Worst;
}
