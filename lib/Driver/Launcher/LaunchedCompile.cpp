// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the command of a compiler and rebuilds it for the rewritten source.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Launcher/LaunchedCompile.h"
#include "cudaopt/Driver/Launcher/Launcher.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

using namespace cudaopt;
using namespace llvm;

namespace {

/// The meaning of a word that names a program.
enum class CompilerKind { None, Nvcc, Clang, Launcher };

} // namespace

static CompilerKind classify(StringRef Word) {
  StringRef Name = sys::path::filename(Word);
  if (Name.consume_front("clang++") || Name.consume_front("clang"))
    return Name.empty() || (Name.consume_front("-") &&
                            Name.find_first_not_of("0123456789.") == Name.npos)
               ? CompilerKind::Clang
               : CompilerKind::None;
  return StringSwitch<CompilerKind>(Name)
      .Cases({"nvcc", "nvcc_wrapper"}, CompilerKind::Nvcc)
      .Cases({"ccache", "sccache", "distcc", "icecc"}, CompilerKind::Launcher)
      .Default(CompilerKind::None);
}

bool cudaopt::isCompilerName(StringRef Word) {
  return classify(Word) != CompilerKind::None;
}

bool cudaopt::isNvcc(StringRef Word) {
  return classify(Word) == CompilerKind::Nvcc ||
         sys::path::filename(Word) == "cuda-opt-nvcc";
}

bool cudaopt::isCacheName(StringRef Word) {
  return classify(Word) == CompilerKind::Launcher;
}

size_t cudaopt::countLaunchWords(ArrayRef<std::string> Words) {
  size_t Compiler = 0;
  while (Compiler < Words.size()) {
    if (sys::path::filename(Words[Compiler]) == "cuda-opt") {
      // The options of cuda-opt precede the compiler's name.
      const size_t Next =
          find_if(Words.drop_front(Compiler), isCompilerName) - Words.begin();
      if (Next == Words.size())
        break;
      Compiler = Next;
    } else if (classify(Words[Compiler]) == CompilerKind::Launcher) {
      ++Compiler;
    } else {
      break;
    }
  }
  return std::min(Compiler, Words.size() - !Words.empty());
}

static bool isCudaSource(const NvccCommand &Command) {
  if (!Command.Language.empty())
    return Command.Language == "cu" || Command.Language == "cuda";
  return sys::path::extension(Command.Inputs.front()) == ".cu";
}

/// Removes the inputs of \p Command that are linked as they are; returns the
/// positions of their words.
static std::vector<size_t> removeObjects(NvccCommand &Command) {
  std::vector<size_t> Removed;
  if (Command.What != NvccCommand::Action::Link || !Command.Language.empty())
    return Removed;
  for (size_t I = Command.Inputs.size(); I-- != 0;) {
    const std::optional<size_t> Position = Command.InputPositions[I];
    const StringRef Extension = sys::path::extension(Command.Inputs[I]);
    if (!Position ||
        !is_contained({".o", ".obj", ".a", ".lib", ".so"}, Extension))
      continue;
    Command.Inputs.erase(Command.Inputs.begin() + I);
    Command.InputPositions.erase(Command.InputPositions.begin() + I);
    Removed.push_back(*Position);
  }
  return Removed;
}

std::vector<std::string> cudaopt::readEnvironmentWords(StringRef Name) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *> Words;
  if (std::optional<std::string> Text = sys::Process::GetEnv(Name))
    cl::TokenizeGNUCommandLine(*Text, Saver, Words);
  return {Words.begin(), Words.end()};
}

/// Returns the absolute folder in which `#include "..."` of \p Source look
/// first.
static std::string findFolder(StringRef Source) {
  SmallString<128> Folder(Source);
  (void)sys::fs::make_absolute(Folder);
  sys::path::remove_filename(Folder);
  return Folder.str().str();
}

static Expected<std::optional<LaunchedCompile>>
readCommand(ArrayRef<std::string> Words, bool IsExpanded);

/// Reads a command whose source is named in an options file. To replace the
/// source, the words of the options file must first become a part of the
/// command.
static Expected<std::optional<LaunchedCompile>>
readExpanded(ArrayRef<std::string> Words, size_t Compiler) {
  Expected<NvccCommand> Written =
      readNvccCommand(Words.drop_front(Compiler + 1));
  if (!Written)
    return Written.takeError();
  std::vector<std::string> Expanded = Words.take_front(Compiler + 1).vec();
  append_range(Expanded, Written->Words);
  Expected<std::optional<LaunchedCompile>> Result =
      readCommand(Expanded, /*IsExpanded=*/true);
  // The options files influence the result, but the compiler no longer sees
  // them.
  if (Result && *Result)
    append_range((*Result)->Command.Files, Written->Files);
  return Result;
}

static Expected<std::optional<LaunchedCompile>>
readCommand(ArrayRef<std::string> Words, bool IsExpanded) {
  size_t Compiler = 0;
  while (Compiler < Words.size() &&
         classify(Words[Compiler]) == CompilerKind::Launcher)
    ++Compiler;
  if (Compiler == Words.size() ||
      classify(Words[Compiler]) == CompilerKind::None)
    return std::nullopt;
  LaunchedCompile Result;
  Result.Words = Words.vec();
  Result.Compiler = Words[Compiler];
  Result.IsNvcc = classify(Words[Compiler]) == CompilerKind::Nvcc;
  std::vector<std::string> Arguments, After;
  if (Result.IsNvcc) {
    Arguments = readEnvironmentWords("NVCC_PREPEND_FLAGS");
    After = readEnvironmentWords("NVCC_APPEND_FLAGS");
  }
  const size_t NumBefore = Arguments.size();
  append_range(Arguments, Words.drop_front(Compiler + 1));
  const size_t NumWritten = Arguments.size();
  append_range(Arguments, After);
  Expected<NvccCommand> Command = readNvccCommand(Arguments);
  if (!Command)
    return Command.takeError();
  std::vector<size_t> Dropped = removeObjects(*Command);
  if (Command->What == NvccCommand::Action::Other ||
      Command->Inputs.size() != 1 || !isCudaSource(*Command))
    return std::nullopt;
  std::optional<size_t> Position = Command->InputPositions.front();
  if (!Position && Words.size() > Compiler + 1 && !IsExpanded)
    return readExpanded(Words, Compiler);
  if (!Position || *Position < NumBefore || *Position >= NumWritten)
    return createStringError("the source is named in NVCC_PREPEND_FLAGS or "
                             "NVCC_APPEND_FLAGS");
  if (StringRef(findFolder(*Command->Inputs.begin())).find_first_of("\"\\$`") !=
      StringRef::npos)
    return createStringError("the folder's name would not survive a shell");
  Result.SourcePosition = Compiler + 1 + *Position - NumBefore;
  Dropped.push_back(*Position);
  for (auto [Number, Word] : enumerate(Arguments))
    if (!is_contained(Dropped, Number))
      Result.Flags.push_back(Word);
  Result.Command = std::move(*Command);
  return Result;
}

Expected<std::optional<LaunchedCompile>>
cudaopt::readLaunchedCompile(ArrayRef<std::string> Words) {
  return readCommand(Words, /*IsExpanded=*/false);
}

std::string LaunchedCompile::productPath() const {
  if (!Command.Output.empty())
    return Command.Output;
  SmallString<128> Path(Command.OutputFolder);
  sys::path::append(Path, sys::path::filename(source()));
  // One build may make two products (.o and .ptx) of a source at the same time.
  sys::path::replace_extension(Path, Command.Product);
  return Path.str().str();
}

std::string LaunchedCompile::rewrittenPath() const {
  SmallString<128> Path(productPath() + ".cuda-opt");
  sys::path::append(Path, sys::path::filename(source()));
  return Path.str().str();
}

std::string LaunchedCompile::cudaPath() const {
  return Command.CudaPath.empty() && IsNvcc ? findToolkitOfNvcc(Compiler)
                                            : Command.CudaPath;
}

std::string cudaopt::findToolkitOfNvcc(StringRef Compiler) {
  ErrorOr<std::string> Program = sys::findProgramByName(Compiler);
  SmallString<128> Path;
  if (!Program || sys::fs::real_path(*Program, Path))
    return "";
  Path = sys::path::parent_path(sys::path::parent_path(Path));
  // A distribution's nvcc may be installed apart from the headers.
  Expected<Toolkit> Found = findToolkit(Path);
  if (Found)
    return Found->Path;
  consumeError(Found.takeError());
  return "";
}

bool LaunchedCompile::hasLocalTemplates() const {
  if (!IsNvcc || is_contained(Command.ClangFlags, "-fgpu-rdc") ||
      is_contained(Command.ClangFlags, "-D__CUDAOPT_WEAK_TEMPLATES__"))
    return false;
  Expected<Toolkit> Cuda = findToolkit(cudaPath());
  if (Cuda)
    return Cuda->Major >= 13;
  consumeError(Cuda.takeError());
  return false;
}

bool LaunchedCompile::writesDependencies() const {
  static constexpr StringLiteral Options[] = {
      "-MD", "-MMD", "--generate-dependencies-with-compile",
      "--generate-nonsystem-dependencies-with-compile"};
  return !Command.DependencyFile.empty() || any_of(Flags, [](StringRef Word) {
    return is_contained(Options, Word);
  });
}

std::vector<std::string> LaunchedCompile::archs() const {
  std::vector<std::string> Result;
  for (const std::string &Arch : Command.Archs)
    if (std::string Name = chooseArch("", Arch); !is_contained(Result, Name))
      Result.push_back(std::move(Name));
  if (Result.empty())
    Result.push_back(chooseArch("", {}));
  return Result;
}

std::vector<std::string> LaunchedCompile::wordsForRewritten() const {
  const std::string Folder = findFolder(source());
  std::vector<std::string> Result = Words;
  Result[SourcePosition] = rewrittenPath();
  auto Behind = Result.begin() + SourcePosition + 1;
  // A single word, because compiler caches do not understand two. It is quoted
  // for nvcc, which splits at commas, and for the shell that nvcc uses.
  if (IsNvcc)
    Result.insert(Behind, "-Xcompiler=-iquote,\"" + Folder + '"');
  else
    Result.insert(Behind, {"-iquote", Folder});
  return Result;
}
