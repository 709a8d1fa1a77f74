// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Every option that `nvcc --help` of CUDA 13.0 lists is understood, in both
/// spellings, and so are the command lines on which naive translations fail.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Parse/NvccCommand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace cudaopt;
using namespace llvm;

namespace {

/// An option as the help lists it, a proper argument if it takes one, and the
/// flags that clang needs. "FILE" stands for an options file with -DF.
struct HelpRow {
  const char *Long, *Short, *Argument, *Flags;
};

/// A file that goes away with the test.
class OptionsFile {
public:
  explicit OptionsFile(StringRef Text) {
    int FD = -1;
    EXPECT_FALSE(sys::fs::createTemporaryFile("options", "rsp", FD, Path));
    raw_fd_ostream(FD, /*shouldClose=*/true) << Text;
  }
  ~OptionsFile() { sys::fs::remove(Path); }
  std::string path() const { return Path.str().str(); }

private:
  SmallString<128> Path;
};

} // namespace

static constexpr HelpRow HelpRows[] = {
    {"cuda", "cuda", "", ""},
    {"cubin", "cubin", "", ""},
    {"fatbin", "fatbin", "", ""},
    {"ptx", "ptx", "", ""},
    {"optix-ir", "optix-ir", "", ""},
    {"ltoir", "ltoir", "", ""},
    {"preprocess", "E", "", ""},
    {"generate-dependencies", "M", "", ""},
    {"generate-nonsystem-dependencies", "MM", "", ""},
    {"generate-dependencies-with-compile", "MD", "", ""},
    {"generate-nonsystem-dependencies-with-compile", "MMD", "", ""},
    {"dependency-output", "MF", "x.d", ""},
    {"generate-dependency-targets", "MP", "", ""},
    {"compile", "c", "", ""},
    {"device-c", "dc", "", "-fgpu-rdc -D__CUDACC_RDC__"},
    {"device-w", "dw", "", ""},
    {"device-link", "dlink", "", ""},
    {"link", "link", "", ""},
    {"lib", "lib", "", ""},
    {"run", "run", "", ""},
    {"output-file", "o", "x.o", ""},
    {"pre-include", "include", "a.h,b.h", "-include a.h -include b.h"},
    {"objdir-as-tempdir", "objtemp", "", ""},
    {"library", "l", "v", ""},
    {"define-macro", "D", "A=1,B", "-DA=1 -DB"},
    {"undefine-macro", "U", "A,B", "-UA -UB"},
    {"include-path", "I", "a,b", "-Ia -Ib"},
    {"system-include", "isystem", "a,b", "-isystem a -isystem b"},
    {"library-path", "L", "v", ""},
    {"output-directory", "odir", "v", ""},
    {"compiler-bindir", "ccbin", "v", ""},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", "", ""},
    {"archiver-binary", "arbin", "v", ""},
    {"cudart", "cudart", "v", ""},
    {"cudadevrt", "cudadevrt", "v", ""},
    {"libdevice-directory", "ldir", "v", ""},
    {"target-directory", "target-dir", "v", ""},
    {"use-local-env", "use-local-env", "", ""},
    {"force-cl-env-setup", "force-cl-env-setup", "", ""},
    {"profile", "pg", "", ""},
    {"debug", "g", "", ""},
    {"device-debug", "G", "", "-D__CUDACC_DEBUG__"},
    {"generate-line-info", "lineinfo", "", ""},
    {"optimization-info", "opt-info", "v", ""},
    {"optimize", "O", "3", ""},
    {"Ofast-compile", "Ofc", "max", ""},
    {"dopt", "dopt", "v", ""},
    {"dlink-time-opt", "dlto", "", "-fgpu-rdc -D__CUDACC_RDC__"},
    {"lto", "lto", "", "-fgpu-rdc -D__CUDACC_RDC__"},
    {"gen-opt-lto", "gen-opt-lto", "", ""},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", "1", ""},
    {"ftemplate-depth", "ftemplate-depth", "99", "-ftemplate-depth=99"},
    {"no-exceptions", "noeh", "", "-fno-exceptions"},
    {"shared", "shared", "", ""},
    {"x", "x", "cu", ""},
    {"std", "std", "c++20", "-std=c++20"},
    {"no-host-device-initializer-list", "nohdinitlist", "", ""},
    {"no-host-device-move-forward", "nohdmoveforward", "", ""},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", "",
     "-D__CUDACC_RELAXED_CONSTEXPR__"},
    {"extended-lambda", "extended-lambda", "", "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"expt-extended-lambda", "expt-extended-lambda", "",
     "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"machine", "m", "64", ""},
    {"m64", "m64", "", ""},
    {"compiler-options", "Xcompiler", "-Wall,-DA", "-DA"},
    {"linker-options", "Xlinker", "v", ""},
    {"archive-options", "Xarchive", "v", ""},
    {"ptxas-options", "Xptxas", "-v", ""},
    {"nvlink-options", "Xnvlink", "v", ""},
    {"static-global-template-stub", "static-global-template-stub", "true", ""},
    {"device-entity-has-hidden-visibility",
     "device-entity-has-hidden-visibility", "true", ""},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", "",
     ""},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", "",
     ""},
    {"forward-unknown-opts", "forward-unknown-opts", "", ""},
    {"dont-use-profile", "noprof", "", ""},
    {"dryrun", "dryrun", "", ""},
    {"verbose", "v", "", ""},
    {"threads", "t", "4", ""},
    {"split-compile", "split-compile", "1", ""},
    {"split-compile-extended", "split-compile-extended", "1", ""},
    {"fdevice-syntax-only", "fdevice-syntax-only", "", ""},
    {"fdevice-time-trace", "fdevice-time-trace", "v", ""},
    {"keep", "keep", "", ""},
    {"keep-dir", "keep-dir", "v", ""},
    {"save-temps", "save-temps", "", ""},
    {"clean-targets", "clean", "", ""},
    {"time", "time", "v", ""},
    {"run-args", "run-args", "v", ""},
    {"input-drive-prefix", "idp", "v", ""},
    {"dependency-drive-prefix", "ddp", "v", ""},
    {"drive-prefix", "dp", "v", ""},
    {"dependency-target-name", "MT", "v", ""},
    {"no-align-double", "", "", ""},
    {"no-device-link", "nodlink", "", ""},
    {"gpu-architecture", "arch", "sm_80", ""},
    {"gpu-code", "code", "sm_80", ""},
    {"generate-code", "gencode", "arch=compute_80,code=[sm_80,sm_86]", ""},
    {"relocatable-device-code", "rdc", "true", "-fgpu-rdc -D__CUDACC_RDC__"},
    {"entries", "e", "v", ""},
    {"maxrregcount", "maxrregcount", "32", ""},
    {"use_fast_math", "use_fast_math", "",
     "-ffp-contract=fast -D__CUDAOPT_APPROXIMATES__=-use_fast_math"},
    {"ftz", "ftz", "true", "-D__CUDAOPT_APPROXIMATES__=-ftz=true"},
    {"prec-div", "prec-div", "true", ""},
    {"prec-sqrt", "prec-sqrt", "true", ""},
    {"fmad", "fmad", "true", ""},
    {"extra-device-vectorization", "extra-device-vectorization", "", ""},
    {"default-stream", "default-stream", "per-thread",
     "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"},
    {"disable-warnings", "w", "", ""},
    {"keep-device-functions", "keep-device-functions", "", ""},
    {"source-in-ptx", "src-in-ptx", "", ""},
    {"restrict", "restrict", "", ""},
    {"Wreorder", "Wreorder", "", ""},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", "", ""},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", "", ""},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", "", ""},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", "", ""},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", "", ""},
    {"Werror", "Werror", "all-warnings", ""},
    {"resource-usage", "res-usage", "", ""},
    {"extensible-whole-program", "ewp", "", "-D__CUDACC_EWP__"},
    {"no-compress", "no-compress", "", ""},
    {"qpp-config", "qpp-config", "", ""},
    {"compile-as-tools-patch", "astoolspatch", "",
     "-D__CUDACC_INTERNAL_NO_STUBS__=1"},
    {"list-gpu-code", "code-ls", "", ""},
    {"list-gpu-arch", "arch-ls", "", ""},
    {"display-error-number", "err-no", "", ""},
    {"no-display-error-number", "no-err-no", "", ""},
    {"diag-error", "diag-error", "1", ""},
    {"diag-suppress", "diag-suppress", "177", ""},
    {"diag-warn", "diag-warn", "1", ""},
    {"host-linker-script", "hls", "use-lcs", ""},
    {"augment-host-linker-script", "aug-hls", "", ""},
    {"relocatable-link", "r", "", ""},
    {"brief-diagnostics", "brief-diag", "true", ""},
    {"jump-table-density", "jtd", "1", ""},
    {"relocatable-ptx", "reloc-ptx", "", ""},
    {"device-stack-protector", "device-stack-protector", "true", ""},
    {"compress-mode", "compress-mode", "v", ""},
    {"frandom-seed", "frandom-seed", "v", ""},
    {"sanitize", "sanitize", "v", ""},
    {"jobserver", "jobserver", "", ""},
    {"help", "h", "", ""},
    {"version", "V", "", ""},
    {"options-file", "optf", "FILE", "-DF"},
};
static_assert(std::size(HelpRows) == 143);

using Words = std::vector<std::string>;

static NvccCommand read(const Words &Arguments) {
  Expected<NvccCommand> Command = readNvccCommand(Arguments);
  if (Command)
    return *Command;
  ADD_FAILURE() << toString(Command.takeError());
  return {};
}

static std::string flags(const Words &Arguments) {
  return join(read(Arguments).ClangFlags, " ");
}

static std::string error(const Words &Arguments) {
  Expected<NvccCommand> Command = readNvccCommand(Arguments);
  return Command ? "" : toString(Command.takeError());
}

// Every option, in every spelling that nvcc accepts, takes its own argument and
// no more: the input that follows is found.
TEST(NvccCommand, ReadsEveryOptionOfTheHelp) {
  OptionsFile File("-DF");
  for (const HelpRow &Row : HelpRows) {
    std::string Argument = Row.Argument;
    if (Argument == "FILE")
      Argument = File.path();
    Words Names = {std::string("--") + Row.Long};
    if (*Row.Short)
      Names.push_back(std::string("-") + Row.Short);
    for (const std::string &Name : Names) {
      SCOPED_TRACE(Name);
      std::vector<Words> Spellings = {{Name, "x.cu"}};
      if (!Argument.empty())
        Spellings = {{Name, Argument, "x.cu"}, {Name + "=" + Argument, "x.cu"}};
      for (const Words &Spelling : Spellings) {
        NvccCommand Command = read(Spelling);
        EXPECT_EQ(join(Command.ClangFlags, " "), Row.Flags);
        EXPECT_EQ(Command.Inputs, Words{"x.cu"});
      }
    }
  }
}

// An option that needs an argument and is the last word is an error.
TEST(NvccCommand, RefusesMissingArguments) {
  for (const HelpRow &Row : HelpRows) {
    StringRef Long = Row.Long;
    // clang, and nvcc itself, know some of these without an argument.
    bool MayBeBare = Long == "optimize" || Long == "threads" ||
                     Long == "Werror" || Long == "Ofast-compile" ||
                     Long == "host-linker-script";
    if (!*Row.Argument || MayBeBare)
      continue;
    EXPECT_EQ(error({"--" + Long.str()}),
              "argument expected after '--" + Long.str() + "'");
  }
  EXPECT_EQ(error({"-Xclang"}), "argument expected after '-Xclang'");
}

// Options that clang would misread: -G swallows a word, -lineinfo is a library,
// -use_fast_math undefines a macro, the argument of -Xptxas is an input.
TEST(NvccCommand, ReadsOptionsThatClangMisreads) {
  NvccCommand Command =
      read({"-lineinfo", "-use_fast_math", "-Xptxas", "-v", "-ldir", "x", "-O3",
            "-lcublas", "-t4", "-w", "-G", "x.cu"});
  EXPECT_EQ(Command.ClangFlags,
            (Words{"-D__CUDACC_DEBUG__", "-ffp-contract=fast",
                   "-D__CUDAOPT_APPROXIMATES__=-use_fast_math"}));
  EXPECT_EQ(Command.Inputs, Words{"x.cu"});
}

// Words that clang knows without an argument do not take the input.
TEST(NvccCommand, KeepsTheInputAfterBareOptionsOfClang) {
  EXPECT_EQ(read({"-O", "x.cu"}).Inputs, Words{"x.cu"});
  EXPECT_EQ(read({"-Werror", "x.cu"}).Inputs, Words{"x.cu"});
  EXPECT_EQ(read({"-Werror", "reorder,all-warnings", "x.cu"}).Inputs,
            Words{"x.cu"});
}

// The virtual architecture is what __CUDA_ARCH__ says; each GPU is named once.
TEST(NvccCommand, FindsArchitectures) {
  EXPECT_EQ(read({"-gencode", "arch=compute_80,code=[sm_80,compute_80]"}).Archs,
            Words{"sm_80"});
  EXPECT_EQ(read({"--generate-code=arch=compute_80,code=sm_90"}).Archs,
            Words{"sm_80"});
  EXPECT_EQ(read({"-arch=sm_90a", "-gencode=arch=compute_75,code=sm_75"}).Archs,
            (Words{"sm_90a", "sm_75"}));
  EXPECT_EQ(read({"-arch", "lto_100f"}).Archs, Words{"sm_100f"});
  EXPECT_EQ(read({"-arch=compute_75", "-code=sm_90"}).Archs, Words{"sm_75"});
  EXPECT_EQ(read({"-arch=native"}).Archs, Words{});
  EXPECT_EQ(read({"--cuda-gpu-arch=sm_86", "--offload-arch=sm_80,sm_90"}).Archs,
            (Words{"sm_86", "sm_80", "sm_90"}));
}

// The first one asked for, else the highest; a name that clang accepts.
TEST(NvccCommand, ChoosesTheArchitecture) {
  EXPECT_EQ(chooseArch("", {}), "sm_90");
  EXPECT_EQ(chooseArch("", Words{"sm_80", "sm_100", "sm_90a"}), "sm_100");
  EXPECT_EQ(chooseArch("", Words{"sm_90", "sm_90a"}), "sm_90a");
  EXPECT_EQ(chooseArch("sm_75", Words{"sm_90"}), "sm_75");
  EXPECT_EQ(chooseArch("sm_130", {}), "sm_121");
  EXPECT_EQ(chooseArch("sm_120f", {}), "sm_120");
}

// Lists split at commas, but not in quotes or after a backslash; joined and
// separate arguments are the same.
TEST(NvccCommand, SplitsLists) {
  EXPECT_EQ(flags({"-DA=1,B=2", "-D", "C", "-D=D"}), "-DA=1 -DB=2 -DC -DD");
  EXPECT_EQ(flags({"-DS=\"a,b\""}), "-DS=\"a,b\"");
  EXPECT_EQ(flags({"-DA=1\\,2"}), "-DA=1,2");
  EXPECT_EQ(flags({"-Ia", "-I=b", "-I", "c,d"}), "-Ia -Ib -Ic -Id");
}

// Of the host compiler's options, those stay that concern a parse.
TEST(NvccCommand, FiltersHostOptions) {
  EXPECT_EQ(flags({"-Xcompiler", "-Wall,-DA,-O2,-fopenmp"}), "-DA -fopenmp");
  EXPECT_EQ(flags({"-Xcompiler=-fPIC -DA", "-Xcompiler", "-isystem,d"}),
            "-DA -isystem d");
  EXPECT_EQ(flags({"-Xcompiler", "-include", "-Xcompiler", "a.h"}),
            "-include a.h");
  EXPECT_EQ(flags({"-Xcompiler", "-mavx2,-fno-rtti,-Wl\\,-z"}),
            "-mavx2 -fno-rtti");
}

// Values decide.
TEST(NvccCommand, ReadsValues) {
  EXPECT_EQ(flags({"-fmad=false"}), "-ffp-contract=off");
  EXPECT_EQ(flags({"-rdc=false"}), "");
  EXPECT_EQ(flags({"-rdc", "true"}), "-fgpu-rdc -D__CUDACC_RDC__");
  EXPECT_EQ(flags({"--default-stream", "legacy"}), "");
}

// What clang knows goes to clang, with its arguments; what nobody knows too,
// unless nvcc was to hand it on to the host compiler.
TEST(NvccCommand, HandsUnknownOptionsToClang) {
  NvccCommand Command = read({"-Xclang", "-verify", "-fsyntax-only", "-Wfoo",
                              "-nocudainc", "-iquote", "d", "x.cu"});
  EXPECT_EQ(join(Command.ClangFlags, " "),
            "-Xclang -verify -fsyntax-only -Wfoo -nocudainc -iquote d");
  EXPECT_EQ(Command.Inputs, Words{"x.cu"});
  EXPECT_FALSE(Command.usesToolkit());
  EXPECT_EQ(flags({"--nobody-knows"}), "--nobody-knows");
  EXPECT_EQ(flags({"-forward-unknown-to-host-compiler", "-fno-such", "-Wall"}),
            "-Wall");
}

// The side and the language to parse, dependencies and outputs are not for the
// command to say.
TEST(NvccCommand, DropsWhatTheToolDecides) {
  NvccCommand Command =
      read({"-x", "cu", "--cuda-host-only", "-MD", "-MQ", "x", "-MF", "x.d",
            "-ox.o", "--cuda-path=/c", "-xcuda", "--", "x.cu"});
  EXPECT_EQ(Command.ClangFlags, Words{});
  EXPECT_EQ(Command.CudaPath, "/c");
  EXPECT_EQ(Command.Inputs, Words{"x.cu"});
}

// Options files are read where they stand, with the quotes of nvcc or, after @,
// of a shell, relative to the folder of the command; a cycle ends with an
// error.
TEST(NvccCommand, ReadsOptionsFiles) {
  OptionsFile Inner("-DI=\"a b\" y.cu");
  OptionsFile Outer("-DO --options-file " + Inner.path());
  NvccCommand Command = read({"-DA", "@" + Outer.path(), "-DZ"});
  EXPECT_EQ(Command.ClangFlags, (Words{"-DA", "-DO", "-DI=a b", "-DZ"}));
  EXPECT_EQ(Command.Inputs, Words{"y.cu"});
  EXPECT_EQ(Command.Words, (Words{"-DA", "-DO", "-DI=a b", "y.cu", "-DZ"}));

  std::string Name = sys::path::filename(Inner.path()).str();
  std::string Folder = sys::path::parent_path(Inner.path()).str();
  Expected<NvccCommand> Relative =
      readNvccCommand(Words{"-optf", Name}, Folder);
  ASSERT_TRUE(bool(Relative)) << toString(Relative.takeError());
  EXPECT_EQ(Relative->ClangFlags, Words{"-DI=a b"});
  EXPECT_NE(error({"-optf=/no/such/file"}).find("/no/such/file"),
            std::string::npos);

  OptionsFile Cycle("");
  std::error_code EC;
  raw_fd_ostream(Cycle.path(), EC) << "-optf " << Cycle.path();
  EXPECT_NE(error({"-optf", Cycle.path()}).find("too deeply"),
            std::string::npos);
}

// nvcc 13.0 takes backslashes off twice, and knows no single quotes.
TEST(NvccCommand, SplitsOptionsFilesAsNvccDoes) {
  OptionsFile File("-DA='a' \"-DB=b b\"\t-DC=c\\ c\n-DD=\\\\\"d\\\\\" "
                   "-DE=\\\"e\\\" -DF=c:\\\\f -DG=\"\"");
  EXPECT_EQ(read({"-optf", File.path()}).ClangFlags,
            (Words{"-DA='a'", "-DB=b b", "-DC=c c", "-DD=\"d\"", "-DE=e",
                   "-DF=c:f", "-DG="}));
  OptionsFile Stray("-DA=\"a");
  EXPECT_NE(error({"-optf", Stray.path()}).find("stray"), std::string::npos);
}

// With a toolkit the program sees nvcc's macros; without one, nothing of it.
TEST(NvccCommand, BuildsFlags) {
  NvccCommand Command = read({"-std=c++20", "-DA"});
  Toolkit Cuda = {"/no/cuda", 13, 0};
  Words Flags = buildClangFlags(Command, "sm_80", &Cuda, "/r");
  for (const char *Flag :
       {"--cuda-gpu-arch=sm_80", "--cuda-path=/no/cuda", "-resource-dir=/r",
        "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
        "-D__CUDA_OPT__=100", "-target-sdk-version=12.8"})
    EXPECT_TRUE(is_contained(Flags, Flag)) << Flag;
  // Of two toolkits, one in /usr/include, it is the one that was found.
  EXPECT_EQ(*std::next(find(Flags, "-isystem")), "/no/cuda/include");
  // The command's own flags come later, and win.
  EXPECT_LT(find(Flags, "-std=c++17"), find(Flags, "-std=c++20"));

  Flags = buildClangFlags(Command, "sm_80", nullptr, "/r");
  EXPECT_FALSE(is_contained(Flags, "-D__NVCC__"));
  EXPECT_FALSE(is_contained(Flags, "-include"));

  Cuda = {"/no/cuda", 12, 4};
  Flags = buildClangFlags(Command, "sm_80", &Cuda, "/r");
  EXPECT_TRUE(is_contained(Flags, "-target-sdk-version=12.4"));
}

// CCCL of the toolkit is found, unless the command brings its own.
TEST(NvccCommand, FindsCccl) {
  SmallString<128> Root;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("toolkit", Root));
  std::string Cccl = (Root + "/include/cccl").str();
  ASSERT_FALSE(sys::fs::create_directories(Cccl));
  Toolkit Cuda = {Root.str().str(), 13, 0};
  EXPECT_EQ(buildClangFlags(read({}), "sm_80", &Cuda, "/r").back(), Cccl);
  EXPECT_EQ(
      buildClangFlags(read({"-I/my/cccl/libcudacxx"}), "sm_80", &Cuda, "/r")
          .back(),
      "-I/my/cccl/libcudacxx");
  sys::fs::remove_directories(Root);
}
