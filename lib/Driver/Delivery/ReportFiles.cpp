// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Interprets the options for reports, and writes them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Delivery/ReportFiles.h"

#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Report/Baseline.h"
#include "cudaopt/Report/Writers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <set>

using namespace cudaopt;
using namespace llvm;

using Format = ReportRequest::Format;

static std::optional<Format> parseFormat(StringRef Name) {
  return StringSwitch<std::optional<Format>>(Name)
      .Case("html", Format::Html)
      .Case("json", Format::Json)
      .Case("sarif", Format::Sarif)
      .Case("sarif-all", Format::SarifAll)
      .Default(std::nullopt);
}

/// Returns the optimization record that is asked for; std::nullopt if none is.
static Expected<std::optional<ReportRequest>> findRecord(const Options &Opts) {
  if (Opts.RecordFormat.empty() && Opts.RecordFile.empty())
    return std::nullopt;
  ReportRequest Record;
  StringRef Name = Opts.RecordFormat;
  if (Name.empty())
    Name = "yaml";
  if (Name != "yaml" && Name != "bitstream")
    return createStringError("unknown format in --save-optimization-record=" +
                             Name + " (known: yaml, bitstream)");
  Record.What = Name == "yaml" ? Format::YamlRecord : Format::BitstreamRecord;
  Record.File = Opts.RecordFile.empty() ? ("cuda-opt.opt." + Name).str()
                                        : Opts.RecordFile;
  return Record;
}

Expected<std::vector<ReportRequest>> cudaopt::listReports(const Options &Opts) {
  std::vector<ReportRequest> Requests;
  for (StringRef Spec : Opts.Reports) {
    const auto [Name, File] = Spec.split(':');
    const std::optional<Format> What = parseFormat(Name);
    if (!What || File.empty())
      return createStringError("malformed --report=" + Spec +
                               ": give html:FILE, json:FILE, sarif:FILE or "
                               "sarif-all:FILE");
    Requests.push_back({*What, File.str()});
  }
  // In a folder, each run would write a file of another name, and --baseline
  // would read none of them.
  if (Error E = Baseline::checkName(Opts.WriteBaseline))
    return std::move(E);
  if (!Opts.WriteBaseline.empty())
    Requests.push_back({Format::SarifAll, Opts.WriteBaseline});
  if (!Opts.ExportFixes.empty())
    Requests.push_back({Format::Fixes, Opts.ExportFixes});
  Expected<std::optional<ReportRequest>> Record = findRecord(Opts);
  if (!Record)
    return Record.takeError();
  if (*Record)
    Requests.push_back(std::move(**Record));
  std::set<StringRef> Files;
  for (const ReportRequest &Each : Requests)
    if (!sys::fs::is_directory(Each.File) && !Files.insert(Each.File).second)
      return createStringError("two reports go to '" + Each.File + "'");
  // The next run would report again everything that this one leaves out.
  if (!Opts.Baseline.empty() && Files.contains(Opts.Baseline) &&
      Opts.WriteBaseline != Opts.Baseline)
    return createStringError(
        "a report would replace the baseline '" + Opts.Baseline +
        "'; --write-baseline=" + Opts.Baseline + " renews it");
  return Requests;
}

bool cudaopt::writesToStandardOutput(const Options &Opts) {
  Expected<std::vector<ReportRequest>> Requests = listReports(Opts);
  if (!Requests) {
    consumeError(Requests.takeError()); // validate() has told the user.
    return false;
  }
  return any_of(*Requests,
                [](const ReportRequest &Each) { return Each.File == "-"; });
}

/// Standard output has room for one product: a report, a diff, a stage, or the
/// source, which goes there unless something else is asked for.
Error cudaopt::checkStandardOutput(const Options &Opts, bool IsLaunch) {
  if (!writesToStandardOutput(Opts))
    return Error::success();
  if (IsLaunch)
    return createStringError(
        "a launched compiler has standard output: give a report a file");
  if (Opts.Diff || !Opts.Print.empty())
    return createStringError("a report on standard output and " +
                             StringRef(Opts.Diff ? "--diff" : "--print") +
                             " exclude each other");
  if (listDeliveries(Opts).empty())
    return createStringError("a report and the source both go to standard "
                             "output; give -o, -i, --output-dir or --check");
  return Error::success();
}

static Error print(Format What, ArrayRef<FileReport> Files,
                   const Baseline *Known, raw_ostream &OS) {
  switch (What) {
  case Format::Json:
    OS << formatv("{0:2}\n", toJSON(Files));
    return Error::success();
  case Format::Html:
    writeHtml(Files, OS);
    return Error::success();
  case Format::Sarif:
    writeSarif(Files, SarifScope::ToActOn, Known, OS);
    return Error::success();
  case Format::SarifAll:
    writeSarif(Files, SarifScope::All, Known, OS);
    return Error::success();
  case Format::Fixes:
    writeFixes(Files, OS);
    return Error::success();
  case Format::YamlRecord:
    return writeRecord(Files, remarks::Format::YAML, OS);
  case Format::BitstreamRecord:
    return writeRecord(Files, remarks::Format::Bitstream, OS);
  }
  llvm_unreachable("unknown format");
}

static StringRef getExtension(Format What) {
  switch (What) {
  case Format::Json:
    return ".json";
  case Format::Html:
    return ".html";
  case Format::Sarif:
  case Format::SarifAll:
    return ".sarif";
  case Format::Fixes:
    return ".yaml";
  case Format::YamlRecord:
    return ".opt.yaml";
  case Format::BitstreamRecord:
    return ".opt.bitstream";
  }
  llvm_unreachable("unknown format");
}

/// Returns the file for \p Request. "%p" in its name is the number of this
/// process, so that processes of one build do not meet. If it names a folder,
/// each run gets a file there that is named for its first source: "src/a.cu"
/// gives "src-a.cu.html".
static std::string findFile(const ReportRequest &Request,
                            ArrayRef<FileReport> Files) {
  const StringRef Last = sys::path::filename(Request.File);
  if (const auto [Begin, End] = Last.split("%p"); Begin.size() != Last.size())
    return (StringRef(Request.File).drop_back(Last.size()) + Begin +
            Twine(sys::Process::getProcessId()) + End)
        .str();
  if (Files.empty() || !sys::fs::is_directory(Request.File))
    return Request.File;
  StringRef Source = Files.front().File;
  std::string Name = Source.ltrim("./").str();
  replace(Name, '/', '-');
  SmallString<128> Path(Request.File);
  sys::path::append(Path, Name + getExtension(Request.What));
  return Path.str().str();
}

/// A baseline is written with all findings: leaving out the known ones would
/// lose them for the next run.
Error cudaopt::writeReports(const Options &Opts, ArrayRef<FileReport> Files,
                            const Baseline *Known) {
  Expected<std::vector<ReportRequest>> Requests = listReports(Opts);
  if (!Requests)
    return Requests.takeError();
  Error Failed = Error::success();
  for (const ReportRequest &Each : *Requests) {
    std::string Text;
    raw_string_ostream OS(Text);
    const bool IsBaseline = Each.File == Opts.WriteBaseline;
    Error E = print(Each.What, Files, IsBaseline ? nullptr : Known, OS);
    if (!E && Each.File == "-")
      outs() << Text;
    else if (!E)
      E = writeFile(findFile(Each, Files), Text);
    Failed = joinErrors(std::move(Failed), std::move(E));
  }
  return Failed;
}
