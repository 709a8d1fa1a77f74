// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes the layout of an array into its declaration and into every subscript.
///
/// \verbatim
///     Pad        [N][N] -> [N][N + 1]        s[y * W + x] -> s[y * (W + 1) +
///     x]
///                                            s[i] -> s[i + (i >> 5)]
///     Permute    tile[y][x] -> tile[x][y]    s[y * W + x] -> s[y + x * 8]
///     Xor        tile[y][x] -> tile[y][x ^ (y & 3)]
///                s[y * W + x] -> s[y * W + (x ^ (y & 3))]
///                s[i] -> s[i ^ (i >> 5 & 3)]
///                in longer rows: s[y * W + x] -> s[y * (W + 2) + (x ^ (y &
///                1))]
///     Rotate     tile[y][x] -> tile[y][(x + 4 * y) & 31]
///     Fields     s[i].x -> s.x[i]
///     Transform  tile[y][x] -> tile[y * 53 + x * 2]
/// \endverbatim
///
/// One text serves all instances of a kernel, so the numbers in it must suit
/// all of them; where they differ, the array is left as it is. A failed rewrite
/// of one array leaves no edits behind; if a function cannot be copied, all
/// rewrites of the kernels that need the copy are given up, and the rest is
/// done anew.
//===----------------------------------------------------------------------===//

#include "cudaopt/Rewrite/RewriteKernel.h"

#include "DeclarationEdit.h"
#include "FunctionCopyEdit.h"
#include "InstanceAssertion.h"
#include "SubscriptEdit.h"
#include "TextEdits.h"
#include "UnrollEdit.h"
#include "cudaopt/Model/TextRefusals.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace clang;
using llvm::Error;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Returns how many values coordinate \p From of \p Shape has: 0 is the column,
/// 1 the row, and so on.
static uint64_t countCoordinates(const Layout &New, const ArrayShape &Shape,
                                 unsigned From) {
  const size_t N = Shape.Extents.size();
  if (N > 1)
    return Shape.Extents[N - 1 - From];
  const uint64_t Pitch = New.pitchOf(Shape);
  return From == 0 ? Pitch : llvm::divideCeil(Shape.numElements(), Pitch);
}

/// Computes the numbers of the layout for one instance.
static LayoutNumbers numbersOf(const Layout &New, const ArrayShape &Shape) {
  LayoutNumbers Numbers;
  Numbers.NumDimensions = Shape.Extents.size();
  Numbers.ElementSize = Shape.ElementSize;
  const bool IsFlat = Shape.Extents.size() == 1;
  const uint64_t P = New.pitchOf(Shape);
  if (IsFlat)
    Numbers.Pitch = New.Pitch;
  else if (New.Kind == Layout::Family::Rotate)
    Numbers.Pitch = P;
  if (New.Kind == Layout::Family::Transform) {
    Numbers.ColumnStride = New.T[0][0] + P * New.T[1][0];
    Numbers.RowStride = New.T[0][1] + P * New.T[1][1];
  }
  if (New.Kind == Layout::Family::Permute && IsFlat) {
    Numbers.ColumnStride =
        llvm::divideCeil(Shape.numElements(), P) + New.Padding;
    Numbers.RowStride = 1;
  }
  if (IsFlat || New.Kind == Layout::Family::Transform)
    Numbers.ExtraElements = New.storage(Shape) - Shape.numElements();
  for (size_t I = 0; I != New.Terms.size(); ++I) {
    const BitTerm &Term = New.Terms[I];
    uint64_t Taken = uint64_t(1) << (Term.Shift + Term.Bits);
    if (countCoordinates(New, Shape, Term.From) > Taken)
      Numbers.Masks |= uint64_t(1) << I;
  }
  return Numbers;
}

/// Merges \p Other into \p Numbers; returns why one text cannot serve both, or
/// null.
static const char *combine(LayoutNumbers &Numbers, const LayoutNumbers &Other,
                           const Layout &New) {
  if (Numbers.NumDimensions != Other.NumDimensions)
    return "the number of dimensions differs";
  if (Numbers.ExtraElements != Other.ExtraElements) {
    if (New.Kind != Layout::Family::Pad && New.Kind != Layout::Family::Xor)
      return "instances need different sizes";
    Numbers.ExtraElements = std::nullopt;
  }
  if (Numbers.Pitch != Other.Pitch || Numbers.RowStride != Other.RowStride ||
      Numbers.ColumnStride != Other.ColumnStride)
    return "instances have rows of different lengths";
  Numbers.Masks |= Other.Masks;
  Numbers.ElementSize = std::max(Numbers.ElementSize, Other.ElementSize);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// One array
//===----------------------------------------------------------------------===//

namespace {

/// Makes the edits for one array, apart from those of others.
class ArrayRewriter {
public:
  ArrayRewriter(const Kernel &K, ArrayId Array, const Layout &New,
                ASTContext &Context)
      : K(K), A(K.Arrays[Array]), Array(Array), New(New), Context(Context),
        Own(Context) {}

  Error run();
  const TextEdits &edits() const { return Own; }

private:
  Error findNumbers();
  Error checkMentions() const;
  Error editText();
  Error editParameters();
  Error editSubscripts();
  Error editLeadingDimensions();
  Error refuse(const char *Why, SourceLocation Loc) const {
    return cudaopt::refuse(A.Name, Why, Loc, Context);
  }

  const Kernel &K;
  const SharedArray &A;
  const ArrayId Array;
  const Layout &New;
  ASTContext &Context;
  TextEdits Own;
  LayoutNumbers Numbers;
};

} // namespace

/// Computes the numbers for each instance and merges them.
Error ArrayRewriter::findNumbers() {
  SourceLocation Loc = A.Decl->getLocation();
  for (const auto &Instance : K.Instances) {
    if (Array >= Instance->Shapes.size() ||
        Instance->Shapes[Array].Extents.empty())
      continue;
    const ArrayShape &Shape = Instance->Shapes[Array];
    if (const char *Misfit = New.findMisfit(Shape))
      return refuse(Misfit, Loc);
    LayoutNumbers Here = numbersOf(New, Shape);
    if (Numbers.NumDimensions == 0)
      Numbers = Here;
    else if (const char *Why = combine(Numbers, Here, New))
      return refuse(Why, Loc);
  }
  if (Numbers.NumDimensions == 0)
    return refuse("an unknown size", Loc);
  return Error::success();
}

/// A flattened array has another type. No other expression may name it, nor may
/// text that no instance contains (a discarded branch).
Error ArrayRewriter::checkMentions() const {
  llvm::DenseSet<SourceLocation> Known;
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      const Expr *Base = Use.Ref->IgnoreParens();
      while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Base))
        Base = Subscript->getBase()->IgnoreParenImpCasts();
      if (Use.Array == Array)
        Known.insert(Base->getBeginLoc());
    }
  for (SourceLocation Mention : findMentions(K, A).All)
    if (!Known.contains(Mention))
      return refuse("the array is named without subscripts", Mention);
  return Error::success();
}

/// Lengthens the rows in the types of the parameters that name the array.
Error ArrayRewriter::editParameters() {
  if (!New.Padding && !New.RowPadding)
    return Error::success();
  for (auto [Id, Use] : llvm::enumerate(K.FunctionUses))
    for (auto [Index, Given] : llvm::enumerate(Use.Arrays))
      if (Given == Array)
        if (Error Failed = editParameter(A, Use.Function, Index, New,
                                         Numbers.NumDimensions, Context,
                                         Own.of(K, K.findCopy(Array, Id))))
          return Failed;
  return Error::success();
}

Error ArrayRewriter::editSubscripts() {
  // Accesses by the place of their last bracket, in the order of the text:
  // those of one place share a text.
  using Where = std::pair<std::optional<FunctionUseId>, SourceLocation>;
  std::map<Where, SameText> Texts;
  std::set<Where> OfOthers;
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      llvm::SmallVector<SourceLocation, 4> Brackets =
          getSubscriptBrackets(Use.Ref);
      std::optional<SourceLocation> Place;
      if (!Brackets.empty())
        Place = getFileAnchor(Brackets.back(), Context);
      const std::optional<FunctionUseId> Copy = K.findCopy(Use.Array, Use.Use);
      if (Use.Array != Array) {
        if (Place)
          OfOthers.insert({Copy, *Place});
        continue;
      }
      if (!Place)
        return refuse("a subscript cannot be edited", Use.Ref->getBeginLoc());
      Texts[{Copy, *Place}].push_back({&Use, Instance.get()});
    }
  for (const auto &[Where, Uses] : Texts) {
    if (OfOthers.count(Where))
      return refuse("a subscript of several arrays", Where.second);
    SubscriptEditor Editor(A.Name, New, Numbers, Context,
                           Own.of(K, Where.first));
    if (Error Failed = Editor.edit(Uses))
      return Failed;
  }
  return Error::success();
}

/// load_matrix_sync(f, &A[r][c], 64) -> load_matrix_sync(f, &A[r][c], 64 + 8)
Error ArrayRewriter::editLeadingDimensions() {
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      if (Use.Array != Array || !Use.Run || !Use.Run->Ldm)
        continue;
      const Expr *Ldm = Use.Run->Ldm;
      std::optional<CharSourceRange> Range = getEditableRange(
          Ldm->getSourceRange(), Use.Run->Call->getRParenLoc(), Context);
      if (!Range || New.Kind != Layout::Family::Pad || New.RowPadding)
        return refuse("a leading dimension cannot be edited",
                      Ldm->getBeginLoc());
      const Text Longer = Text::inPlace(Ldm).plus(New.Padding);
      auto [Before, After] = llvm::StringRef(Longer.Code).split(Text::Kept);
      if (Error Failed = Own.of(K, K.findCopy(Array, Use.Use))
                             .replaceAround(*Range, *Range, {Before, After}))
        return Failed;
    }
  return Error::success();
}

/// Makes all edits of the layout. Padding of arrays of several dimensions needs
/// none in subscripts.
Error ArrayRewriter::editText() {
  if (New.Kind == Layout::Family::Fields)
    return editFields(K, A, Context, Own.InPlace);
  if (Error Failed = editDeclaration(A, New, Numbers, Context, Own.InPlace))
    return Failed;
  if (Error Failed = editLeadingDimensions())
    return Failed;
  const bool IsBox = Numbers.NumDimensions > 1;
  if (IsBox)
    if (Error Failed = editParameters())
      return Failed;
  if (New.Kind == Layout::Family::Pad && IsBox)
    return Error::success();
  if (A.SubscriptRefusal)
    return refuse("a subscript cannot be edited", A.SubscriptRefusal->Loc);
  if (New.Kind == Layout::Family::Transform && IsBox)
    if (Error Failed = checkMentions())
      return Failed;
  if (Error Failed = editSubscripts())
    return Failed;
  return keepUnrolled(K, Array, Context, Own);
}

Error ArrayRewriter::run() {
  if (Error Failed = findNumbers())
    return Failed;
  if (Error Failed = editText())
    return Failed;
  return assertInstances(K, A.Name, Context, Own.InPlace);
}

//===----------------------------------------------------------------------===//
// All arrays
//===----------------------------------------------------------------------===//

static Error rewriteArray(const ArrayRewrite &Wanted, ASTContext &Context,
                          TextEdits &E) {
  if (Wanted.New.Kind == Layout::Family::Identity)
    return Error::success();
  ArrayRewriter Rewriter(Wanted.K, Wanted.Array, Wanted.New, Context);
  if (Error Failed = Rewriter.run())
    return Failed;
  return E.add(Rewriter.edits());
}

std::vector<ArrayRewrite> listRewrites(const Kernel &K, const Plan &P) {
  std::vector<ArrayRewrite> Wanted;
  for (const auto &[Array, Decision] : P.Layouts)
    if (Decision.isRewritten())
      Wanted.push_back({K, Array, Decision.New});
  return Wanted;
}

/// The rewrites of one kernel.
using OfKernel = llvm::MutableArrayRef<ArrayRewrite>;

/// Gives up all layouts of a kernel whose copies cannot be made.
static void giveUp(OfKernel Rewrites, const std::string &Why) {
  for (ArrayRewrite &Each : Rewrites)
    if (Each.WhyNot.empty())
      Each.WhyNot = Why;
}

static std::vector<OfKernel> splitByKernel(OfKernel Wanted) {
  std::vector<OfKernel> Result;
  while (!Wanted.empty()) {
    const Kernel &K = Wanted.front().K;
    size_t Count = 1;
    while (Count < Wanted.size() && &Wanted[Count].K == &K)
      ++Count;
    Result.push_back(Wanted.take_front(Count));
    Wanted = Wanted.drop_front(Count);
  }
  return Result;
}

/// Adds all edits to \p All. Returns false if some copy cannot be made: the
/// kernels that need it are given up, and \p All must be dropped.
static bool addEdits(llvm::ArrayRef<OfKernel> Kernels, ASTContext &Context,
                     TextEdits &All) {
  for (OfKernel Rewrites : Kernels)
    for (ArrayRewrite &Each : Rewrites)
      if (Each.WhyNot.empty())
        if (Error Failed = rewriteArray(Each, Context, All))
          Each.WhyNot = toString(std::move(Failed));
  FunctionCopyEditor Copies(Context, All);
  bool IsDone = true;
  for (OfKernel Rewrites : Kernels)
    if (Error Failed = Copies.add(Rewrites)) {
      giveUp(Rewrites, toString(std::move(Failed)));
      IsDone = false;
    }
  if (!IsDone)
    return false;
  for (const Kernel *Wrong : Copies.insert()) {
    giveUp(
        *llvm::find_if(Kernels,
                       [&](OfKernel Each) { return &Each.front().K == Wrong; }),
        "a function would be changed in two ways");
    IsDone = false;
  }
  return IsDone;
}

Edits rewriteArrays(llvm::MutableArrayRef<ArrayRewrite> Wanted,
                    ASTContext &Context) {
  const std::vector<OfKernel> Kernels = splitByKernel(Wanted);
  while (true) {
    TextEdits All(Context);
    if (addEdits(Kernels, Context, All))
      return All.InPlace;
  }
}

Error writeRewrite(const Kernel &K, const KernelRewrite &Wanted,
                   ASTContext &Context, Edits &E) {
  Edits All = E;
  if (Error Failed = Wanted.write(K, Context, All))
    return Failed;
  if (Error Failed = assertInstances(K, K.Name, Context, All))
    return Failed;
  E = std::move(All);
  return Error::success();
}

} // namespace cudaopt
