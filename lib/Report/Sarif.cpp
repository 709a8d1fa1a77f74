// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes findings as SARIF 2.1.0 with clang's writer. What that does not
/// support is added to the finished document: kinds, fixes, help texts, and
/// paths relative to the working directory.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Baseline.h"
#include "cudaopt/Report/Writers.h"
#include "cudaopt/Support/Advice.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/Sarif.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace cudaopt {

namespace {

/// A source manager that shows the files as they were before edits in place.
class OldTexts {
public:
  explicit OldTexts(ArrayRef<FileReport> Reports)
      : Memory(makeIntrusiveRefCnt<vfs::InMemoryFileSystem>()),
        Engine(clang::DiagnosticIDs::create(), Options,
               new clang::IgnoringDiagConsumer()),
        Files(clang::FileSystemOptions(), overlay(Reports)),
        Sources(Engine, Files) {}

  const clang::SourceManager &sources() const { return Sources; }
  /// Returns the token at \p P; std::nullopt if the file can no longer be read.
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
  SarifLog(ArrayRef<FileReport> Files, SarifScope Scope, const Baseline *Known)
      : Scope(Scope), Known(Known), Texts(Files), Writer(Texts.sources()) {}

  void add(const FileReport &File);
  json::Object finish();
  void begin();

private:
  void add(const Finding &F, const FileReport &File, const Fix *Edits,
           bool IsToActOn, const std::string &Fingerprint);
  size_t findRule(const Finding &F);

  const SarifScope Scope;
  const Baseline *const Known; ///< May be null.
  OldTexts Texts;
  clang::SarifDocumentWriter Writer;
  StringMap<size_t> Rules; ///< The indices of rules, by identifier.
  /// The results that were written: several sources may read a header.
  StringSet<> Told;
  std::vector<std::string> Help; ///< The help text of each rule.
  /// What the writer lacks, for each result.
  std::vector<json::Object> Details;
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

/// The base that code scanning services use for the sources' folder.
static constexpr StringLiteral SourceRoot = "%SRCROOT%";

/// Returns the description of a rule, with "..." for what differs between
/// results.
static std::string describeRule(const Finding &F) {
  if (F.Why)
    return (F.Pass == "levelize" ? "A loop stays sequential: "
                                 : "Shared memory is kept as it is: ") +
           getReasonText(*F.Why, "...");
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

/// Returns the kind of a result and its level. SARIF allows a level only for
/// the kind "fail".
static std::pair<StringRef, clang::SarifResultLevel>
classify(const Finding &F, bool HasFix, bool IsToActOn) {
  using Level = clang::SarifResultLevel;
  switch (F.outcome()) {
  case Outcome::Done:
    if (HasFix)
      return {"fail", Level::Warning};
    [[fallthrough]];
  case Outcome::Fact:
    return {"informational", Level::None};
  case Outcome::Proposed:
    return {"fail", Level::Note};
  case Outcome::Missed:
    break;
  }
  if (F.Why == Reason::OriginalBroken)
    return {"fail", Level::Warning};
  if (F.Why == Reason::MachineDifferent)
    return {"fail", Level::Error};
  if (F.Why == Reason::NoConflict || F.Why == Reason::AllAlive ||
      F.Why == Reason::FewVariables)
    return {"pass", Level::None};
  if (IsToActOn)
    return {"fail", Level::Note};
  return {"review", Level::None};
}

/// Returns true if the reason is one that the author of the source cannot
/// remove, or has given himself by a mark.
static bool isFinal(Reason Why) {
  switch (Why) {
  case Reason::NoConflict:
  case Reason::NoGain:
  case Reason::UncertainGain:
  case Reason::FewWarps:
  case Reason::NoSpeedup:
  case Reason::RegisterPressure:
  case Reason::TooLarge:
  case Reason::MuchMemory:
  case Reason::LosesOccupancy:
  case Reason::WorseForSomeShape:
  case Reason::CostsResources:
  case Reason::BecomesPrivate:
  case Reason::AskedToKeep:
  case Reason::MarkedOff:
  case Reason::LinesUnchanged:
  case Reason::SystemHeader:
  case Reason::Divided:
    return true;
  default:
    return false;
  }
}

/// Returns true if \p K has an array called \p Array whose counted accesses
/// have bank conflicts.
static bool hasConflict(const KernelReport &K, StringRef Array) {
  constexpr double Threshold = 1 - 1e-9;
  return any_of(K.Arrays, [&](const ArrayReport &A) {
    return A.Name == Array && A.Cost &&
           A.Cost->Bound < A.Cost->Before * Threshold;
  });
}

/// Returns true if the author can act on \p F: apply its edits, mark a loop, or
/// remove the reason that prevents a better layout of an array with conflicts.
static bool isToActOn(const Finding &F, const KernelReport *K, bool HasFix) {
  if (F.outcome() != Outcome::Missed)
    return HasFix || F.outcome() == Outcome::Proposed;
  if (F.What == diag::remark_marked_loop_kept ||
      F.Why == Reason::OriginalBroken || F.Why == Reason::MachineDifferent ||
      F.Why == Reason::TooLargeStatic)
    return true;
  return F.What == diag::remark_layout_kept && (!F.Why || !isFinal(*F.Why)) &&
         K && hasConflict(*K, F.Object);
}

/// Returns line and column of \p Offset, both from 1. Columns count code
/// points, as clang's SARIF writer declares for the whole log.
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

/// Returns the fix that inserts the proposed mark of a loop.
static json::Array makeInsertion(const Finding &F) {
  json::Object Region{{"startLine", F.At.Line},
                      {"startColumn", F.At.Column},
                      {"endLine", F.At.Line},
                      {"endColumn", F.At.Column}};
  json::Object Change{
      {"artifactLocation",
       json::Object{
           {"uri", clang::SarifDocumentWriter::fileNameToURI(F.At.Path)}}},
      {"replacements",
       json::Array{json::Object{
           {"deletedRegion", std::move(Region)},
           {"insertedContent",
            json::Object{{"text", json::fixUTF8(F.Insertion)}}}}}}};
  return json::Array{json::Object{
      {"description",
       json::Object{{"text", "Mark the loop of '" + F.Function + "'"}}},
      {"artifactChanges", json::Array{std::move(Change)}}}};
}

void SarifLog::add(const Finding &F, const FileReport &File, const Fix *Edits,
                   bool IsToActOn, const std::string &Fingerprint) {
  const std::string Id = F.id();
  const std::string Message = F.message();
  if (!Told.insert((F.At.Path + Twine('\n') + Twine(F.At.Offset) + "\n" + Id +
                    "\n" + Message)
                       .str())
           .second)
    return;
  const auto [Kind, Level] = classify(F, Edits != nullptr, IsToActOn);
  auto Result = clang::SarifResult::create(findRule(F))
                    .setRuleId(Id)
                    .setDiagnosticMessage(Message)
                    .setDiagnosticLevel(Level);
  if (std::optional<clang::CharSourceRange> Range = Texts.findToken(F.At))
    Result = Result.addLocations(*Range);
  Writer.appendResult(Result);
  json::Object &More = Details.emplace_back(json::Object{{"kind", Kind}});
  More["partialFingerprints"] = json::Object{{FingerprintKey, Fingerprint}};
  if (Edits)
    More["fixes"] = makeFixes(*Edits, File);
  else if (!F.Insertion.empty())
    More["fixes"] = makeInsertion(F);
}

/// Adds the findings within the scope of the log, except those that the
/// baseline has.
void SarifLog::add(const FileReport &File) {
  const std::vector<Fix> Fixes = listFixes(File);
  const Fingerprints Names(File);
  auto addOne = [&](const Finding &F, const KernelReport *K) {
    auto Found = find_if(Fixes, [&](const Fix &Each) { return Each.Of == &F; });
    const Fix *Own = Found == Fixes.end() ? nullptr : &*Found;
    const bool IsToActOn = isToActOn(F, K, Own != nullptr);
    const bool IsWanted =
        F.outcome() != Outcome::Fact && (IsToActOn || Scope == SarifScope::All);
    if (IsWanted && !(Known && Known->contains(F, Names)))
      add(F, File, Own, IsToActOn, Names.of(F));
  };
  for (const KernelReport &K : File.Kernels)
    for (const Finding &F : K.Findings)
      addOne(F, &K);
  for (const LoopReport &L : File.Loops)
    addOne(L.Decision, nullptr);
}

/// Makes URIs of files below the working directory relative to it.
static void relocate(json::Value &V) {
  if (json::Array *List = V.getAsArray())
    for (json::Value &Each : *List)
      relocate(Each);
  json::Object *O = V.getAsObject();
  if (!O)
    return;
  for (auto &[Name, Each] : *O)
    relocate(Each);
  std::optional<StringRef> Uri = O->getString("uri");
  if (!Uri)
    return;
  const StringRef Short = shortenUri(*Uri);
  if (Short == *Uri)
    return;
  (*O)["uri"] = Short.str();
  (*O)["uriBaseId"] = SourceRoot;
}

void SarifLog::begin() {
  Writer.createRun("cuda-opt", "cuda-opt", CUDAOPT_VERSION);
}

/// Completes the document of clang's writer: results and rules are matched by
/// their order.
json::Object SarifLog::finish() {
  json::Object Document = Writer.createDocument();
  json::Object &Run = *(*Document.getArray("runs"))[0].getAsObject();
  json::Object &Driver = *Run.getObject("tool")->getObject("driver");
  Driver.erase("informationUri"); // This is clang's own.
  for (auto [Rule, Text] : zip(*Driver.getArray("rules"), Help))
    if (!Text.empty())
      (*Rule.getAsObject())["help"] = json::Object{{"text", Text}};
  for (auto [Result, More] : zip(*Run.getArray("results"), Details))
    for (auto &[Name, V] : More)
      (*Result.getAsObject())[Name] = V;
  for (auto &[Name, V] : Document)
    if (Name == "runs")
      relocate(V);
  SmallString<128> Here;
  if (!sys::fs::current_path(Here))
    Run["originalUriBaseIds"] = json::Object{
        {SourceRoot,
         json::Object{
             {"uri", clang::SarifDocumentWriter::fileNameToURI(Here) + '/'}}}};
  return Document;
}

void writeSarif(ArrayRef<FileReport> Files, SarifScope Scope,
                const Baseline *Known, raw_ostream &OS) {
  SarifLog Log(Files, Scope, Known);
  Log.begin();
  for (const FileReport &File : Files)
    Log.add(File);
  OS << formatv("{0:2}\n", json::Value(Log.finish()));
}

} // namespace cudaopt
