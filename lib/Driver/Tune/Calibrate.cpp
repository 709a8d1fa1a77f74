// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the probe of the GPU, and compares what it measures with what is known.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Tune/Calibrate.h"

#include "MeasuringPrograms.h"
#include "TuneConfiguration.h"
#include "cudaopt/Driver/Driver.h"
#include "cudaopt/Driver/Tune/PinnedChoices.h"
#include "cudaopt/Machine/BankMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <sys/wait.h>

using namespace cudaopt;
using namespace llvm;

unsigned MeasuredRequest::predicted() const {
  WarpRequest Request;
  Request.Width = Width;
  Request.ActiveLanes = ~0u;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    Request.Addresses[Lane] = Lane * Stride * 4;
  return countWavefronts(BankMap(), Request);
}

bool MeasuredRequest::isAsPredicted() const {
  return std::abs(Cycles - predicted()) <= 0.1 * predicted();
}

namespace {

/// Reads the lines of the probe.
class RecordReader {
public:
  /// Returns false if \p Line is malformed.
  bool read(StringRef Line);
  Expected<GpuRecord> finish();

private:
  bool readGpu();
  bool readRequest();

  SmallVector<StringRef, 4> Words;
  std::string Head, Rates; ///< The parts of the GPU's text.
  std::vector<MeasuredRequest> Requests;
};

} // namespace

bool RecordReader::readGpu() {
  if (Words.size() != 4)
    return false;
  std::string Name = Words[1].str();
  llvm::replace(Name, ',', ' '); // Which separates the words of a text.
  Head = Name + "," + Words[2].str() + ",sms=" + Words[3].str();
  return true;
}

bool RecordReader::readRequest() {
  MeasuredRequest New;
  if (Words.size() != 4 || Words[1].getAsInteger(10, New.Width) ||
      Words[2].getAsInteger(10, New.Stride) ||
      Words[3].getAsDouble(New.Cycles) ||
      !is_contained({4u, 8u, 16u}, New.Width))
    return false;
  Requests.push_back(New);
  return true;
}

bool RecordReader::read(StringRef Line) {
  Words.clear();
  Line.split(Words, '\t');
  if (Words[0] == "gpu")
    return readGpu();
  if (Words[0] == "request")
    return readRequest();
  if (Words[0] != "rate" || Words.size() != 3)
    return false;
  Rates += ("," + Words[1] + "=" + Words[2]).str();
  return true;
}

Expected<GpuRecord> RecordReader::finish() {
  const auto Speed = parseGpu(Head + Rates + ",measured");
  if (const auto *Problem = std::get_if<std::string>(&Speed))
    return createStringError("the GPU cannot be measured: " + *Problem);
  return GpuRecord{std::get<Gpu>(Speed), std::move(Requests)};
}

Expected<GpuRecord> GpuRecord::parse(StringRef Text) {
  RecordReader Reader;
  for (StringRef Line : split(Text, '\n'))
    if (!Line.empty() && !Reader.read(Line))
      return createStringError("malformed line in the record of the GPU: '" +
                               Line + "'");
  return Reader.finish();
}

static void printHelp() {
  outs() << R"(usage: cuda-opt calibrate [options]

Measures how fast the GPU of this machine is, and writes it into the file
.cuda-opt of this folder, so that times are predicted for this GPU. Takes some
seconds, and needs nvcc.

options:
  --no-pin  do not write .cuda-opt
  --help    print this help
)";
}

/// Prints the rates beside those that are assumed without a measurement.
static void print(const GpuRecord &Record) {
  const Gpu &Now = Record.Speed, &Known = gpuOf(Now.Arch);
  outs() << formatv("{0} ({1}), {2} multiprocessors\n", Now.Name, Now.Arch,
                    Now.Multiprocessors);
  const std::string Other =
      Known.Name + (Known.IsMeasured ? ", measured" : ", data sheet");
  outs() << formatv("  {0,-42}{1,12}  ({2})\n", "", "here", Other);
  auto row = [](StringRef Name, double Here, double There) {
    outs() << formatv("  {0,-42}{1,12:F2}  ({2:F2})\n", Name, Here, There);
  };
  row("clock, MHz", Now.MHz, Known.MHz);
  row("float instructions of warps a cycle", Now.Float, Known.Float);
  row("integer", Now.Integer, Known.Integer);
  row("double", Now.Double, Known.Double);
  row("special functions", Now.Special, Known.Special);
  row("bytes of memory a cycle", Now.MemoryBytes, Known.MemoryBytes);
  row("bytes of the L2 cache a cycle", Now.CacheBytes, Known.CacheBytes);
  const size_t NumRight =
      count_if(Record.Requests, [](const MeasuredRequest &Each) {
        return Each.isAsPredicted();
      });
  outs() << formatv(
      "  {0} of {1} requests to shared memory take the cycles of the model\n",
      NumRight, Record.Requests.size());
  for (const MeasuredRequest &Each : Record.Requests)
    if (!Each.isAsPredicted())
      outs() << formatv("    {0} bytes a lane, stride {1}: {2:F2}, not {3}\n",
                        Each.Width, Each.Stride, Each.Cycles, Each.predicted());
}

/// Compiles and runs the probe in \p Folder.
static Expected<GpuRecord> runProbe(StringRef Folder, ChildRunner &Runner) {
  Expected<std::string> Probe = buildGpuProbe(Folder, Runner);
  if (!Probe)
    return Probe.takeError();
  const std::string Log = (Folder + "/log").str();
  const std::optional<int> Status =
      Runner.run({*Probe}, {Log, /*Seconds=*/0, /*Folder=*/""});
  auto Text = MemoryBuffer::getFile(Log);
  if (!Text)
    return createFileError(Log, Text.getError());
  if (!Status || !WIFEXITED(*Status) || WEXITSTATUS(*Status) != 0)
    return createStringError("the GPU cannot be measured: " +
                             (*Text)->getBuffer().rtrim());
  return GpuRecord::parse((*Text)->getBuffer());
}

static Expected<GpuRecord> measureGpu(ChildRunner &Runner) {
  SmallString<128> Folder;
  if (std::error_code EC =
          sys::fs::createUniqueDirectory("cuda-opt-calibrate", Folder))
    return createStringError("no temporary folder: " + EC.message());
  Expected<GpuRecord> Record = runProbe(Folder, Runner);
  (void)sys::fs::remove_directories(Folder);
  return Record;
}

/// Returns an error if the configuration file cannot take a GPU.
static Error checkConfiguration() {
  Gpu Probe = gpuOf("sm_90");
  Probe.Name = "probe";
  return checkEdit([&](StringRef Text) { return pinGpu(Text, Probe); },
                   [](const Options &Now) {
                     return StringRef(Now.Gpu).starts_with("probe,");
                   });
}

int cudaopt::runCalibrate(ArrayRef<std::string> Words) {
  bool Pins = true;
  for (StringRef Word : Words) {
    if (Word == "--help" || Word == "-h") {
      printHelp();
      return ExitDone;
    }
    if (Word != "--no-pin")
      return reportError(
          ExitBadCommand,
          createStringError("unknown option '" + Word + "' of calibrate"));
    Pins = false;
  }
  if (Error E = findGpu())
    return reportError(ExitBadInput, std::move(E));
  if (Error E = Pins ? checkConfiguration() : Error::success())
    return reportError(ExitBadInput, std::move(E));
  ChildRunner Runner;
  Expected<GpuRecord> Record = measureGpu(Runner);
  if (const int Signal = Runner.received()) {
    consumeError(Record.takeError());
    return dieBy(Signal);
  }
  if (!Record)
    return reportError(ExitBadInput, Record.takeError());
  print(*Record);
  if (!Pins)
    return ExitDone;
  if (Error E = editConfiguration(
          [&](StringRef Text) { return pinGpu(Text, Record->Speed); }))
    return reportError(ExitBadInput, std::move(E));
  return ExitDone;
}
