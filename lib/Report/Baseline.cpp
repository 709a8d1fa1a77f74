// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the results of a SARIF log: of each, the file and the fingerprint.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Baseline.h"

#include "clang/Basic/Sarif.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace cudaopt {

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
  // The shell may name the folder by a link to it.
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

/// The file of the first location of \p Result; empty if it has none.
static StringRef findUri(const json::Object &Result) {
  const json::Array *Locations = Result.getArray("locations");
  const json::Object *Location = Locations && !Locations->empty()
                                     ? Locations->front().getAsObject()
                                     : nullptr;
  for (StringRef Member : {"physicalLocation", "artifactLocation"})
    Location = Location ? Location->getObject(Member) : nullptr;
  return Location ? Location->getString("uri").value_or("") : "";
}

Expected<Baseline> Baseline::read(StringRef File) {
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
  Baseline Known;
  for (const json::Value &Run : *Runs) {
    const json::Object *Object = Run.getAsObject();
    const json::Array *Results = Object ? Object->getArray("results") : nullptr;
    if (!Results)
      return malformed("it has a run without results");
    for (const json::Value &Each : *Results) {
      const json::Object *Result = Each.getAsObject();
      const json::Object *Prints =
          Result ? Result->getObject("partialFingerprints") : nullptr;
      // Those of other tools, in a merged log, are not ours.
      if (auto Print =
              Prints ? Prints->getString("cudaOptSite/v1") : std::nullopt)
        Known.Sites.insert(joinSite(findUri(*Result), *Print));
    }
  }
  return std::move(Known);
}

bool Baseline::contains(const Finding &F, const Fingerprints &Names) const {
  const std::string Uri = clang::SarifDocumentWriter::fileNameToURI(F.At.Path);
  return Sites.contains(joinSite(shortenUri(Uri), Names.of(F)));
}

bool Baseline::coversChanges(const FileReport &File) const {
  const Fingerprints Names(File);
  return all_of(listFindings(File), [&](const Finding *F) {
    return F->outcome() != Outcome::Done ||
           F->What == diag::remark_rewrite_verified || contains(*F, Names);
  });
}

} // namespace cudaopt
