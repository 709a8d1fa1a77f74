// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Respells a text token by token. It works on raw tokens because the text does
/// not parse yet; a quick scan first excludes the texts, nearly all, that need
/// no change.
//===----------------------------------------------------------------------===//

#include "NvccSpelling.h"
#include "DeviceHeaders.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using namespace llvm;
using clang::Token;
namespace tok = clang::tok;

namespace {

/// Lexes a text and edits a copy of it, character by character.
class Respeller {
public:
  explicit Respeller(StringRef Text);
  std::optional<std::string> run();

private:
  struct Word {
    tok::TokenKind Kind;
    size_t Begin, End;
  };
  StringRef textOf(const Word &W) const { return Text.slice(W.Begin, W.End); }
  bool isBlankBetween(const Word &A, const Word &B) const {
    return A.End < B.Begin &&
           Text.slice(A.End, B.Begin).find_first_not_of(" \t\r\n\v\f") ==
               StringRef::npos;
  }
  void joinLaunch(size_t Open);
  void separateOperands(size_t Open);

  const StringRef Text;
  SmallVector<Word, 0> Words;
  std::string Result;
};

} // namespace

Respeller::Respeller(StringRef Text) : Text(Text), Result(Text) {
  clang::LangOptions Language;
  Language.CPlusPlus = Language.CPlusPlus11 = Language.CPlusPlus17 = true;
  Language.CUDA = true;
  Language.LineComment = true;
  clang::Lexer Tokens(clang::SourceLocation(), Language, Text.begin(),
                      Text.begin(), Text.end());
  Token Next;
  while (!Tokens.LexFromRawLexer(Next) && Next.isNot(tok::eof)) {
    const size_t End = Tokens.getBufferLocation() - Text.begin();
    Words.push_back({Next.getKind(), End - Next.getLength(), End});
  }
}

/// Joins the `>> >(` that closes the launch opened in front of token \p First.
/// Does nothing if `>>>` closes it, or if more than one `>> >(` follows,
/// because then it is unclear which one does.
void Respeller::joinLaunch(size_t First) {
  std::optional<size_t> Close;
  unsigned Depth = 0;
  for (size_t I = First; I + 2 < Words.size(); ++I) {
    const tok::TokenKind Kind = Words[I].Kind;
    if (Kind == tok::greatergreatergreater)
      return;
    if (Kind == tok::semi || (Depth == 0 && Kind == tok::r_paren))
      break;
    Depth += Kind == tok::l_paren;
    Depth -= Kind == tok::r_paren;
    if (Depth || Kind != tok::greatergreater ||
        Words[I + 1].Kind != tok::greater ||
        Words[I + 2].Kind != tok::l_paren ||
        !isBlankBetween(Words[I], Words[I + 1]))
      continue;
    if (Close)
      return;
    Close = I;
  }
  if (Close)
    std::swap(Result[Words[*Close].End], Result[Words[*Close + 1].Begin]);
}

/// Puts commas between the operands of the inline assembly whose opening
/// parenthesis is token \p Open.
void Respeller::separateOperands(size_t Open) {
  unsigned Depth = 0;
  bool HasOperands = false;
  for (size_t I = Open; I + 1 < Words.size(); ++I) {
    const Word &W = Words[I], &Next = Words[I + 1];
    Depth += W.Kind == tok::l_paren;
    Depth -= W.Kind == tok::r_paren;
    if (!Depth)
      return;
    HasOperands |=
        Depth == 1 && (W.Kind == tok::colon || W.Kind == tok::coloncolon);
    if (HasOperands && Depth == 1 && W.Kind == tok::r_paren &&
        Next.Kind == tok::string_literal && isBlankBetween(W, Next))
      Result[W.End] = ',';
  }
}

std::optional<std::string> Respeller::run() {
  for (size_t I = 0; I + 1 < Words.size(); ++I) {
    const Word &W = Words[I], &Next = Words[I + 1];
    if (W.Kind == tok::lesslessless)
      joinLaunch(I + 1);
    if (W.Kind == tok::lessless && Next.Kind == tok::less &&
        isBlankBetween(W, Next) && I && textOf(Words[I - 1]) != "operator") {
      std::swap(Result[W.End], Result[Next.Begin]);
      joinLaunch(I + 2);
    }
    if (W.Kind == tok::raw_identifier &&
        is_contained({"asm", "__asm__", "__asm"}, textOf(W))) {
      size_t Open = I + 1;
      while (Open < Words.size() && Words[Open].Kind == tok::raw_identifier)
        ++Open; // volatile
      if (Open < Words.size() && Words[Open].Kind == tok::l_paren)
        separateOperands(Open);
    }
  }
  if (Result == Text)
    return std::nullopt;
  return std::move(Result);
}

/// Returns true if \p Text contains \p Front, blanks, and then \p Back.
static bool hasApart(StringRef Text, StringRef Front, char Back) {
  for (size_t I = Text.find(Front); I != StringRef::npos;
       I = Text.find(Front, I + 1)) {
    const StringRef Rest = Text.substr(I + Front.size());
    const StringRef Solid = Rest.ltrim();
    if (Solid.size() != Rest.size() && Solid.starts_with(Back))
      return true;
  }
  return false;
}

std::optional<std::string> cudaopt::spellForClang(StringRef Text) {
  if (!hasApart(Text, "<<", '<') && !hasApart(Text, ">>", '>') &&
      !hasApart(Text, ")", '"'))
    return std::nullopt;
  return Respeller(Text).run();
}

//===----------------------------------------------------------------------===//
// The file system
//===----------------------------------------------------------------------===//

const char SpellingFileSystem::ID = 0;

/// Disables `#pragma GCC system_header` in a user's header that has device
/// code, which must be analysed like the user's own. The pragma is overwritten
/// with an unknown one of the same length.
static void hideSystemHeader(StringRef Path, StringRef Text,
                             std::optional<std::string> &Spelt) {
  static constexpr StringLiteral Word = "system_header";
  if (!Text.contains(Word) || !hasDeviceCode(Text) || hasToolkitName(Path))
    return;
  if (!Spelt)
    Spelt = Text.str();
  for (size_t At = Text.find(Word); At != StringRef::npos;
       At = Text.find(Word, At + 1)) {
    const StringRef Line = Text.take_front(At);
    if (Line.substr(Line.rfind('\n') + 1).ltrim().starts_with("#"))
      Spelt->replace(At, Word.size(), "cudaopt_user ");
  }
}

namespace cudaopt {

/// An open file whose text is respelt for clang.
class SpeltFile : public vfs::File {
public:
  SpeltFile(std::unique_ptr<vfs::File> Inner, std::string Path,
            SpellingFileSystem &Of)
      : Inner(std::move(Inner)), Path(std::move(Path)), Of(Of) {}

  ErrorOr<vfs::Status> status() override { return Inner->status(); }
  ErrorOr<std::string> getName() override { return Inner->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name,
                                                   int64_t FileSize,
                                                   bool RequiresNullTerminator,
                                                   bool IsVolatile) override {
    auto Buffer =
        Inner->getBuffer(Name, FileSize, RequiresNullTerminator, IsVolatile);
    if (!Buffer)
      return Buffer;
    std::optional<std::string> Spelt = spellForClang((*Buffer)->getBuffer());
    if (hideSystemHeader(Path, (*Buffer)->getBuffer(), Spelt); !Spelt)
      return Buffer;
    ErrorOr<vfs::Status> Stat = Inner->status();
    if (!Stat)
      return Stat.getError();
    Of.Written[Stat->getUniqueID()] = (*Buffer)->getBuffer().str();
    return MemoryBuffer::getMemBufferCopy(*Spelt, Name);
  }
  std::error_code close() override { return Inner->close(); }

private:
  std::unique_ptr<vfs::File> Inner;
  const std::string Path;
  SpellingFileSystem &Of;
};

} // namespace cudaopt

ErrorOr<std::unique_ptr<vfs::File>>
SpellingFileSystem::openFileForRead(const Twine &Path) {
  auto File = ProxyFileSystem::openFileForRead(Path);
  if (!File)
    return File;
  return std::make_unique<SpeltFile>(std::move(*File), Path.str(), *this);
}

const std::string *SpellingFileSystem::findWritten(vfs::FileSystem &Files,
                                                   sys::fs::UniqueID File) {
  const std::string *Found = nullptr;
  Files.visit([&](vfs::FileSystem &Each) {
    if (auto *Spelling = dyn_cast<SpellingFileSystem>(&Each))
      if (auto Known = Spelling->Written.find(File);
          Known != Spelling->Written.end())
        Found = &Known->second;
  });
  return Found;
}
