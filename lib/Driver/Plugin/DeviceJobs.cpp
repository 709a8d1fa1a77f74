// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes the parses for all GPUs out of one -cc1 job, and identifies the driver
/// run that a job belongs to, by the identity of the parent process.
//===----------------------------------------------------------------------===//

#include "DeviceJobs.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/DependencyOutputOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <unistd.h>

using namespace cudaopt;
using namespace llvm;
using clang::CompilerInvocation;

/// Returns the GPUs in the macro by which clang's driver tells all jobs about
/// all GPUs: "__CUDA_ARCH_LIST__=800,900".
static std::vector<std::string> readArchList(const CompilerInvocation &Job) {
  std::vector<std::string> Archs;
  for (const auto &[Macro, IsUndefined] : Job.getPreprocessorOpts().Macros) {
    StringRef List = Macro;
    if (IsUndefined || !List.consume_front("__CUDA_ARCH_LIST__="))
      continue;
    Archs.clear();
    for (StringRef Number : split(List, ','))
      if (Number.consume_back("0"))
        Archs.push_back(("sm_" + Number).str());
  }
  return Archs;
}

/// Turns a job for the host into one for a GPU; only the GPU's name is still
/// missing.
static void turnToDevice(CompilerInvocation &Job) {
  clang::TargetOptions &Target = Job.getTargetOpts();
  clang::FrontendOptions &Frontend = Job.getFrontendOpts();
  std::swap(Frontend.AuxTriple, Target.Triple);
  Frontend.AuxTargetCPU = Target.CPU;
  Frontend.AuxTargetFeatures = Target.FeaturesAsWritten;
  for (std::string *OfHost :
       {&Target.HostTriple, &Target.TuneCPU, &Target.FPMath, &Target.ABI,
        &Target.LinkerVersion, &Target.CodeModel})
    OfHost->clear();
  // The driver derives the PTX version from the toolkit's; for a parse, a
  // higher one does no harm.
  Target.FeaturesAsWritten = {"+ptx88"};
  Job.getLangOpts().CUDAIsDevice = true;
  Job.getCodeGenOpts().CudaGpuBinaryFileName.clear();
}

/// Reduces a job to a syntax-only parse: it writes no files, loads no plugins
/// and reports no warnings.
static void onlyParse(CompilerInvocation &Job) {
  clang::FrontendOptions &Frontend = Job.getFrontendOpts();
  Frontend.ProgramAction = clang::frontend::ParseSyntaxOnly;
  Frontend.OutputFile.clear();
  Frontend.Plugins.clear();
  Frontend.AddPluginActions.clear();
  Frontend.PluginArgs.clear();
  Frontend.StatsFile.clear();
  Frontend.DisableFree = false;
  Job.getDependencyOutputOpts() = clang::DependencyOutputOptions();
  clang::DiagnosticOptions &Diagnostics = Job.getDiagnosticOpts();
  Diagnostics.VerifyDiagnostics = false;
  Diagnostics.DiagnosticLogFile.clear();
  Diagnostics.DiagnosticSerializationFile.clear();
  Diagnostics.IgnoreWarnings = true;
  Diagnostics.ErrorLimit = 0;
}

/// A device job becomes a parse for each GPU of the list, which differs only in
/// the GPU's name; a host job is turned into a device job first.
std::vector<DeviceJob> cudaopt::listDeviceJobs(const CompilerInvocation &Job) {
  CompilerInvocation Parse(Job);
  onlyParse(Parse);
  std::vector<std::string> Archs = readArchList(Job);
  std::string Own;
  if (Job.getLangOpts().CUDAIsDevice) {
    Own = Job.getTargetOpts().CPU;
    // The list names architectures by number only and does not tell sm_90 from
    // sm_90a; this job's own name does.
    auto Listed = find(Archs, StringRef(Own).rtrim("af"));
    if (Listed != Archs.end())
      *Listed = Own;
    else
      Archs = {Own};
  } else {
    turnToDevice(Parse);
  }
  std::vector<DeviceJob> Jobs;
  for (const std::string &Arch : Archs) {
    Parse.getTargetOpts().CPU = Arch;
    Jobs.push_back({Arch, Parse.getCC1CommandLine(), Arch == Own});
  }
  return Jobs;
}

std::shared_ptr<CompilerInvocation> DeviceJob::createInvocation() const {
  auto Result = std::make_shared<CompilerInvocation>();
  clang::DiagnosticOptions Options;
  clang::DiagnosticsEngine Diagnostics(clang::DiagnosticIDs::create(), Options,
                                       new clang::IgnoringDiagConsumer);
  std::vector<const char *> Words;
  for (const std::string &Word : Arguments)
    Words.push_back(Word.c_str());
  if (!CompilerInvocation::CreateFromArgs(*Result, Words, Diagnostics))
    return nullptr;
  return Result;
}

/// Returns the path that the link \p Path leads to; an empty string if it leads
/// nowhere.
static std::string readLink(const Twine &Path) {
  SmallString<128> Target;
  return sys::fs::real_path(Path, Target) ? "" : Target.str().str();
}

/// Returns the first line of the file \p Path; an empty string if it cannot be
/// read.
static std::string readLine(StringRef Path) {
  auto Text = MemoryBuffer::getFileAsStream(Path);
  return Text ? (*Text)->getBuffer().split('\n').first.str() : "";
}

/// Returns the start time of process \p Id in clock ticks since boot; an empty
/// string if it is unknown. Together with the boot id, it tells a process from
/// a later one with the same id.
static std::string readStartTime(StringRef Id) {
  constexpr unsigned FieldsBehindName = 19;
  auto Stat = MemoryBuffer::getFileAsStream("/proc/" + Id + "/stat");
  if (!Stat)
    return "";
  SmallVector<StringRef> Fields;
  (*Stat)->getBuffer().rsplit(") ").second.split(Fields, ' ');
  return Fields.size() > FieldsBehindName ? Fields[FieldsBehindName].str() : "";
}

std::vector<std::string> cudaopt::identifyDriverRun() {
  const std::string Parent = std::to_string(getppid());
  const std::string Clang = readLink("/proc/self/exe");
  const std::string Start = readStartTime(Parent);
  // A driver that has only one job runs it itself and has no job processes; and
  // if the parent is another program, such as a shell, it is no driver.
  if (Clang.empty() || Start.empty() ||
      readLink("/proc/" + Parent + "/exe") != Clang)
    return {};
  return {Clang, Parent, Start, readLine("/proc/sys/kernel/random/boot_id")};
}
