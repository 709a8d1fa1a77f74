// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// --doctor: checks everything that a rewrite or a build needs, and finally
/// tries one rewrite.
//===----------------------------------------------------------------------===//

#include "Launcher/Masquerade.h"
#include "cudaopt/Driver/Command/Requests.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Support/Program.h"

#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <optional>

using namespace cudaopt;
using namespace llvm;

namespace {

/// Prints the result of each check; if brief, only what is missing.
class Doctor {
public:
  Doctor(const CommandLine &Line, raw_ostream &OS, bool IsBrief = false)
      : Line(Line), OS(OS), IsBrief(IsBrief) {}

  void checkToolkit();
  void checkHostCompiler();
  void checkRuntime();
  void checkArchs();
  void checkClang();
  void checkPlugin();
  void checkCcache();
  void checkGpu();
  void checkConfiguration();
  void checkRewrite();
  ExitCode finish();

private:
  void good(StringRef What, const Twine &Found);
  /// Reports something missing that not everybody needs.
  void note(StringRef What, const Twine &Found, const Twine &Remedy);
  /// Reports something missing that only a build needs, not a rewrite.
  void lack(StringRef What, const Twine &Remedy);
  void bad(StringRef What, const Twine &Found, const Twine &Remedy);

  std::string programPath() const {
    return sys::fs::getMainExecutable(Line.Executable,
                                      (void *)(intptr_t)&runDoctor);
  }

  void checkNvcc(StringRef Toolkit);
  void checkHeaders(StringRef Toolkit);

  const CommandLine &Line;
  raw_ostream &OS;
  const bool IsBrief;
  unsigned NumBad = 0;
};

} // namespace

void Doctor::good(StringRef What, const Twine &Found) {
  if (!IsBrief)
    OS << formatv("ok     {0,-14} {1}\n", What, Found.str());
}

void Doctor::note(StringRef What, const Twine &Found, const Twine &Remedy) {
  if (!IsBrief)
    OS << formatv("note   {0,-14} {1}; {2}\n", What, Found.str(), Remedy.str());
}

void Doctor::lack(StringRef What, const Twine &Remedy) {
  if (IsBrief)
    OS << "missing: " << What << "; " << Remedy << '\n';
  else
    note(What, "none", Remedy);
}

void Doctor::bad(StringRef What, const Twine &Found, const Twine &Remedy) {
  ++NumBad;
  if (IsBrief)
    return lack(What, Remedy);
  OS << formatv("BROKEN {0,-14} {1}; {2}\n", What, Found.str(), Remedy.str());
}

static std::string findProgram(StringRef Name) {
  ErrorOr<std::string> Path = sys::findProgramByName(Name);
  return Path ? *Path : std::string();
}

/// Runs a program and returns what it prints on both streams; std::nullopt if
/// it fails.
static std::optional<std::string> ask(ArrayRef<StringRef> Words) {
  ProgramRun Run = runProgram(Words);
  if (!Run.isDone())
    return std::nullopt;
  return Run.Output + Run.Messages;
}

Expected<Toolkit> cudaopt::findStatedToolkit(const CommandLine &Line) {
  Expected<NvccCommand> Command = readNvccCommand(Line.Flags);
  const std::string CudaPath = Command ? Command->CudaPath : std::string();
  consumeError(Command.takeError());
  return findToolkit(CudaPath);
}

void Doctor::checkToolkit() {
  Expected<Toolkit> Cuda = findStatedToolkit(Line);
  if (!Cuda)
    return bad("CUDA Toolkit", toString(Cuda.takeError()),
               "install it, or set CUDA_PATH to its folder");
  good("CUDA Toolkit",
       formatv("{0}.{1} at {2}", Cuda->Major, Cuda->Minor, Cuda->Path).str());
  checkNvcc(Cuda->Path);
  checkHeaders(Cuda->Path);
}

/// An nvcc is needed to compile, not to rewrite: a parse only reads headers.
void Doctor::checkNvcc(StringRef Toolkit) {
  SmallString<128> Nvcc(Toolkit);
  sys::path::append(Nvcc, "bin", "nvcc");
  const std::string InPath = findProgram("nvcc");
  if (!InPath.empty() && !isMasquerade(InPath))
    return good("nvcc", InPath);
  if (!InPath.empty()) {
    Expected<std::vector<std::string>> Words = unmask(InPath);
    if (Words)
      return good("nvcc", InPath + ", which is cuda-opt in front of " +
                              join(*Words, " "));
    return bad("nvcc", toString(Words.takeError()),
               "put the folder of nvcc behind that of the link in PATH");
  }
  if (sys::fs::can_execute(Nvcc))
    return note("nvcc", Nvcc, "it is not in PATH: name it in full");
  lack("nvcc", "to compile, install it (nvidia-cuda-nvcc)");
}

/// The parts of a toolkit may be installed one by one, as packages of a
/// distribution or as Python wheels.
void Doctor::checkHeaders(StringRef Toolkit) {
  SmallString<128> Include(Toolkit), Cccl;
  sys::path::append(Include, "include");
  if (!sys::fs::exists(Include + "/cuda_runtime.h"))
    bad("CUDA headers", "there is no cuda_runtime.h in " + Include,
        "install them (nvidia-cuda-runtime)");
  if (!sys::fs::exists(Include + "/curand_mtgp32_kernel.h"))
    bad("cuRAND", "there is no curand_mtgp32_kernel.h in " + Include,
        "install it (nvidia-curand); clang includes it in every CUDA source");
  Cccl = Include;
  sys::path::append(Cccl, "cccl");
  if (sys::fs::is_directory(Cccl))
    good("CCCL", Cccl);
  else if (sys::fs::exists(Include + "/nv/target"))
    good("CCCL", Include);
  else
    bad("CCCL", "the toolkit has none",
        "install it (nvidia-cuda-cccl); cuda_fp16.h and Thrust need it");
}

/// A parse reads the headers of the host compiler's C++ library.
void Doctor::checkHostCompiler() {
  for (StringRef Name : {"g++", "c++", "clang++"})
    if (std::string Path = findProgram(Name); !Path.empty())
      return good("host compiler", Path);
  bad("host compiler", "none in PATH",
      "install g++: nvcc runs it, and clang reads the headers of its library");
}

void Doctor::checkRuntime() {
  SmallString<128> Include(
      sys::path::parent_path(sys::path::parent_path(programPath())));
  sys::path::append(Include, "include");
  if (sys::fs::exists(Include + "/cudaopt/host_loop.hpp"))
    return good("runtime", Include);
  lack("runtime", "what --levelize writes includes cudaopt/host_loop.hpp; "
                  "install the component Runtime");
}

void Doctor::checkArchs() {
  std::vector<std::string> Names;
  for (unsigned Number = 50; Number < 200; ++Number) {
    const std::string Name = "sm_" + utostr(Number);
    if (findTarget(Name) &&
        clang::IsNVIDIAOffloadArch(clang::StringToOffloadArch(Name)))
      Names.push_back(utostr(Number));
  }
  good("--arch=sm_", join(Names, " "));
}

void Doctor::checkClang() {
  Expected<std::string> Headers = findResourceDir(Line.Executable);
  if (Headers)
    good("clang headers", *Headers);
  else
    bad("clang headers", toString(Headers.takeError()),
        "install those of clang " + utostr(LLVM_VERSION_MAJOR));
}

/// The plugin must be beside this program and needs a clang of the same major
/// version as the LLVM of this build.
void Doctor::checkPlugin() {
  const std::string Major = utostr(LLVM_VERSION_MAJOR);
  std::string Clang = findProgram("clang++-" + Major);
  if (Clang.empty())
    Clang = findProgram("clang++");
  SmallString<128> Found;
  for (StringRef Folder : {"lib", "lib/cuda-opt", "lib/cudaopt"}) {
    SmallString<128> Path(
        sys::path::parent_path(sys::path::parent_path(programPath())));
    sys::path::append(Path, Folder, "CudaOptPlugin.so");
    if (sys::fs::exists(Path))
      Found = Path;
  }
  if (Found.empty())
    return note("plugin", "none beside this program",
                "only builds by clang++ need it");
  good("plugin", Found + ", for clang " + Major);
  if (Clang.empty())
    return note("clang++", "none in PATH",
                "only the plugin needs clang " + Major);
  std::optional<std::string> Version = ask({Clang, "--version"});
  const StringRef Text = Version ? StringRef(*Version).split('\n').first : "";
  if (Text.contains("version " + Major + "."))
    good("clang++", Clang + ", " + Text);
  else
    note("clang++", Clang + ", " + (Text.empty() ? "which does not run" : Text),
         "the plugin needs clang " + Major);
}

void Doctor::checkCcache() {
  if (std::string Path = findProgram("ccache"); !Path.empty())
    good("ccache", Path + "; use it as 'cuda-opt ccache nvcc'");
  else
    note("ccache", "none", "builds work without it");
}

void Doctor::checkGpu() {
  if (std::string Smi = findProgram("nvidia-smi"); !Smi.empty())
    if (std::optional<std::string> List = ask({Smi, "-L"})) {
      const StringRef First = StringRef(*List).split('\n').first;
      return good("GPU", First.split(" (UUID").first);
    }
  if (sys::fs::exists("/dev/nvidia0"))
    return good("GPU", "/dev/nvidia0");
  note("GPU", "none", "none is needed; cuda-sim runs programs without one");
}

void Doctor::checkConfiguration() {
  Expected<EffectiveOptions> Effective =
      resolveOptions(Line.Opts, Line.Places, "a.cu");
  if (!Effective)
    return bad(".cuda-opt", toString(Effective.takeError()), "mend it");
  std::vector<std::string> Names;
  for (const auto &[Path, Text] : Effective->Files)
    Names.push_back(Path);
  good(".cuda-opt",
       Names.empty() ? "none above this folder" : join(Names, ", "));
}

/// The smallest kernel whose layout the tool improves: its second access has
/// 32-way bank conflicts.
static constexpr StringLiteral Trial =
    "__global__ void k(float *o, const float *i) {\n"
    "  __shared__ float t[32][32]; t[threadIdx.y][threadIdx.x] = i[0];\n"
    "  __syncthreads(); o[0] = t[threadIdx.x][threadIdx.y]; }\n"
    "void f(float *o) { k<<<1, dim3(32, 32)>>>(o, o); }\n";

/// Runs the whole tool on a tiny kernel, with an empty configuration so that no
/// .cuda-opt interferes.
void Doctor::checkRewrite() {
  SmallString<128> Source;
  int FD = -1;
  if (sys::fs::createTemporaryFile("cuda-opt", "cu", FD, Source))
    return bad("a kernel", "no temporary file can be made", "set TMPDIR");
  FileRemover SourceRemover(Source);
  raw_fd_ostream(FD, /*shouldClose=*/true) << Trial;
  const std::string Self = programPath();
  std::vector<StringRef> Words = {Self, "--check", "--config={}", Source, "--"};
  Words.insert(Words.end(), Line.Flags.begin(), Line.Flags.end());
  const ProgramRun Run = runProgram(Words);
  if (Run.Status == ExitWouldChange)
    return good("a kernel", "of 3 lines parses, and gets a better layout");
  bad("a kernel", Run.isDone() ? "of 3 lines is not optimized" : Run.explain(),
      "see the lines above; else please report it");
}

ExitCode Doctor::finish() {
  if (NumBad == 0) {
    OS << "all is well\n";
    return ExitDone;
  }
  OS << NumBad << (NumBad == 1 ? " part is" : " parts are") << " broken\n";
  return ExitBadInput;
}

void cudaopt::printMissing(const CommandLine &Line, raw_ostream &OS) {
  Doctor D(Line, OS, /*IsBrief=*/true);
  D.checkToolkit();
  D.checkClang();
  D.checkHostCompiler();
  D.checkRuntime();
}

ExitCode cudaopt::runDoctor(const CommandLine &Line, StringRef Version,
                            raw_ostream &OS) {
  Doctor D(Line, OS);
  OS << "cuda-opt " << Version << ", with clang " LLVM_VERSION_STRING "\n";
  D.checkToolkit();
  D.checkArchs();
  D.checkClang();
  D.checkHostCompiler();
  D.checkRuntime();
  D.checkPlugin();
  D.checkCcache();
  D.checkGpu();
  D.checkConfiguration();
  OS.flush();
  D.checkRewrite();
  return D.finish();
}
