// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds and edits the configuration file of the current folder.
//===----------------------------------------------------------------------===//

#include "TuneConfiguration.h"

#include "cudaopt/Driver/Command/Configuration.h"
#include "cudaopt/Driver/Delivery/Output.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace cudaopt;
using namespace llvm;

/// Resolves the options of a source in the current folder, which need not
/// exist.
static Expected<EffectiveOptions> resolveHere(const Options &Said = {}) {
  return resolveOptions(Said, {}, "measured.cu");
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

/// Gives \p File the text \p Text, which is that of no file if it is null.
static Error replaceFile(const ConfigurationFile &File,
                         const std::string *Text) {
  if (Text)
    return writeFile(File.Path, *Text);
  if (std::error_code EC = sys::fs::remove(File.Path))
    return createFileError(File.Path, EC);
  return Error::success();
}

/// Returns the text of the file \p Path; an empty one if it is not there.
static std::string readFile(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

Error ConfigurationEdit::apply(TextEdit Edit) {
  if (!Before) {
    Expected<ConfigurationFile> File = findConfiguration();
    if (!File)
      return File.takeError();
    Before = std::move(*File);
    Written = Before->Text;
  }
  if (readFile(Before->Path) != Written)
    return createStringError("'" + Before->Path + "' was edited meanwhile");
  Expected<std::string> Text = Edit(Before->Text);
  if (!Text)
    return createFileError(Before->Path, Text.takeError());
  if (*Text == Written)
    return Error::success();
  // An empty file of the user's stays: it hides those above it.
  const bool IsRemoved =
      Text->empty() && (!Before->Exists || !Before->Text.empty());
  if (Error E = replaceFile(*Before, IsRemoved ? nullptr : &*Text))
    return E;
  Written = *Text;
  return Error::success();
}

void ConfigurationEdit::keep() {
  IsKept = true;
  if (Before && Written != Before->Text)
    errs() << "cuda-opt: "
           << (sys::fs::exists(Before->Path) ? "wrote " : "removed ")
           << Before->Path << '\n';
}

ConfigurationEdit::~ConfigurationEdit() {
  if (IsKept || !Before || Written == Before->Text)
    return;
  if (readFile(Before->Path) != Written) {
    errs() << "cuda-opt: warning: '" << Before->Path
           << "' was edited meanwhile: it keeps what was pinned\n";
    return;
  }
  if (Error E = replaceFile(*Before, Before->Exists ? &Before->Text : nullptr))
    errs() << "cuda-opt: warning: " << toString(std::move(E)) << '\n';
}

Error cudaopt::editConfiguration(TextEdit Edit) {
  ConfigurationEdit Only;
  if (Error E = Only.apply(Edit))
    return E;
  Only.keep();
  return Error::success();
}

Error cudaopt::checkEdit(TextEdit Edit,
                         function_ref<bool(const Options &)> Holds) {
  Expected<ConfigurationFile> File = findConfiguration();
  if (!File)
    return File.takeError();
  Expected<std::string> Text = Edit(File->Text);
  if (!Text)
    return createFileError(File->Path, Text.takeError());
  if (!sys::fs::can_write(File->Exists ? File->Path : "."))
    return createStringError("'" + File->Path + "' cannot be written");
  Options Said;
  Said.Config = *Text;
  Expected<EffectiveOptions> Here = resolveHere(Said);
  if (Here && Holds(Here->Opts))
    return Error::success();
  consumeError(Here.takeError());
  return createStringError("'" + File->Path +
                           "' cannot be edited: write each key and its value "
                           "on one line of its own, 'Layout: pad'");
}
