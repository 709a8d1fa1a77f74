// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes copies of functions for new layouts: `fill(tile)` ->
/// `fill_swizzled(tile)`, with fill_swizzled behind fill. The edits of a copy
/// are kept with the offsets of the original until all of them are known; equal
/// copies are made once.
//===----------------------------------------------------------------------===//

#include "FunctionCopyEdit.h"

#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;
using llvm::Error;
using llvm::StringRef;

namespace cudaopt {

/// Returns the suffix of a copy's name, which tells the layouts \p OfKernel of
/// the arrays that \p Use has.
static StringRef getSuffix(const FunctionUse &Use,
                           llvm::ArrayRef<ArrayRewrite> OfKernel) {
  std::set<StringRef> Kinds;
  for (const ArrayRewrite &Each : OfKernel)
    if (Each.WhyNot.empty() && llvm::is_contained(Use.Arrays, Each.Array))
      switch (Each.New.Kind) {
      case Layout::Family::Pad:
        Kinds.insert("_padded");
        break;
      case Layout::Family::Permute:
        Kinds.insert("_transposed");
        break;
      case Layout::Family::Rotate:
        Kinds.insert("_rotated");
        break;
      default:
        Kinds.insert("_swizzled");
      }
  return Kinds.size() == 1 ? *Kinds.begin() : "_swizzled";
}

/// Renames the mention of \p Function at \p Loc to \p Name.
static Error rename(const FunctionDecl *Function, SourceLocation Loc,
                    StringRef Name, const ASTContext &Context, Edits &E) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Old = Function->getName();
  bool IsInvalid = false;
  StringRef Text(SM.getCharacterData(Loc, &IsInvalid), Old.size());
  if (IsInvalid || !Loc.isFileID() || Text != Old)
    return llvm::createStringError("'" + Old + "' is not written as a name");
  return E.replace(
      CharSourceRange::getCharRange(Loc, Loc.getLocWithOffset(Old.size())),
      Name);
}

/// Returns the text in \p Range with \p Changes, which are all inside of it.
static llvm::Expected<std::string>
applyIn(CharSourceRange Range, const Edits &Changes, const SourceManager &SM) {
  auto [File, Begin] = SM.getDecomposedLoc(Range.getBegin());
  const unsigned End = SM.getFileOffset(Range.getEnd());
  StringRef Text = SM.getBufferData(File).slice(Begin, End);
  if (Changes.empty())
    return Text.str();
  FileEdits Inside;
  for (const auto &[Offset, E] : Changes.byFile().begin()->second) {
    if (Changes.byFile().size() > 1 || Offset < Begin ||
        Offset + E.Length > End)
      return llvm::createStringError("an edit is outside of the function");
    Inside[Offset - Begin] = {Offset - Begin, E.Length, E.Text};
  }
  return applyEdits(Text, Inside);
}

//===----------------------------------------------------------------------===//
// The copies of one kernel
//===----------------------------------------------------------------------===//

/// Names the copies that one kernel needs, callees first.
class KernelCopies {
public:
  KernelCopies(FunctionCopyEditor &Editor,
               llvm::ArrayRef<ArrayRewrite> OfKernel)
      : Editor(Editor), OfKernel(OfKernel), K(OfKernel.front().K) {}

  Error run();

private:
  void findChanged();
  llvm::Expected<std::string> nameOf(FunctionUseId Id);

  FunctionCopyEditor &Editor;
  llvm::ArrayRef<ArrayRewrite> OfKernel;
  const Kernel &K;
  /// The uses whose copies differ from the original.
  llvm::SetVector<FunctionUseId> Changed;
  std::map<FunctionUseId, std::string> Names;
};

/// Collects the copies with edits, and those that call such a copy.
void KernelCopies::findChanged() {
  for (const auto &[Copy, Changes] : Editor.All.InCopies)
    if (Copy.first == &K && !Changes.empty())
      Changed.insert(Copy.second);
  for (size_t I = 0; I != Changed.size(); ++I)
    for (const FunctionUse::Call &Call : K.FunctionUses[Changed[I]].Calls)
      if (Call.Caller && K.FunctionUses[*Call.Caller].NeedsCopy)
        Changed.insert(*Call.Caller);
}

/// Returns the name of the copy for use \p Id, naming the copies it calls
/// first. The recursion ends: the model gives no copies to functions that call
/// themselves, not even through others.
llvm::Expected<std::string> KernelCopies::nameOf(FunctionUseId Id) {
  if (auto Known = Names.find(Id); Known != Names.end())
    return Known->second;
  const FunctionUse &Use = K.FunctionUses[Id];
  Edits Changes = Editor.All.of(K, Id);
  for (FunctionUseId Callee : Changed)
    for (const FunctionUse::Call &Call : K.FunctionUses[Callee].Calls) {
      if (Call.Caller != Id)
        continue;
      llvm::Expected<std::string> Name = nameOf(Callee);
      if (!Name)
        return Name;
      if (Error Failed = rename(K.FunctionUses[Callee].Function,
                                Call.Callee->getLocation(), *Name,
                                Editor.Context, Changes))
        return Failed;
    }
  llvm::Expected<std::string> Name = Editor.nameCopy(
      getWrittenDefinition(Use.Function), Changes, getSuffix(Use, OfKernel), K);
  if (Name)
    Names[Id] = *Name;
  return Name;
}

/// Names all copies, and renames the calls in text that is not copied. Calls
/// inside of copies are renamed by nameOf().
Error KernelCopies::run() {
  findChanged();
  for (FunctionUseId Id : Changed) {
    llvm::Expected<std::string> Name = nameOf(Id);
    if (!Name)
      return Name.takeError();
    const FunctionUse &Use = K.FunctionUses[Id];
    for (const FunctionUse::Call &Call : Use.Calls)
      if (!Call.Caller || !K.FunctionUses[*Call.Caller].NeedsCopy)
        if (Error Failed = rename(Use.Function, Call.Callee->getLocation(),
                                  *Name, Editor.Context, Editor.All.InPlace))
          return Failed;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// All copies
//===----------------------------------------------------------------------===//

/// Returns \p Wanted, or that and a number: a name that no header, macro or
/// part of the file uses.
std::string FunctionCopyEditor::findFreeName(std::string Wanted) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Text = SM.getBufferData(SM.getMainFileID());
  std::string Name = Wanted;
  for (unsigned Number = 2; Text.contains(Name) || Taken.contains(Name) ||
                            Context.Idents.find(Name) != Context.Idents.end();
       ++Number)
    Name = Wanted + std::to_string(Number);
  Taken.insert(Name);
  return Name;
}

/// Several files may define the same inline function or template, and the
/// device's linker keeps one function of each name. A copy must not be merged
/// with that of another file, so it becomes static.
static Error makeStatic(const FunctionDecl *Written, const ASTContext &Context,
                        Edits &E) {
  if (!Context.getLangOpts().GPURelocatableDeviceCode ||
      !Written->isExternallyVisible() ||
      Written->getStorageClass() == SC_Static)
    return Error::success();
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = Written->getInnerLocStart();
  if (Written->getStorageClass() != SC_None || SM.isMacroArgExpansion(Begin))
    return llvm::createStringError("'" + Written->getName() +
                                   "' cannot be made static");
  return E.insert(SM.getExpansionLoc(Begin), "static ");
}

llvm::Expected<std::string>
FunctionCopyEditor::nameCopy(const FunctionDecl *Written, const Edits &Changes,
                             StringRef Suffix, const Kernel &User) {
  std::optional<CharSourceRange> Range = getCopiedRange(Written, Context);
  if (!Range)
    return llvm::createStringError("a function cannot be copied");
  llvm::Expected<std::string> Text =
      applyIn(*Range, Changes, Context.getSourceManager());
  if (!Text)
    return Text;
  Copied &Copies = Functions[Written];
  Copies.Users.insert(&User);
  for (auto [Known, Name] : llvm::zip(Copies.Texts, Copies.Names))
    if (Known == *Text)
      return Name;
  const std::string Name = findFreeName((Written->getName() + Suffix).str());
  Edits Renamed = Changes;
  if (Error Failed =
          rename(Written, Written->getLocation(), Name, Context, Renamed))
    return Failed;
  if (Error Failed = makeStatic(Written, Context, Renamed))
    return Failed;
  Copies.Texts.push_back(*Text);
  Copies.Names.push_back(Name);
  Copies.Changes.push_back(std::move(Renamed));
  return Name;
}

Error FunctionCopyEditor::add(llvm::ArrayRef<ArrayRewrite> OfKernel) {
  return KernelCopies(*this, OfKernel).run();
}

/// Adds those of the edits \p Present that are inside of \p Range to \p E.
static Error addInside(CharSourceRange Range, const FileEdits &Present,
                       const SourceManager &SM, Edits &E) {
  const unsigned Begin = SM.getFileOffset(Range.getBegin());
  const unsigned End = SM.getFileOffset(Range.getEnd());
  for (auto It = Present.upper_bound(Begin);
       It != Present.end() && It->first < End; ++It) {
    const SourceLocation At =
        Range.getBegin().getLocWithOffset(It->first - Begin);
    if (Error Failed =
            E.replace(CharSourceRange::getCharRange(
                          At, At.getLocWithOffset(It->second.Length)),
                      It->second.Text))
      return Failed;
  }
  return Error::success();
}

Error FunctionCopyEditor::insert(const FunctionDecl *Written,
                                 const Copied &Copies) {
  const SourceManager &SM = Context.getSourceManager();
  const CharSourceRange Range = *getCopiedRange(Written, Context);
  const bool IsCrLf =
      SM.getBufferData(SM.getFileID(Range.getBegin())).contains("\r\n");
  std::string Text;
  for (Edits Changes : Copies.Changes) {
    // A copy has at least another name, so its edits name a file.
    auto Present = All.InPlace.byFile().find(Changes.byFile().begin()->first);
    if (Present != All.InPlace.byFile().end())
      if (Error Failed = addInside(Range, Present->second, SM, Changes))
        return Failed;
    llvm::Expected<std::string> Whole = applyIn(Range, Changes, SM);
    if (!Whole)
      return Whole.takeError();
    Text += (IsCrLf ? "\r\n\r\n" : "\n\n") + *Whole;
  }
  return All.InPlace.insert(Range.getEnd(), Text);
}

llvm::SmallVector<const Kernel *, 1> FunctionCopyEditor::insert() {
  llvm::SmallVector<const Kernel *, 1> Wrong;
  for (const auto &[Written, Copies] : Functions)
    if (Error Failed = insert(Written, Copies)) {
      consumeError(std::move(Failed));
      Wrong.append(Copies.Users.begin(), Copies.Users.end());
    }
  return Wrong;
}

} // namespace cudaopt
