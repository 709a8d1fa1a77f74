// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads baselines: of each result in a SARIF log, the file and the
/// fingerprint.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Baseline.h"

#include "clang/Basic/Sarif.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace cudaopt {

static constexpr StringLiteral SarifVersion = "2.1.0";

static std::string nameOf(const Finding &F) {
  return F.Function + "::" + F.Object + "/" + F.id();
}

Fingerprints::Fingerprints(const FileReport &File) {
  for (const Finding *F : listFindings(File))
    Offsets[F->At.Path + "\n" + nameOf(*F)].insert(F->At.Offset);
}

std::string Fingerprints::of(const Finding &F) const {
  const std::string Name = nameOf(F);
  auto Known = Offsets.find(F.At.Path + "\n" + Name);
  if (Known == Offsets.end())
    return Name;
  const auto Before = std::distance(Known->second.begin(),
                                    Known->second.lower_bound(F.At.Offset));
  return Before ? Name + "#" + std::to_string(Before + 1) : Name;
}

StringRef shortenUri(StringRef Uri) {
  SmallString<128> Here, RealHere;
  if (sys::fs::current_path(Here))
    return Uri;
  // The shell may have entered the folder through a link.
  if (sys::fs::real_path(Here, RealHere))
    RealHere = Here;
  for (StringRef Folder : {StringRef(Here), StringRef(RealHere)})
    if (Uri.consume_front(clang::SarifDocumentWriter::fileNameToURI(Folder) +
                          '/'))
      break;
  return Uri;
}

static std::string joinSite(StringRef Uri, StringRef Fingerprint) {
  return (Uri + "\n" + Fingerprint).str();
}

/// Returns the file of the first location of \p Result; an empty string if it
/// has none.
static StringRef findUri(const json::Object &Result) {
  const json::Array *Locations = Result.getArray("locations");
  const json::Object *Location = Locations && !Locations->empty()
                                     ? Locations->front().getAsObject()
                                     : nullptr;
  for (StringRef Member : {"physicalLocation", "artifactLocation"})
    Location = Location ? Location->getObject(Member) : nullptr;
  return Location ? Location->getString("uri").value_or("") : "";
}

/// Returns true if \p Run is one of cuda-opt, and not of another tool in a
/// merged log.
static bool isOwnRun(const json::Object &Run) {
  const json::Object *Tool = Run.getObject("tool");
  const json::Object *Driver = Tool ? Tool->getObject("driver") : nullptr;
  return Driver && Driver->getString("name") == "cuda-opt";
}

Error Baseline::addRun(const json::Object &Run) {
  const json::Array *Results = Run.getArray("results");
  if (!Results)
    return createStringError("it has a run without results");
  for (const json::Value &Each : *Results) {
    const json::Object *Result = Each.getAsObject();
    const json::Object *Prints =
        Result ? Result->getObject("partialFingerprints") : nullptr;
    const auto Print =
        Prints ? Prints->getString(FingerprintKey) : std::nullopt;
    if (!Print)
      return createStringError("a result has no fingerprint '" +
                               FingerprintKey +
                               "', which another version may not have written");
    Sites.insert(joinSite(findUri(*Result), *Print));
  }
  return Error::success();
}

Error Baseline::checkName(StringRef File) {
  if (!sys::fs::is_directory(File))
    return Error::success();
  return createStringError("the baseline '" + File +
                           "' is a folder; name a file");
}

/// Every error says what is wrong with the file, and how to write a new one if
/// that helps.
Expected<Baseline> Baseline::read(StringRef File) {
  if (Error E = checkName(File))
    return std::move(E);
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return createStringError("cannot read the baseline '" + File +
                             "': " + Buffer.getError().message() +
                             "; --write-baseline=" + File + " writes it");
  const auto malformed = [&](const Twine &Why) {
    return createStringError("'" + File + "' is no baseline: " + Why);
  };
  Expected<json::Value> Log = json::parse((*Buffer)->getBuffer());
  if (!Log)
    return malformed(toString(Log.takeError()));
  const json::Object *Document = Log->getAsObject();
  const json::Array *Runs = Document ? Document->getArray("runs") : nullptr;
  if (!Runs)
    return malformed("it is no SARIF log");
  if (const StringRef Version = Document->getString("version").value_or("");
      Version != SarifVersion)
    return malformed("it is of version '" + Version + "' of SARIF, not '" +
                     SarifVersion + "'");
  Baseline Known;
  bool HasRun = false;
  for (const json::Value &Run : *Runs) {
    const json::Object *Object = Run.getAsObject();
    if (!Object || !isOwnRun(*Object))
      continue;
    HasRun = true;
    if (Error E = Known.addRun(*Object))
      return malformed(toString(std::move(E)) + "; --write-baseline=" + File +
                       " writes it anew");
  }
  if (!HasRun)
    return malformed("none of its runs is one of cuda-opt");
  return std::move(Known);
}

bool Baseline::contains(const Finding &F, const Fingerprints &Names) const {
  const std::string Uri = clang::SarifDocumentWriter::fileNameToURI(F.At.Path);
  return Sites.contains(joinSite(shortenUri(Uri), Names.of(F)));
}

/// Verifications are left out: they accompany a change and have no place of
/// their own.
bool Baseline::coversChanges(const FileReport &File) const {
  const Fingerprints Names(File);
  return all_of(listFindings(File), [&](const Finding *F) {
    return F->outcome() != Outcome::Done ||
           F->What == diag::remark_rewrite_verified || contains(*F, Names);
  });
}

} // namespace cudaopt
