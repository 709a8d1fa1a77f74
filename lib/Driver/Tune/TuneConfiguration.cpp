// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds and edits the configuration file of the current folder.
//===----------------------------------------------------------------------===//

#include "TuneConfiguration.h"

#include "cudaopt/Driver/Command/Configuration.h"
#include "cudaopt/Driver/Delivery/Output.h"

#include "llvm/Support/FileSystem.h"

using namespace cudaopt;
using namespace llvm;

/// Resolves the options of a source in the current folder, which need not
/// exist.
static Expected<EffectiveOptions> resolveHere() {
  return resolveOptions(Options(), {}, "measured.cu");
}

Expected<Options> cudaopt::readConfiguration() {
  Expected<EffectiveOptions> Here = resolveHere();
  if (!Here)
    return Here.takeError();
  return Here->Opts;
}

Expected<ConfigurationFile> cudaopt::findConfiguration() {
  Expected<EffectiveOptions> Here = resolveHere();
  if (!Here)
    return Here.takeError();
  if (Here->Files.empty())
    return ConfigurationFile{".cuda-opt", "", false};
  return ConfigurationFile{Here->Files.front().first,
                           Here->Files.front().second, true};
}

Error ConfigurationFile::restore() const {
  if (Exists)
    return writeFile(Path, Text);
  if (std::error_code EC = sys::fs::remove(Path))
    return createFileError(Path, EC);
  return Error::success();
}

Error cudaopt::editConfiguration(
    function_ref<Expected<std::string>(StringRef)> Edit) {
  Expected<ConfigurationFile> File = findConfiguration();
  if (!File)
    return File.takeError();
  Expected<std::string> Text = Edit(File->Text);
  if (!Text)
    return createFileError(File->Path, Text.takeError());
  if (*Text == File->Text)
    return Error::success();
  if (Error E = writeFile(File->Path, *Text))
    return E;
  errs() << "cuda-opt: wrote " << File->Path << '\n';
  return Error::success();
}
