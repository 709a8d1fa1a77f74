// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads decisions from reports, and sums up runs.
//===----------------------------------------------------------------------===//

#include "ProgramVariant.h"

#include "cudaopt/Passes/KernelChoices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudaopt;
using namespace llvm;

/// Returns the decisions about one kernel of a report.
static std::string describe(const json::Object &Kernel) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (const json::Array *Arrays = Kernel.getArray("arrays"))
    for (const json::Value &Each : *Arrays)
      if (const json::Object *Array = Each.getAsObject())
        if (const json::Object *Layout = Array->getObject("layout"))
          OS << Array->getString("name").value_or("") << ": "
             << Layout->getString("after").value_or("") << "; ";
  if (const json::Object *Storage = Kernel.getObject("storage"))
    for (StringRef Key : {"objects", "private", "trimmed", "dynamic_bytes"})
      if (const json::Value *Value = Storage->get(Key))
        OS << Key << ": " << *Value << "; ";
  return Text;
}

namespace {

/// The texts for each name. A source that is compiled twice has two reports,
/// and kernels of one name, in several files, are tuned together.
struct DecisionTexts {
  std::map<std::string, std::set<std::string>> OfKernels;
  std::set<std::string> Functions;
};

} // namespace

/// Adds the decisions of one report to \p To.
static Error addReport(const json::Value &Report, DecisionTexts &To) {
  const json::Object *Root = Report.getAsObject();
  const json::Array *Files = Root ? Root->getArray("files") : nullptr;
  if (!Files)
    return createStringError("a report has no files");
  for (const json::Value &File : *Files) {
    const json::Object *Object = File.getAsObject();
    const json::Array *Kernels = Object ? Object->getArray("kernels") : nullptr;
    if (!Kernels)
      return createStringError("a report has no kernels");
    for (const json::Value &Each : *Kernels) {
      const json::Object *Kernel = Each.getAsObject();
      if (!Kernel)
        return createStringError("a report has a malformed kernel");
      const std::string Name =
          dropUnnamedNamespaces(Kernel->getString("name").value_or(""));
      if (Kernel->getString("kind") == "kernel")
        To.OfKernels[Name].insert(describe(*Kernel));
      else
        To.Functions.insert(Name);
    }
  }
  return Error::success();
}

Expected<ProgramDecisions> cudaopt::readDecisions(StringRef Folder) {
  DecisionTexts Texts;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; I != End && !EC;
       I.increment(EC)) {
    auto Buffer = MemoryBuffer::getFile(I->path());
    if (!Buffer)
      return createFileError(I->path(), Buffer.getError());
    Expected<json::Value> Report = json::parse((*Buffer)->getBuffer());
    if (!Report)
      return createFileError(I->path(), Report.takeError());
    if (Error E = addReport(*Report, Texts))
      return createFileError(I->path(), std::move(E));
  }
  ProgramDecisions Result;
  Result.Functions = std::move(Texts.Functions);
  for (const auto &[Kernel, Each] : Texts.OfKernels)
    Result.Kernels[Kernel] = join(Each.begin(), Each.end(), "\n");
  return Result;
}

Sample Sample::of(std::vector<double> Values) {
  Sample Result;
  if (Values.empty())
    return Result;
  llvm::sort(Values);
  auto at = [&](double Part) { // Between two values if need be.
    const double Place = Part * double(Values.size() - 1);
    const size_t Below = size_t(Place);
    const size_t Above = std::min(Below + 1, Values.size() - 1);
    return Values[Below] +
           (Place - double(Below)) * (Values[Above] - Values[Below]);
  };
  Result.Median = at(0.5);
  if (Result.Median > 0)
    Result.Spread = (at(0.75) - at(0.25)) / 2 / Result.Median;
  return Result;
}

StringRef ProgramVariant::decisionOn(StringRef Kernel) const {
  const auto Found = Decisions.Kernels.find(Kernel.str());
  return Found == Decisions.Kernels.end() ? StringRef()
                                          : StringRef(Found->second);
}

Sample cudaopt::timesOf(ArrayRef<ProgramVariant> Variants,
                        const ProgramVariant &Like, StringRef Kernel) {
  std::vector<double> Times;
  for (const ProgramVariant &Each : Variants) {
    if (Each.decisionOn(Kernel) != Like.decisionOn(Kernel))
      continue;
    for (const ProgramRun &Run : Each.Runs)
      if (const auto Found = Run.Kernels.find(Kernel.str());
          Found != Run.Kernels.end() && Found->second.Launches != 0)
        Times.push_back(Found->second.Seconds / double(Found->second.Launches));
  }
  return Sample::of(std::move(Times));
}

Sample cudaopt::timesOf(const ProgramVariant &Variant) {
  std::vector<double> Times;
  for (const ProgramRun &Run : Variant.Runs)
    Times.push_back(Run.seconds());
  return Sample::of(std::move(Times));
}

Sample cudaopt::energiesOf(const ProgramVariant &Variant) {
  std::vector<double> Energies;
  for (const ProgramRun &Run : Variant.Runs)
    if (Run.Joules)
      Energies.push_back(*Run.Joules);
  return Sample::of(std::move(Energies));
}
