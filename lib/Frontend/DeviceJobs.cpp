// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// The GPUs in the macro with which clang's driver tells all jobs of all GPUs:
/// "__CUDA_ARCH_LIST__=800,900".
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

/// Makes a job for the host one for a GPU, of which only the name is missing.
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
  // The driver derives it from the toolkit's version; for a parse, more is no
  // harm.
  Target.FeaturesAsWritten = {"+ptx88"};
  Job.getLangOpts().CUDAIsDevice = true;
  Job.getCodeGenOpts().CudaGpuBinaryFileName.clear();
}

/// Takes away what a job is to write, and whom it is to load.
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

std::vector<DeviceJob> cudaopt::listDeviceJobs(const CompilerInvocation &Job) {
  CompilerInvocation Parse(Job);
  onlyParse(Parse);
  std::vector<std::string> Archs = readArchList(Job);
  std::string Own;
  if (Job.getLangOpts().CUDAIsDevice) {
    Own = Job.getTargetOpts().CPU;
    // The list does not tell sm_90 from sm_90a.
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

/// Where the link \p Path leads; empty if nowhere.
static std::string readLink(const Twine &Path) {
  SmallString<128> Target;
  return sys::fs::real_path(Path, Target) ? "" : Target.str().str();
}

/// The first line of \p Path; empty if there is none.
static std::string readLine(StringRef Path) {
  auto Text = MemoryBuffer::getFileAsStream(Path);
  return Text ? (*Text)->getBuffer().split('\n').first.str() : "";
}

/// When process \p Id began, in ticks since the machine did; empty if unknown.
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
  // A driver with one job does it itself, and a shell is no driver.
  if (Clang.empty() || Start.empty() ||
      readLink("/proc/" + Parent + "/exe") != Clang)
    return {};
  return {Clang, Parent, Start, readLine("/proc/sys/kernel/random/boot_id")};
}
