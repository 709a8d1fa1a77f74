// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Scans a file for launches. One parse shows one side for one GPU; if the text
/// depends on `__CUDA_ARCH__`, the other sides are parsed, too.
//===----------------------------------------------------------------------===//

#include "LaunchScan.h"
#include "cudaopt/Driver/Delivery/Output.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace llvm;

static constexpr StringLiteral DeviceOnly = "--cuda-device-only",
                               HostOnly = "--cuda-host-only",
                               ArchFlag = "--cuda-gpu-arch=";

/// Returns the commands of the other parses of \p J, whose own is for the first
/// GPU: one for the host, and one for each further GPU of the command.
static std::vector<std::vector<std::string>>
listOtherSides(const ParseJob &J, const Options &Opts) {
  std::vector<std::vector<std::string>> Commands;
  auto Device = find(J.Command, DeviceOnly);
  if (Device == J.Command.end())
    return Commands;
  std::vector<std::string> Host = J.Command;
  Host[Device - J.Command.begin()] = HostOnly.str();
  Commands.push_back(std::move(Host));
  const std::string First = chooseArch(Opts.Arch, J.In.Command.Archs);
  std::vector<std::string> Known = {First};
  for (const std::string &Each : J.In.Command.Archs) {
    const std::string Arch = chooseArch("", Each);
    if (is_contained(Known, Arch))
      continue;
    Known.push_back(Arch);
    std::vector<std::string> Command = J.Command;
    std::replace(Command.begin(), Command.end(), (ArchFlag + First).str(),
                 (ArchFlag + Arch).str());
    Commands.push_back(std::move(Command));
  }
  return Commands;
}

/// Returns the first line of \p Messages that contains an error.
static StringRef findFirstError(StringRef Messages) {
  for (StringRef Line : split(Messages, '\n'))
    if (Line.contains("error: "))
      return Line;
  return Messages.split('\n').first;
}

/// Parses \p J and adds the launches. On failure, returns false and sets
/// Found.Problem.
static bool addParse(const SourceParser &Parser, const ParseJob &J,
                     LaunchScan &Found) {
  ParseResult Result =
      Parser.parse(J, J.Opts, {}, /*Program=*/nullptr, /*OnlyScans=*/true);
  Found.Seen.add(Result.Seen);
  const bool IsRead =
      Result.Pipeline && !Result.Pipeline->HasParseErrors && !Result.NumErrors;
  const std::string Doubt = IsRead ? Result.Pipeline->LaunchesDoubt : "";
  if (IsRead && Doubt.empty()) {
    Found.Launches->add(Result.Pipeline->Launches);
    return true;
  }
  Found.Problem =
      IsRead ? Doubt : ("first error: " + findFirstError(Result.Errors)).str();
  Found.Launches.reset();
  return false;
}

LaunchScan cudaopt::scanLaunches(SourceParser &Parser, const Input &In,
                                 const Options &Opts) {
  LaunchScan Found;
  const std::unique_ptr<ParseJob> J = Parser.makeJob(In, Opts);
  if (!J->Problem.empty()) {
    Found.Problem = J->Problem;
    return Found;
  }
  Parser.openDisk(*J);
  Found.Launches.emplace();
  bool IsRead = addParse(Parser, *J, Found);
  // Code that depends on the architecture may launch other kernels, or with
  // other shapes, on the other sides.
  if (IsRead &&
      (J->Disk->mentions("__CUDA_ARCH") || J->Disk->mentions("NV_IF_")))
    for (std::vector<std::string> &Command : listOtherSides(*J, Opts)) {
      J->Command = std::move(Command);
      IsRead = IsRead && addParse(Parser, *J, Found);
    }
  Found.Seen.add(J->Disk->facts());
  return Found;
}

ExitCode cudaopt::runLaunchScan(const CommandLine &Line, SourceParser &Parser,
                                const Input &In) {
  LaunchScan Found = scanLaunches(Parser, In, Line.Opts);
  for (const auto &[Path, Text] : In.Command.Files)
    Found.Seen.addText(Path, Text);
  if (!Line.Opts.FileFacts.empty())
    if (Error E = writeFile(Line.Opts.FileFacts, Found.Seen.pack()))
      return reportError(ExitBadInput, std::move(E));
  if (!Found.Launches) {
    errs() << Found.Problem << '\n';
    return ExitBadInput;
  }
  if (Error E = writeFile(Line.ScanFile, Found.Launches->pack()))
    return reportError(ExitBadInput, std::move(E));
  return ExitDone;
}
