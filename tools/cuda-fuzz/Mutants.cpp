// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Damages rewritten kernels by changing the edits that cuda-opt made.
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include <set>

using llvm::StringRef;

namespace cudaopt::fuzz {

StringRef nameOf(MutantKind Kind) {
  switch (Kind) {
  case MutantKind::Size:
    return "size";
  case MutantKind::Layout:
    return "layout";
  case MutantKind::Stale:
    return "stale";
  case MutantKind::Index:
    return "index";
  case MutantKind::Barrier:
    return "barrier";
  case MutantKind::Sharing:
    return "sharing";
  case MutantKind::Poison:
    return "poison";
  }
  return "";
}

static void insertBefore(FileEdits &Edits, unsigned Offset, StringRef Text) {
  Edit &E = Edits.try_emplace(Offset, Edit{Offset, 0, ""}).first->second;
  E.Text = Text.str() + E.Text;
}

static void insertAfter(FileEdits &Edits, unsigned Offset, StringRef Text) {
  Edits.try_emplace(Offset, Edit{Offset, 0, ""}).first->second.Text += Text;
}

static bool hasEdits(const FileEdits &Edits, unsigned Begin, unsigned End) {
  auto First = Edits.lower_bound(Begin);
  return First != Edits.end() && First->first <= End;
}

/// Returns true if an edit removes the character at \p Offset.
static bool isDeleted(const FileEdits &Edits, unsigned Offset) {
  auto I = Edits.upper_bound(Offset);
  return I != Edits.begin() &&
         Offset < std::prev(I)->first + std::prev(I)->second.Length;
}

/// Returns true if an edit touches the declaration or a reference of the array.
static bool isRewritten(const KernelText &Text, const FileEdits &Edits,
                        const DeclarationMark &D) {
  if (hasEdits(Edits, D.Begin, D.End))
    return true;
  for (const ReferenceMark &Use : Text.References)
    if (Use.Array == D.Array && hasEdits(Edits, Use.Begin, Use.LastClose))
      return true;
  return false;
}

static std::optional<DeclarationMark>
pickRewritten(const KernelText &Text, const FileEdits &Edits, Random &R) {
  std::vector<DeclarationMark> Choices;
  for (const DeclarationMark &D : Text.Declarations)
    if (isRewritten(Text, Edits, D))
      Choices.push_back(D);
  if (Choices.empty())
    return std::nullopt;
  return R.pick(Choices);
}

/// Replaces the sum of a padded layout by a difference, and the permutation of
/// an xor layout by a function that is none, in all edits from \p Begin to
/// \p End.
static void spoilLayout(FileEdits &Edits, unsigned Begin, unsigned End) {
  for (auto I = Edits.lower_bound(Begin); I != Edits.end() && I->first <= End;
       ++I) {
    std::string &Text = I->second.Text;
    for (auto [From, To] : {std::pair(" + ", " - "), std::pair(" ^ ", " | ")})
      if (size_t At = Text.find(From); At != std::string::npos) {
        Text.replace(At, 3, To);
        break;
      }
  }
}

/// Damages the layout of one rewritten array consistently in its declaration
/// and all references, so that only its addresses are wrong.
static std::optional<FileEdits> spoilArray(const KernelText &Text,
                                           FileEdits Edits, Random &R) {
  auto D = pickRewritten(Text, Edits, R);
  if (!D)
    return std::nullopt;
  // A one-dimensional array is as large as its layout needs and keeps its size.
  bool HasRows = StringRef(Text.Text).slice(D->Name, D->End).count('[') > 1;
  if (HasRows)
    spoilLayout(Edits, D->Begin, D->End);
  for (const ReferenceMark &Use : Text.References)
    if (Use.Array == D->Array)
      spoilLayout(Edits, Use.Begin, Use.LastClose);
  return Edits;
}

/// Drops the edits of one reference, which then uses the old layout.
static std::optional<FileEdits> leaveReference(const KernelText &Text,
                                               FileEdits Edits, Random &R) {
  std::vector<ReferenceMark> Choices;
  for (const ReferenceMark &Use : Text.References)
    if (hasEdits(Edits, Use.Begin, Use.LastClose))
      Choices.push_back(Use);
  if (Choices.empty())
    return std::nullopt;
  ReferenceMark Use = R.pick(Choices);
  Edits.erase(Edits.lower_bound(Use.Begin), Edits.upper_bound(Use.LastClose));
  return Edits;
}

/// Lets two arrays share bytes whatever their live ranges: their declarations
/// become types, and references to one pool of bytes replace them.
static std::optional<FileEdits> shareMemory(const KernelText &Text,
                                            FileEdits Edits, Random &R) {
  if (Text.Declarations.size() < 2)
    return std::nullopt;
  unsigned Last = R.between(1, unsigned(Text.Declarations.size()) - 1);
  unsigned First = R.below(Last);
  std::string Sizes, References;
  for (unsigned I : {First, Last}) {
    const DeclarationMark &D = Text.Declarations[I];
    if (isDeleted(Edits, D.Name)) // It shares its bytes already.
      return std::nullopt;
    StringRef Declaration = StringRef(Text.Text).slice(D.Begin, D.End);
    StringRef Name =
        Declaration.drop_front(D.Name - D.Begin).take_until([](char C) {
          return C == '[';
        });
    Declaration.consume_front("__shared__ ");
    StringRef Type = Declaration.take_front(Declaration.find(Name) - 1);
    std::string Alias = Name.str() + "_type";
    unsigned Length = D.Name - D.Begin + unsigned(Name.size());
    Edits[D.Begin] = {D.Begin, Length, "typedef " + Type.str() + " " + Alias};
    Sizes += (Sizes.empty() ? "sizeof(" : " + sizeof(") + Alias + ")";
    References +=
        " " + Alias + " &" + Name.str() + " = *(" + Alias + " *)pool;";
  }
  insertAfter(Edits, Text.Declarations[Last].End + 1,
              " __shared__ double2 pool[(" + Sizes + ") / 16 + 1];" +
                  References);
  return Edits;
}

/// Fills a random array with NaNs at a random barrier, as if it were dead
/// there.
static std::optional<FileEdits> poison(const KernelText &Text, FileEdits Edits,
                                       Random &R) {
  std::vector<BarrierMark> Choices;
  for (const BarrierMark &B : Text.Barriers)
    if (!Text.Declarations.empty() && B.Begin > Text.Declarations.back().End)
      Choices.push_back(B);
  if (Choices.empty())
    return std::nullopt;
  const DeclarationMark D = R.pick(Text.Declarations);
  const StringRef Name =
      StringRef(Text.Text).slice(D.Name, D.End).take_until([](char C) {
        return C == '[';
      });
  insertBefore(Edits, R.pick(Choices).Begin,
               ("{ __syncthreads(); for (unsigned q = threadIdx.x + blockDim.x "
                "* (threadIdx.y + blockDim.y * threadIdx.z); q < sizeof(" +
                Name +
                "); q += blockDim.x * blockDim.y * blockDim.z) ((unsigned char "
                "*)" +
                Name + ")[q] = 0xff; } ")
                   .str());
  return Edits;
}

/// Returns the text without the marks of arrays that were privatized, whose
/// uses have lost their subscripts.
static KernelText withoutPrivate(KernelText Text, const FileEdits &Edits) {
  std::set<unsigned> Private;
  for (const ReferenceMark &Use : Text.References)
    if (isDeleted(Edits, Use.LastOpen))
      Private.insert(Use.Array);
  auto IsPrivate = [&](const auto &Mark) { return Private.count(Mark.Array); };
  llvm::erase_if(Text.Declarations, IsPrivate);
  llvm::erase_if(Text.References, IsPrivate);
  return Text;
}

std::optional<FileEdits> mutate(MutantKind Kind, const KernelText &Original,
                                const FileEdits &Edits, Random &R) {
  const KernelText Text = withoutPrivate(Original, Edits);
  FileEdits Result = Edits;
  switch (Kind) {
  case MutantKind::Size: {
    auto D = pickRewritten(Text, Edits, R);
    if (!D || isDeleted(Edits, D->FirstClose))
      return std::nullopt;
    insertAfter(Result, D->FirstClose, " - 1");
    return Result;
  }
  case MutantKind::Layout:
    return spoilArray(Text, std::move(Result), R);
  case MutantKind::Stale:
    return leaveReference(Text, std::move(Result), R);
  case MutantKind::Index: {
    if (Text.References.empty())
      return std::nullopt;
    ReferenceMark Use = R.pick(Text.References);
    insertBefore(Result, Use.LastOpen, "(");
    insertAfter(Result, Use.LastClose, ") + 1");
    return Result;
  }
  case MutantKind::Barrier: {
    if (Text.Barriers.empty())
      return std::nullopt;
    BarrierMark B = R.pick(Text.Barriers);
    Result[B.Begin] = {B.Begin, B.Length, ";"};
    return Result;
  }
  case MutantKind::Sharing:
    return shareMemory(Text, std::move(Result), R);
  case MutantKind::Poison:
    return poison(Text, std::move(Result), R);
  }
  return std::nullopt;
}

} // namespace cudaopt::fuzz
