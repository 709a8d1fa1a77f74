// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes and uses the precompiled prelude. It is built without the user's
/// header folders, which change from source to source, and can be used by every
/// source whose folders contain no header of a name that the image includes:
/// such a header would have been found instead.
//===----------------------------------------------------------------------===//

#include "PreludeImage.h"
#include "Cache/RecordingFileSystem.h"
#include "Launcher/ClockWatch.h"
#include "NvccParse.h"
#include "Pipeline/PipelineRun.h"
#include "cudaopt/Driver/Cache/ResultCache.h"
#include "cudaopt/Driver/Parse/Prelude.h"
#include "cudaopt/IR/OwnDeclarations.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace cudaopt;
using namespace llvm;
using clang::CompilerInvocation;

static constexpr StringLiteral ImagePath = "/cuda-opt/prelude.pch";

/// The indices of the words in a cache entry.
enum { ImageWord, NamesWord };

namespace {

/// Records the names by which headers are asked for.
class NameRecorder : public clang::PPCallbacks {
public:
  explicit NameRecorder(StringSet<> &Names) : Names(Names) {}
  void InclusionDirective(clang::SourceLocation, const clang::Token &,
                          StringRef Spelled, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef, StringRef, StringRef,
                          const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    Names.insert(Spelled);
  }
  void HasInclude(clang::SourceLocation, StringRef Spelled, bool,
                  clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    Names.insert(Spelled);
  }

private:
  StringSet<> &Names;
};

/// Writes the image without the function bodies that the pipeline skips, too.
class ImageWriter : public clang::PCHGenerator {
public:
  ImageWriter(clang::CompilerInstance &CI,
              std::shared_ptr<clang::PCHBuffer> Image)
      : PCHGenerator(CI.getPreprocessor(), CI.getModuleCache(), ImagePath,
                     /*isysroot=*/"", std::move(Image), CI.getCodeGenOpts(),
                     /*Extensions=*/{}) {}
  bool shouldSkipFunctionBody(clang::Decl *D) override { return isOfSystem(D); }
};

class ImageAction : public clang::ASTFrontendAction {
public:
  ImageAction(StringSet<> &Names, FileFacts &Seen) : Names(Names), Seen(Seen) {}

  const std::shared_ptr<clang::PCHBuffer> Image =
      std::make_shared<clang::PCHBuffer>();

private:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    CI.getPreprocessor().addPPCallbacks(std::make_unique<NameRecorder>(Names));
    CI.getPreprocessor().addPPCallbacks(std::make_unique<ClockWatch>(Seen));
    return std::make_unique<ImageWriter>(CI, Image);
  }
  clang::TranslationUnitKind getTranslationUnitKind() override {
    return clang::TU_Prefix;
  }
  bool hasASTFileSupport() const override { return false; }

  StringSet<> &Names;
  FileFacts &Seen;
};

} // namespace

/// Returns true for folders that the user names by -I or -iquote.
static bool isOfUser(const clang::HeaderSearchOptions::Entry &Folder) {
  return Folder.Group == clang::frontend::Quoted ||
         Folder.Group == clang::frontend::Angled;
}

/// Returns the invocation that parses the image with which \p Parse may begin;
/// null if no image can be used.
static std::shared_ptr<CompilerInvocation>
planImage(const CompilerInvocation &Parse) {
  const size_t NumIncludes = countCommonIncludes(Parse);
  if (!NumIncludes || !Parse.getPreprocessorOpts().ImplicitPCHInclude.empty() ||
      !Parse.getPreprocessorOpts().RemappedFiles.empty() ||
      !Parse.getHeaderSearchOpts().VFSOverlayFiles.empty())
    return nullptr;
  auto Plan = std::make_shared<CompilerInvocation>(Parse);
  Plan->getPreprocessorOpts().Includes.resize(NumIncludes);
  Plan->getPreprocessorOpts().MacroIncludes.clear();
  erase_if(Plan->getHeaderSearchOpts().UserEntries, isOfUser);
  Plan->getDependencyOutputOpts() = {};
  Plan->getDiagnosticOpts() = {};
  Plan->getDiagnosticOpts().IgnoreWarnings = true;
  // With carets, clang also prints a count of errors.
  Plan->getDiagnosticOpts().ShowCarets = false;
  Plan->getLangOpts().CUID.clear();
  clang::CodeGenOptions &Code = Plan->getCodeGenOpts();
  for (std::string *Name : {&Code.MainFileName, &Code.DebugCompilationDir,
                            &Code.CoverageCompilationDir, &Code.DwarfDebugFlags,
                            &Code.RecordCommandLine})
    Name->clear();
  Code.OptimizationRemark = Code.OptimizationRemarkMissed =
      Code.OptimizationRemarkAnalysis = {};
  const clang::FrontendOptions &Given = Parse.getFrontendOpts();
  clang::FrontendOptions &Front = Plan->getFrontendOpts();
  Front = {};
  Front.AuxTriple = Given.AuxTriple;
  Front.AuxTargetCPU = Given.AuxTargetCPU;
  Front.AuxTargetFeatures = Given.AuxTargetFeatures;
  Front.ProgramAction = clang::frontend::GeneratePCH;
  Front.SkipFunctionBodies = true;
  return Plan;
}

/// Returns the cache key: everything that decides the contents of an image
/// except the files from which it is made.
static std::vector<std::string> ask(const CompilerInvocation &Plan,
                                    vfs::FileSystem &FS) {
  std::vector<std::string> Words = {"image 2", clang::getClangFullVersion(),
                                    getPreludeText().str(),
                                    getTextureText().str()};
  append_range(Words, Plan.getCC1CommandLine());
  // Relative names of system folders depend on the working directory.
  if (any_of(Plan.getHeaderSearchOpts().UserEntries, [](const auto &Folder) {
        return sys::path::is_relative(Folder.Path);
      }))
    Words.push_back(FS.getCurrentWorkingDirectory().get());
  return Words;
}

/// Parses the headers and stores the image; an image that cannot be made is
/// stored as empty, so that nobody tries again. The facts are recorded apart
/// from those of the source at hand, which do not concern other sources.
static void makeImage(std::shared_ptr<CompilerInvocation> Plan,
                      StringRef Folder,
                      std::shared_ptr<clang::PCHContainerOperations> PCHs,
                      const ResultCache &Cache) {
  const clang::HeaderSearchOptions &Search = Plan->getHeaderSearchOpts();
  auto Disk = makeIntrusiveRefCnt<RecordingFileSystem>(
      IntrusiveRefCntPtr<vfs::FileSystem>(vfs::createPhysicalFileSystem()),
      listSystemFolders(findToolkitOf(Search), Search.ResourceDir));
  auto FS = createParseFiles(Disk, Reordering(), Search.ResourceDir);
  (void)FS->setCurrentWorkingDirectory(Folder);
  Plan->getFrontendOpts().Inputs.emplace_back(
      MemoryBufferRef("", "prelude"), clang::InputKind(clang::Language::CUDA));
  auto Files = makeIntrusiveRefCnt<clang::FileManager>(
      Plan->getFileSystemOpts(), std::move(FS));
  clang::DiagnosticConsumer Errors; // Counts them.
  StringSet<> Names;
  FileFacts Seen;
  ImageAction Action(Names, Seen);
  clang::CompilerInstance CI(std::move(Plan), std::move(PCHs));
  CI.setVirtualFileSystem(Files->getVirtualFileSystemPtr());
  CI.setFileManager(Files);
  CI.createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
  CI.createSourceManager();
  StringRef Image;
  if (CI.ExecuteAction(Action) && !Errors.getNumErrors() &&
      Action.Image->IsComplete)
    Image = StringRef(Action.Image->Data.data(), Action.Image->Data.size());
  SmallVector<StringRef> Sorted(Names.keys());
  Seen.add(Disk->facts());
  Cache.rememberEntry({Image, join(Sorted, "\n")}, Seen);
}

/// Returns true if a folder of the user contains a header with one of \p Names.
/// A system folder that the user also names by -I remains a system folder for
/// clang.
static bool hidesHeaders(const CompilerInvocation &Parse, StringRef Names,
                         vfs::FileSystem &FS) {
  const auto &Folders = Parse.getHeaderSearchOpts().UserEntries;
  StringSet<> OfSystem;
  auto RealPath = [&](StringRef Folder) {
    SmallString<128> Real;
    return FS.getRealPath(Folder, Real) ? Folder.str() : Real.str().str();
  };
  for (const auto &Folder : Folders)
    if (!isOfUser(Folder))
      OfSystem.insert(RealPath(Folder.Path));
  return any_of(Folders, [&](const auto &Folder) {
    if (!isOfUser(Folder) || (Folder.Group == clang::frontend::Angled &&
                              OfSystem.contains(RealPath(Folder.Path))))
      return false;
    return any_of(split(Names, '\n'), [&](StringRef Name) {
      SmallString<128> Path(Folder.Path);
      sys::path::append(Path, Name);
      return FS.exists(Path);
    });
  });
}

/// Looks the image up, makes it if there is none, and lets the parse begin with
/// it by an implicit PCH include.
FileFacts cudaopt::beginWithPreludeImage(
    CompilerInvocation &Parse, clang::FileManager &Files,
    std::shared_ptr<clang::PCHContainerOperations> PCHs) {
  std::shared_ptr<CompilerInvocation> Plan = planImage(Parse);
  if (!Plan)
    return {};
  vfs::FileSystem &FS = Files.getVirtualFileSystem();
  const ResultCache Cache(ask(*Plan, FS));
  if (!Cache.isOpen())
    return {};
  std::optional<CacheEntry> Entry = Cache.findEntry();
  if (!Entry) {
    makeImage(std::move(Plan), FS.getCurrentWorkingDirectory().get(),
              std::move(PCHs), Cache);
    Entry = Cache.findEntry();
  }
  if (!Entry || Entry->Words[ImageWord].empty() ||
      hidesHeaders(Parse, Entry->Words[NamesWord], FS))
    return {};
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(ImagePath, 0,
                  MemoryBuffer::getMemBufferCopy(Entry->Words[ImageWord]));
  cast<vfs::OverlayFileSystem>(FS).pushOverlay(std::move(Memory));
  clang::PreprocessorOptions &Options = Parse.getPreprocessorOpts();
  Options.ImplicitPCHInclude = ImagePath;
  // The cache has validated the files; and clang would reject an image because
  // the user's folders differ.
  Options.DisablePCHOrModuleValidation =
      clang::DisableValidationForModuleKind::PCH;
  return std::move(Entry->Seen);
}
