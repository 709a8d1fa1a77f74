// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Classifies the macros that a compiler predefines. Of these, only the ones
/// listed here as common count as equal for clang and nvcc. Macros that clang
/// does not define at all leave no trace in the preprocessor, so that lists
/// name those that nvcc's host compilers define.
//===----------------------------------------------------------------------===//

#include "MacroMentions.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

/// Predefined macros with the same value under nvcc. A star stands for the rest
/// of the name.
static constexpr llvm::StringLiteral CommonMacros[] = {"__CUDACC__",
                                                       "__NVCC__",
                                                       "__CUDACC_VER_MAJOR__",
                                                       "__CUDACC_VER_MINOR__",
                                                       "__CUDAOPT__",
                                                       "__CUDA_OPT__",
                                                       "__cplusplus",
                                                       "__FILE__",
                                                       "__LINE__",
                                                       "__DATE__",
                                                       "__TIME__",
                                                       "__TIMESTAMP__",
                                                       "__has_include",
                                                       "__COUNTER__",
                                                       "__has_include_next",
                                                       "__x86_64",
                                                       "__x86_64__",
                                                       "__amd64",
                                                       "__amd64__",
                                                       "__aarch64__",
                                                       "__linux",
                                                       "__linux__",
                                                       "__gnu_linux__",
                                                       "__unix",
                                                       "__unix__",
                                                       "__ELF__",
                                                       "_LP64",
                                                       "__LP64__",
                                                       "_GNU_SOURCE",
                                                       "__CHAR_BIT__",
                                                       "__BYTE_ORDER__",
                                                       "__ORDER_*",
                                                       "__STDC__",
                                                       "__STDC_HOSTED__",
                                                       "__USER_LABEL_PREFIX__",
                                                       "__EXCEPTIONS",
                                                       "__INT*",
                                                       "__UINT*",
                                                       "__LONG_*",
                                                       "__SHRT_*",
                                                       "__SCHAR_*",
                                                       "__SIZE_*",
                                                       "__PTRDIFF_*",
                                                       "__WCHAR_*",
                                                       "__WINT_*",
                                                       "__SIG_ATOMIC_*",
                                                       "__SIZEOF_*",
                                                       "__FLT_*",
                                                       "__DBL_*"};

/// Macros that differ between compilers. Clang may not define them, so that
/// they cannot be recognized by where they are defined.
static constexpr llvm::StringLiteral CompilerMacros[] = {
    // Compilers and their versions.
    "__clang*",
    "__llvm__",
    "__GNUC*",
    "__GNUG__",
    "__GXX_*",
    "__VERSION__",
    "__INTEL_COMPILER*",
    "__INTEL_LLVM_COMPILER",
    "__ICC",
    "__NVCOMPILER*",
    "__PGI*",
    "__CUDA__",
    "__NVPTX__",
    "__nvptx__",
    "__PTX__",
    "__CUDACC_VER_BUILD__",
    "__CUDACC_VER__",
    "__CUDACC_DEVICE_*",
    "__CUDA_API_VER_*",
    "__NVCC_DIAG_PRAGMA_SUPPORT__",
    "__CUDA_ARCH_LIST__",
    "__CUDA_ARCH_SPECIFIC__",
    "__CUDA_ARCH_FAMILY_SPECIFIC__",
    "__USE_FAST_MATH__",
    "__CUDA_PREC_*",
    "__CUDA_FTZ",
    "__CUDA_FMAD",
    // Capabilities of the compiler.
    "__has_builtin",
    "__has_constexpr_builtin",
    "__has_feature",
    "__has_extension",
    "__has_attribute",
    "__has_cpp_attribute",
    "__has_c_attribute",
    "__has_declspec_attribute",
    "__has_warning",
    "__has_keyword",
    "__is_identifier",
    "__cpp_*",
    "__GCC_*",
    // The flags of the compiler.
    "__OPTIMIZE__",
    "__OPTIMIZE_SIZE__",
    "__NO_INLINE__",
    "__FAST_MATH__",
    "__FINITE_MATH_ONLY__",
    "__ROUNDING_MATH__",
    "__NO_MATH_ERRNO__",
    "__SUPPORT_SNAN__",
    "__PIC__",
    "__pic__",
    "__PIE__",
    "__pie__",
    "__STRICT_ANSI__",
    "linux",
    "unix",
    "i386",
    "__CHAR_UNSIGNED__",
    "__SANITIZE_*",
    "__SSP__",
    "__SSP_ALL__",
    "__SSP_STRONG__",
    "__SSP_EXPLICIT__",
    "_REENTRANT",
    "_FORTIFY_SOURCE",
    "__DEPRECATED",
    "__CET__",
    "__MMX__",
    "__SSE*",
    "__AVX*",
    "__FMA__",
    "__FMA4__",
    "__F16C__",
    "__BMI__",
    "__BMI2__",
    "__AES__",
    "__VAES__",
    "__PCLMUL__",
    "__VPCLMULQDQ__",
    "__POPCNT__",
    "__LZCNT__",
    "__RDRND__",
    "__RDSEED__",
    "__ADX__",
    "__SHA__",
    "__GFNI__",
    "__XOP__",
    "__TBM__",
    "__MOVBE__",
    "__AMX_*",
    "__ARM_*",
    "__FP_FAST_*",
    // Types that the device has in another form.
    "__LDBL_*",
    "__DECIMAL_DIG__",
    "__SIZEOF_LONG_DOUBLE__",
    "__SIZEOF_FLOAT80__",
    "__SIZEOF_FLOAT128__",
    "__SIZEOF_INT128__",
    "__BIGGEST_ALIGNMENT__",
    "__FLT16_*",
    "__FLT32*",
    "__FLT64*",
    "__FLT128_*",
    "__BFLT16_*",
};

/// Headers that clang includes before the first line of a program, but nvcc
/// does not: a program that tests their macros without including them sees them
/// only under clang.
static constexpr llvm::StringLiteral ForeignHeaders[] = {
    "cuda.h", "curand*", "math_constants.h", "stdint*", "wchar.h", "__clang_*"};

/// Macros that choose code by the GPU, or by the side for which it is compiled.
static constexpr llvm::StringLiteral ArchMacros[] = {
    "__CUDA_ARCH__", "__CUDA_ARCH_FEAT_*", "NV_IF_TARGET", "NV_IF_ELSE_TARGET",
    "NV_DISPATCH_TARGET"};

/// Macros that only the options for OpenMP and OpenACC define.
static constexpr llvm::StringLiteral DirectiveMacros[] = {"_OPENMP",
                                                          "_OPENACC"};

/// Returns true if \p List has \p Name, or a prefix of it that ends with a
/// star.
static bool isAmong(llvm::ArrayRef<llvm::StringLiteral> List, StringRef Name) {
  return llvm::any_of(List, [&](StringRef Each) {
    return Each.consume_back("*") ? Name.starts_with(Each) : Name == Each;
  });
}

namespace {

class MacroRecorder : public PPCallbacks {
public:
  MacroRecorder(Preprocessor &PP, std::shared_ptr<MacroMentions> Mentions)
      : PP(PP), SM(PP.getSourceManager()), Mentions(std::move(Mentions)) {}

  void MacroExpands(const Token &Name, const MacroDefinition &Definition,
                    SourceRange, const MacroArgs *) override {
    note(Name, Definition.getMacroInfo(), /*AsksValue=*/true);
  }
  void Defined(const Token &Name, const MacroDefinition &Definition,
               SourceRange) override {
    noteCondition(Name, Definition.getMacroInfo());
  }
  void Ifdef(SourceLocation, const Token &Name,
             const MacroDefinition &Definition) override {
    noteCondition(Name, Definition.getMacroInfo());
  }
  void Ifndef(SourceLocation, const Token &Name,
              const MacroDefinition &Definition) override {
    noteCondition(Name, Definition.getMacroInfo());
  }
  void Elifdef(SourceLocation, const Token &Name,
               const MacroDefinition &Definition) override {
    noteCondition(Name, Definition.getMacroInfo());
  }
  void Elifndef(SourceLocation, const Token &Name,
                const MacroDefinition &Definition) override {
    noteCondition(Name, Definition.getMacroInfo());
  }
  void If(SourceLocation Loc, SourceRange, ConditionValueKind) override {
    readCondition(Loc);
  }
  void Elif(SourceLocation Loc, SourceRange, ConditionValueKind,
            SourceLocation) override {
    readCondition(Loc);
  }
  void MacroDefined(const Token &Name,
                    const MacroDirective *Directive) override;
  void InclusionDirective(SourceLocation Loc, const Token &, StringRef Spelled,
                          bool, CharSourceRange, OptionalFileEntryRef,
                          StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (isInProgram(Loc))
      Included.insert(llvm::sys::path::filename(Spelled));
  }

private:
  void note(const Token &Name, const MacroInfo *Definition, bool AsksValue) {
    if (const IdentifierInfo *Id = Name.getIdentifierInfo())
      note(Id->getName(), Definition, Name.getLocation(), AsksValue);
  }
  void note(StringRef Name, const MacroInfo *Definition, SourceLocation Loc,
            bool AsksValue);
  void noteCondition(const Token &Name, const MacroInfo *Definition) {
    note(Name, Definition, /*AsksValue=*/false);
    if (const IdentifierInfo *Id = Name.getIdentifierInfo(); Id && Definition)
      noteForeign(*Id, Definition, Name.getLocation());
  }
  /// Records the use of a macro from a header that only clang includes. Only
  /// conditions matter: elsewhere nvcc would report an undefined name.
  void noteForeign(const IdentifierInfo &Id, const MacroInfo *Definition,
                   SourceLocation Loc) {
    if (!Mentions->OfCompiler && isOfUser(Loc) &&
        !isAmong(CommonMacros, Id.getName()) && isForeign(Definition))
      Mentions->OfCompiler = {Id.getName().str(), SM.getExpansionLoc(Loc),
                              /*AsksValue=*/true};
  }
  void readCondition(SourceLocation Loc);
  bool isOfUser(SourceLocation Loc) const;
  bool differs(StringRef Name, const MacroInfo *Definition) const;
  bool isForeign(const MacroInfo *Definition) const;
  /// Returns true if \p Loc is in the main file, or in a file that is included
  /// from there (not from the command line).
  bool isInProgram(SourceLocation Loc) const;

  /// The file names, without folders, that the program includes.
  llvm::StringSet<> Included;
  Preprocessor &PP;
  const SourceManager &SM;
  std::shared_ptr<MacroMentions> Mentions;
};

} // namespace

/// Returns true for headers that come with cuda-opt, whose conditions are known
/// to be harmless.
static bool isOwnHeader(StringRef File) {
  StringRef Folder = llvm::sys::path::parent_path(File);
  if (llvm::sys::path::filename(Folder) == "levelize")
    Folder = llvm::sys::path::parent_path(Folder);
  return llvm::sys::path::filename(Folder) == "cudaopt";
}

/// Returns true if \p Loc is in a file that is not a system header.
bool MacroRecorder::isOfUser(SourceLocation Loc) const {
  Loc = SM.getExpansionLoc(Loc);
  return SM.getFileEntryForID(SM.getFileID(Loc)) && !SM.isInSystemHeader(Loc) &&
         !isOwnHeader(SM.getFilename(Loc));
}

/// Returns true if nvcc may define \p Name differently than clang.
/// \p Definition is clang's; null if it has none.
bool MacroRecorder::differs(StringRef Name, const MacroInfo *Definition) const {
  bool IsPredefined = Definition && Definition->isBuiltinMacro();
  if (Definition && !IsPredefined) {
    const SourceLocation At = Definition->getDefinitionLoc();
    if (SM.isWrittenInCommandLineFile(At))
      return Name == "__CUDACC_VER_BUILD__";
    IsPredefined = SM.isWrittenInBuiltinFile(At);
    if (!IsPredefined && !SM.isInSystemHeader(At))
      return false; // The user has defined it.
  }
  return isAmong(CompilerMacros, Name) ||
         (IsPredefined && !isAmong(CommonMacros, Name));
}

bool MacroRecorder::isInProgram(SourceLocation Loc) const {
  Loc = SM.getExpansionLoc(Loc);
  if (SM.isLoadedSourceLocation(Loc))
    return false;
  for (; Loc.isValid(); Loc = SM.getIncludeLoc(SM.getFileID(Loc)))
    if (SM.getFileID(Loc) == SM.getMainFileID())
      return true;
  return false;
}

/// Returns true if nvcc has no such definition unless the program includes the
/// header that contains it.
bool MacroRecorder::isForeign(const MacroInfo *Definition) const {
  const SourceLocation At = Definition->getDefinitionLoc();
  // Include guards only keep declarations from being repeated.
  if (Definition->isBuiltinMacro() || Definition->tokens_empty() ||
      !SM.isInSystemHeader(At) || isInProgram(At))
    return false;
  const StringRef Header = llvm::sys::path::filename(SM.getFilename(At));
  if (!isAmong(ForeignHeaders, Header) || Included.contains(Header))
    return false;
  const StringRef Stem = llvm::sys::path::stem(Header).split('-').first;
  return !Included.contains((Stem + ".h").str()) &&
         !Included.contains(("c" + Stem).str());
}

/// Classifies one use of macro \p Name; \p Definition is null if clang has
/// none.
void MacroRecorder::note(StringRef Name, const MacroInfo *Definition,
                         SourceLocation Loc, bool AsksValue) {
  if (!isOfUser(Loc))
    return;
  Loc = SM.getExpansionLoc(Loc);
  if (isAmong(ArchMacros, Name))
    Mentions->OfArch.push_back({Name.str(), Loc, AsksValue});
  else if (isAmong(DirectiveMacros, Name) && !Definition)
    Mentions->OfDirectives = {Name.str(), Loc, AsksValue};
  else if (!Mentions->OfCompiler && differs(Name, Definition))
    Mentions->OfCompiler = {Name.str(), Loc, AsksValue};
}

/// Records the macros in a condition. An undefined name is 0 there and triggers
/// no callback, so that the condition is lexed again.
void MacroRecorder::readCondition(SourceLocation Loc) {
  if (Mentions->OfCompiler || !isOfUser(Loc))
    return;
  const auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
  const StringRef Text = SM.getBufferData(File);
  Lexer Words(SM.getLocForStartOfFile(File), PP.getLangOpts(), Text.begin(),
              Text.begin() + Offset, Text.end());
  Token Word;
  bool IsFirst = true;
  for (Words.LexFromRawLexer(Word);
       Word.isNot(tok::eof) && (IsFirst || !Word.isAtStartOfLine());
       Words.LexFromRawLexer(Word), IsFirst = false)
    if (Word.is(tok::raw_identifier)) {
      if (const IdentifierInfo *Id =
              &PP.getIdentifierTable().get(Word.getRawIdentifier());
          !PP.getMacroInfo(Id))
        note(Id->getName(), nullptr, Word.getLocation(), /*AsksValue=*/true);
      else
        noteForeign(*Id, PP.getMacroInfo(Id), Word.getLocation());
    }
}

/// Records undefined names in the body of a user's macro, since its expansion
/// triggers no callback for them either.
void MacroRecorder::MacroDefined(const Token &Name,
                                 const MacroDirective *Directive) {
  if (isOfUser(Name.getLocation()) ||
      SM.isWrittenInCommandLineFile(Name.getLocation()))
    Mentions->OfUser.try_emplace(Name.getIdentifierInfo()->getName().str(),
                                 Name.getLocation());
  if (Mentions->OfCompiler || !isOfUser(Name.getLocation()))
    return;
  for (const Token &Word : Directive->getMacroInfo()->tokens())
    if (const IdentifierInfo *Id = Word.getIdentifierInfo();
        Id && !Id->hasMacroDefinition() && !isAmong(ArchMacros, Id->getName()))
      note(Word, nullptr, /*AsksValue=*/true);
}

std::unique_ptr<PPCallbacks>
createMacroRecorder(Preprocessor &PP, std::shared_ptr<MacroMentions> Mentions) {
  return std::make_unique<MacroRecorder>(PP, std::move(Mentions));
}

} // namespace cudaopt
