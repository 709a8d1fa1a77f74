// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Findings as SARIF 2.1.0, by clang's writer. What that has no words for is
/// added to the document: kinds, fixes, help, and paths from where the tool
/// ran.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Writers.h"
#include "cudaopt/Support/Advice.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/Sarif.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace cudaopt {

namespace {

/// The files as they were, whatever became of them since.
class OldTexts {
public:
  explicit OldTexts(ArrayRef<FileReport> Reports)
      : Memory(makeIntrusiveRefCnt<vfs::InMemoryFileSystem>()),
        Engine(clang::DiagnosticIDs::create(), Options,
               new clang::IgnoringDiagConsumer()),
        Files(clang::FileSystemOptions(), overlay(Reports)),
        Sources(Engine, Files) {}

  const clang::SourceManager &sources() const { return Sources; }
  /// The token at \p P; nothing if the file cannot be read any more.
  std::optional<clang::CharSourceRange> findToken(const Place &P);

private:
  IntrusiveRefCntPtr<vfs::FileSystem> overlay(ArrayRef<FileReport> Reports);

  IntrusiveRefCntPtr<vfs::InMemoryFileSystem> Memory;
  clang::DiagnosticOptions Options;
  clang::DiagnosticsEngine Engine;
  clang::FileManager Files;
  clang::SourceManager Sources;
};

/// Makes the log of one run.
class SarifLog {
public:
  explicit SarifLog(ArrayRef<FileReport> Files)
      : Texts(Files), Writer(Texts.sources()) {}

  void add(const FileReport &File);
  json::Object finish();
  void begin();

private:
  void add(const Finding &F, const FileReport &File, const Fix *Edits);
  size_t findRule(const Finding &F);

  OldTexts Texts;
  clang::SarifDocumentWriter Writer;
  StringMap<size_t> Rules;           ///< By identifier.
  std::vector<std::string> Help;     ///< By rule.
  std::vector<json::Object> Details; ///< By result: what the writer lacks.
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
OldTexts::overlay(ArrayRef<FileReport> Reports) {
  for (const FileReport &Report : Reports)
    for (const ChangedText &Change : Report.Changes)
      Memory->addFile(Change.Path, 0,
                      MemoryBuffer::getMemBuffer(Change.Before));
  auto All =
      makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  All->pushOverlay(Memory);
  return All;
}

std::optional<clang::CharSourceRange> OldTexts::findToken(const Place &P) {
  clang::OptionalFileEntryRef File = Files.getOptionalFileRef(P.Path);
  if (!File)
    return std::nullopt;
  const clang::FileID Id =
      Sources.getOrCreateFileID(*File, clang::SrcMgr::C_User);
  if (P.Offset >= Sources.getBufferData(Id).size())
    return std::nullopt;
  const clang::SourceLocation Begin =
      Sources.getLocForStartOfFile(Id).getLocWithOffset(P.Offset);
  clang::LangOptions Language;
  Language.CPlusPlus = true;
  const unsigned Length =
      clang::Lexer::MeasureTokenLength(Begin, Sources, Language);
  return clang::CharSourceRange::getCharRange(
      Begin, Begin.getLocWithOffset(std::max(Length, 1u)));
}

/// What a rule is about, without what differs from one result to the next.
static std::string describeRule(const Finding &F) {
  if (F.Why != Reason::None)
    return (F.Pass == "levelize" ? "A loop stays sequential: "
                                 : "Shared memory is kept as it is: ") +
           getReasonText(F.Why, "...");
  Finding Blank = F;
  for (Finding::Argument &Each : Blank.Arguments)
    Each.Value = "...";
  return Blank.message();
}

size_t SarifLog::findRule(const Finding &F) {
  const auto [Known, IsNew] = Rules.try_emplace(F.id(), 0);
  if (!IsNew)
    return Known->second;
  Help.push_back(getAdvice(F.id()).Text.str());
  Known->second = Writer.createRule(
      clang::SarifRule::create()
          .setRuleId(F.id())
          .setName("cuda-opt-" + F.Pass)
          .setDescription(describeRule(F))
          .setDefaultConfiguration(
              clang::SarifReportingConfiguration::create().setLevel(
                  clang::SarifResultLevel::Note)));
  return Known->second;
}

/// The kind of result, and its level, which is none unless the kind is "fail".
static std::pair<StringRef, clang::SarifResultLevel>
classify(const Finding &F) {
  using Level = clang::SarifResultLevel;
  switch (F.outcome()) {
  case Outcome::Done:
  case Outcome::Fact:
    return {"informational", Level::None};
  case Outcome::Proposed:
    return {"review", Level::None};
  case Outcome::Missed:
    break;
  }
  switch (F.Why) {
  case Reason::OriginalBroken:
    return {"fail", Level::Warning};
  case Reason::MachineDifferent:
    return {"fail", Level::Error};
  case Reason::NoConflict:
  case Reason::AllAlive:
  case Reason::FewVariables:
    return {"pass", Level::None};
  default:
    return {"review", Level::None};
  }
}

/// Line and column of \p Offset, from 1; columns are code points.
static std::pair<unsigned, unsigned> findLine(StringRef Text, size_t Offset) {
  const StringRef Before = Text.take_front(Offset);
  const size_t LineBegin = Before.rfind('\n') + 1; // npos + 1 is 0.
  unsigned Column = 1;
  for (char C : Before.drop_front(LineBegin))
    Column += (C & 0xc0) != 0x80;
  return {unsigned(Before.count('\n') + 1), Column};
}

static json::Object makeReplacement(StringRef Text, const Edit &E) {
  const auto [BeginLine, BeginColumn] = findLine(Text, E.Offset);
  const auto [EndLine, EndColumn] = findLine(Text, E.Offset + E.Length);
  return json::Object{
      {"deletedRegion", json::Object{{"startLine", BeginLine},
                                     {"startColumn", BeginColumn},
                                     {"endLine", EndLine},
                                     {"endColumn", EndColumn}}},
      {"insertedContent", json::Object{{"text", json::fixUTF8(E.Text)}}}};
}

static json::Array makeFixes(const Fix &Edits, const FileReport &File) {
  std::map<std::string, json::Array> ByFile;
  for (const auto &[Index, E] : Edits.Edits) {
    const ChangedText &Change = File.Changes[Index];
    ByFile[Change.Path].push_back(makeReplacement(Change.Before, E));
  }
  json::Array Changes;
  for (auto &[Path, Replacements] : ByFile)
    Changes.push_back(json::Object{
        {"artifactLocation",
         json::Object{
             {"uri", clang::SarifDocumentWriter::fileNameToURI(Path)}}},
        {"replacements", std::move(Replacements)}});
  return json::Array{json::Object{
      {"description",
       json::Object{{"text", "Rewrite '" + Edits.Of->Function + "'" +
                                 (Edits.Of->Edits.empty()
                                      ? ""
                                      : ", only '" + Edits.Of->Object + "'")}}},
      {"artifactChanges", std::move(Changes)}}};
}

void SarifLog::add(const Finding &F, const FileReport &File, const Fix *Edits) {
  const std::string Id = F.id();
  const auto [Kind, Level] = classify(F);
  auto Result = clang::SarifResult::create(findRule(F))
                    .setRuleId(Id)
                    .setDiagnosticMessage(F.message())
                    .setDiagnosticLevel(Level);
  if (std::optional<clang::CharSourceRange> Range = Texts.findToken(F.At))
    Result = Result.addLocations(*Range);
  Writer.appendResult(Result);
  json::Object &More = Details.emplace_back(json::Object{{"kind", Kind}});
  More["partialFingerprints"] =
      json::Object{{"cudaOptSite/v1", F.Function + "::" + F.Object + "/" + Id}};
  if (Edits)
    More["fixes"] = makeFixes(*Edits, File);
}

void SarifLog::add(const FileReport &File) {
  const std::vector<Fix> Fixes = listFixes(File);
  for (const Finding *F : listFindings(File)) {
    if (F->outcome() == Outcome::Fact)
      continue;
    auto Found = find_if(Fixes, [&](const Fix &Each) { return Each.Of == F; });
    add(*F, File, Found == Fixes.end() ? nullptr : &*Found);
  }
}

/// Names files under \p Folder from there on.
static void relocate(json::Value &V, StringRef Folder) {
  if (json::Array *List = V.getAsArray())
    for (json::Value &Each : *List)
      relocate(Each, Folder);
  json::Object *O = V.getAsObject();
  if (!O)
    return;
  for (auto &[Name, Each] : *O)
    if (Name != "originalUriBaseIds")
      relocate(Each, Folder);
  if (std::optional<StringRef> Uri = O->getString("uri"))
    if (Uri->starts_with(Folder)) {
      (*O)["uri"] = Uri->drop_front(Folder.size()).str();
      (*O)["uriBaseId"] = "SRCROOT";
    }
}

void SarifLog::begin() {
  Writer.createRun("cuda-opt", "cuda-opt", CUDAOPT_VERSION);
}

json::Object SarifLog::finish() {
  json::Object Document = Writer.createDocument();
  json::Object &Run = *(*Document.getArray("runs"))[0].getAsObject();
  json::Object &Driver = *Run.getObject("tool")->getObject("driver");
  Driver.erase("informationUri"); // Clang's own.
  for (auto [Rule, Text] : zip(*Driver.getArray("rules"), Help))
    if (!Text.empty())
      (*Rule.getAsObject())["help"] = json::Object{{"text", Text}};
  for (auto [Result, More] : zip(*Run.getArray("results"), Details))
    for (auto &[Name, V] : More)
      (*Result.getAsObject())[Name] = V;
  SmallString<128> Here;
  if (sys::fs::current_path(Here))
    return Document;
  const std::string Folder =
      clang::SarifDocumentWriter::fileNameToURI(Here) + '/';
  Run["originalUriBaseIds"] =
      json::Object{{"SRCROOT", json::Object{{"uri", Folder}}}};
  for (auto &[Name, V] : Document)
    if (Name == "runs")
      relocate(V, Folder);
  return Document;
}

void writeSarif(ArrayRef<FileReport> Files, raw_ostream &OS) {
  SarifLog Log(Files);
  Log.begin();
  for (const FileReport &File : Files)
    Log.add(File);
  OS << formatv("{0:2}\n", json::Value(Log.finish()));
}

} // namespace cudaopt
