// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds and reads configuration files. It uses llvm::yaml's parser without the
/// YAML traits, because these do not keep the positions of values, which error
/// messages and --explain-config name.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/Configuration.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Support/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/YAMLTraits.h"

using namespace cudaopt;
using namespace llvm;

static constexpr StringLiteral FileName = ".cuda-opt";
static constexpr StringLiteral InheritKey = "InheritParentConfig";

namespace {

/// The contents of one configuration file.
struct ConfigText {
  EffectiveOptions Said;
  bool Inherits = false;
};

/// Parses one configuration text.
class ConfigReader {
public:
  ConfigReader(StringRef Name, StringRef Text)
      : Name(Name), Stream(MemoryBufferRef(Text, Name), Sources, false) {
    Sources.setDiagHandler(
        [](const SMDiagnostic &Diagnostic, void *Message) {
          auto &Text = *static_cast<std::string *>(Message);
          // Only the first problem is kept; it causes the others.
          if (!Text.empty())
            return;
          raw_string_ostream OS(Text);
          Diagnostic.print(nullptr, OS, /*ShowColors=*/false,
                           /*ShowKindLabel=*/false);
        },
        &Problem);
  }

  Expected<ConfigText> read();

private:
  void readEntry(yaml::KeyValueNode &Entry);
  void readSetting(const OptionInfo &Option, yaml::Node &Value);
  bool readText(yaml::Node &Value, std::string &Text);

  const StringRef Name;
  SourceMgr Sources;
  std::string Problem;
  yaml::Stream Stream; ///< Destroyed before the members it refers to.
  ConfigText Result;
  StringSet<> Keys;
};

} // namespace

static const OptionInfo *findSetting(StringRef Key) {
  const OptionInfo *Found = find_if(allOptions(), [&](const OptionInfo &Each) {
    return Each.IsSetting && Each.key() == Key;
  });
  return Found == allOptions().end() ? nullptr : Found;
}

static std::string suggestKey(StringRef Word) {
  std::vector<std::string> Keys = {InheritKey.str()};
  for (const OptionInfo &Each : allOptions())
    if (Each.IsSetting)
      Keys.push_back(Each.key());
  std::string Plain = Word.str();
  // The option may be spelt as on the command line: "assume-inbounds".
  erase(Plain, '-');
  return suggestSpelling(Plain,
                         std::vector<StringRef>(Keys.begin(), Keys.end()));
}

/// Reads a scalar, or a list of scalars joined by commas (`[pad, xor]` gives
/// "pad,xor"), as text; returns false for other nodes. A null node gives an
/// empty text.
bool ConfigReader::readText(yaml::Node &Value, std::string &Text) {
  SmallString<64> Storage;
  if (auto *Scalar = dyn_cast<yaml::ScalarNode>(&Value)) {
    Text = Scalar->getValue(Storage).str();
    return true;
  }
  if (isa<yaml::NullNode>(Value)) {
    Text.clear();
    return true;
  }
  auto *List = dyn_cast<yaml::SequenceNode>(&Value);
  if (!List)
    return false;
  std::vector<std::string> Words;
  for (yaml::Node &Each : *List) {
    auto *Scalar = dyn_cast<yaml::ScalarNode>(&Each);
    if (!Scalar)
      return false;
    Words.push_back(Scalar->getValue(Storage).str());
  }
  Text = join(Words, ",");
  return true;
}

void ConfigReader::readSetting(const OptionInfo &Option, yaml::Node &Value) {
  const unsigned Line =
      Sources.getLineAndColumn(Value.getSourceRange().Start).first;
  std::string Text;
  if (!readText(Value, Text))
    return Stream.printError(&Value, "a word or a list of words is expected");
  Options Alone;
  if (auto *Switch = std::get_if<bool Options::*>(&Option.Field)) {
    std::optional<bool> IsOn = yaml::parseBool(Text);
    if (!IsOn)
      return Stream.printError(&Value, "true or false is expected");
    Alone.**Switch = *IsOn;
  } else if (!Text.empty()) { // Else the default stays.
    Option.add(Text, Alone);
  }
  if (Error E = validate(Alone))
    return Stream.printError(&Value, toString(std::move(E)));
  Option.copy(Alone, Result.Said.Opts);
  Result.Said.Places[Option.Name.str()] = (Name + ":" + Twine(Line)).str();
}

void ConfigReader::readEntry(yaml::KeyValueNode &Entry) {
  SmallString<32> Storage;
  auto *Key = dyn_cast_or_null<yaml::ScalarNode>(Entry.getKey());
  yaml::Node *Value = Entry.getValue();
  if (!Key || !Value)
    return Stream.printError(&Entry, "'Key: value' is expected");
  const StringRef Word = Key->getValue(Storage);
  if (!Keys.insert(Word).second)
    return Stream.printError(Key, "key '" + Word + "' stands here twice");
  if (const OptionInfo *Option = findSetting(Word))
    return readSetting(*Option, *Value);
  if (Word != InheritKey)
    return Stream.printError(Key,
                             "unknown key '" + Word + "'" + suggestKey(Word));
  std::string Text;
  std::optional<bool> Inherits;
  if (readText(*Value, Text))
    Inherits = yaml::parseBool(Text);
  if (!Inherits)
    return Stream.printError(Value, "true or false is expected");
  Result.Inherits = *Inherits;
}

Expected<ConfigText> ConfigReader::read() {
  yaml::document_iterator Document = Stream.begin();
  yaml::Node *Root = Document == Stream.end() ? nullptr : Document->getRoot();
  if (auto *Map = dyn_cast_or_null<yaml::MappingNode>(Root)) {
    for (yaml::KeyValueNode &Entry : *Map) {
      readEntry(Entry);
      if (!Problem.empty())
        break;
    }
  } else if (Root && !isa<yaml::NullNode>(Root)) {
    Stream.printError(Root, "'Key: value' is expected");
  }
  if (Problem.empty() && !Stream.failed())
    return std::move(Result);
  return createStringError(StringRef(Problem).rtrim());
}

/// Adds to \p To the settings of \p Text that it does not have yet. Returns
/// true if the parent's configuration is to be added as well.
static Expected<bool> addText(StringRef Name, StringRef Text,
                              EffectiveOptions &To) {
  Expected<ConfigText> Config = ConfigReader(Name, Text).read();
  if (!Config)
    return Config.takeError();
  for (const OptionInfo &Option : allOptions()) {
    auto Said = Config->Said.Places.find(Option.Name);
    if (Said != Config->Said.Places.end() &&
        To.Places.try_emplace(Said->first, Said->second).second)
      Option.copy(Config->Said.Opts, To.Opts);
  }
  return Config->Inherits;
}

static Expected<bool> addFile(StringRef Path, EffectiveOptions &To) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  if ((*Buffer)->getBuffer().contains('\0') ||
      !json::isUTF8((*Buffer)->getBuffer()))
    return createStringError("'" + Path + "' is a binary file");
  To.Files.emplace_back(Path.str(), (*Buffer)->getBuffer().str());
  return addText(Path, (*Buffer)->getBuffer(), To);
}

/// Options of the command line come first; then --config-file or --config, if
/// given; otherwise the nearest file above the source, and further ones as long
/// as each says that it inherits. Files that do not exist are recorded, because
/// creating one changes the result.
Expected<EffectiveOptions> cudaopt::resolveOptions(const Options &Said,
                                                   const OptionPlaces &Places,
                                                   StringRef Source) {
  EffectiveOptions Result{Said, Places, {}, {}};
  Expected<bool> Continues = true;
  if (!Said.ConfigFile.empty())
    Continues = addFile(Said.ConfigFile, Result);
  else if (!Said.Config.empty())
    Continues = addText("--config", Said.Config, Result);
  SmallString<128> Path(Source);
  if (std::error_code EC = sys::fs::make_absolute(Path); EC && Continues)
    Continues = errorCodeToError(EC);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  if (!Said.ConfigFile.empty() && Continues)
    Continues = false; // A file that the user names has no parent.
  for (StringRef Folder = sys::path::parent_path(Path);
       Continues && *Continues && !Folder.empty();
       Folder = sys::path::parent_path(Folder)) {
    SmallString<128> File(Folder);
    sys::path::append(File, FileName);
    sys::fs::file_status Status;
    if (sys::fs::status(File, Status, /*follow=*/false) &&
        Status.type() == sys::fs::file_type::file_not_found)
      Result.Absent.push_back(File.str().str());
    else if (sys::fs::is_regular_file(File))
      Continues = addFile(File, Result);
    else
      Continues = createStringError("'" + File + "' is not a regular file");
  }
  if (!Continues)
    return Continues.takeError();
  if (Error E = validate(Result.Opts))
    return std::move(E);
  return Result;
}

/// Returns \p Value as a YAML scalar, quoted if necessary.
static std::string quote(StringRef Value) {
  const bool IsPlain = !Value.empty() && all_of(Value, [](char C) {
    return isAlnum(C) || StringRef("_-./").contains(C);
  });
  if (IsPlain)
    return Value.str();
  std::string Result = "'";
  for (char C : Value)
    Result += C == '\'' ? "''" : std::string(1, C);
  return Result + "'";
}

void cudaopt::printConfiguration(const EffectiveOptions &Effective,
                                 bool WithPlaces, raw_ostream &OS) {
  for (const OptionInfo &Option : allOptions()) {
    if (!Option.IsSetting)
      continue;
    std::string Value = Option.get(Effective.Opts);
    if (Option.Name == "passes" && Value.empty())
      for (const PassName &Pass : allPassNames())
        if (Pass.OnByDefault && Pass.Group.empty())
          Value += (Value.empty() ? "" : ",") + Pass.Name.str();
    const std::string Text = Option.key() + ": " + quote(Value);
    OS << Text;
    if (WithPlaces) {
      auto Place = Effective.Places.find(Option.Name);
      OS.indent(Text.size() < 32 ? 32 - Text.size() : 1)
          << "# "
          << (Place == Effective.Places.end() ? "default" : Place->second);
    }
    OS << '\n';
  }
}
