// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes the struct of a host loop, and the call that runs it. The struct's
/// members have the names of what the loop uses, so that most of the body's
/// text stays as it is.
///
///     struct f_loop {
///       cudaopt::array<double> x;   // conflict arrays
///       const int *idx;             // other arrays and invariant values
///       ... void slice(i, touch) const   // which elements iteration i
///       accesses
///       ... void body(i, memory) const   // iteration i
///     };
//===----------------------------------------------------------------------===//

#include "LevelizeStruct.h"
#include "LevelizeNames.h"
#include "LevelizeReach.h"
#include "LevelizeText.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

std::string makeLineDirective(SourceLocation Loc, const SourceManager &SM,
                              unsigned MoreLines) {
  PresumedLoc Place = SM.getPresumedLoc(Loc);
  if (Place.isInvalid())
    return "";
  std::string Name;
  for (char C : StringRef(Place.getFilename())) {
    if (C == '\\' || C == '"')
      Name += '\\';
    Name += C;
  }
  return "#line " + std::to_string(Place.getLine() + MoreLines) + " \"" + Name +
         "\"\n";
}

namespace {

/// Writes the texts of one loop.
class StructWriter {
public:
  StructWriter(const LevelizeDecision &D, StringRef Name,
               const ASTContext &Context)
      : D(D), L(D.Loop), Name(Name), Context(Context),
        Body(D, Context, "memory"), Slice(D, Context, "touch") {}

  LoopTexts write();

private:
  std::string writeStruct();
  std::string writeRowStruct();
  std::string writeVisits() const;
  /// Returns the constant by which the runtime's headers check that the
  /// compilation does not contract products with sums.
  std::string writeRounding() const {
    return D.Rounding.MeetsSums
               ? "  static constexpr bool has_products_in_sums = true;\n"
               : "";
  }
  bool isRow() const { return D.Row && !hasRowNames(L); }
  std::string writeMembers();
  std::string writeFunction(StringRef Head, StringRef Argument,
                            const std::string &Text, bool IsSlice);
  std::string iteratorValue();
  std::string writeBodyText();
  std::string writeCondition();
  std::string writeValues();
  std::string writeUses();
  std::string writeOptions();
  std::string writeReuse();
  /// Returns the name of the plan variable; the loop may use a `plan` of its
  /// own.
  std::string planName() const {
    return Body.isTaken("plan") ? Name.str() + "_plan" : "plan";
  }
  std::string pointer(const HostArray &A) const;
  QualType memberType(const HostArray &A) const;
  std::string size(const HostArray &A) const;
  std::string structHead() const;
  /// Returns the value of the iterator in iteration 0, as text at the loop.
  std::string firstValue();
  bool hasFirstMember() const {
    return L.Iterator.First && !getConstant(L.Iterator.First);
  }
  /// Returns the value of \p E if it is a constant that depends on no template
  /// parameter.
  std::optional<llvm::APSInt> getConstant(const Expr *E) const {
    return LevelizeTemplate::isDependent(E)
               ? std::nullopt
               : E->getIntegerConstantExpr(Context);
  }
  std::string count();

  const LevelizeDecision &D;
  const HostLoop &L;
  const StringRef Name;
  const ASTContext &Context;
  LevelizeText Body, Slice;
  std::string SliceText; ///< The text of the whole slice function.
};

} // namespace

static bool mentions(const Stmt *S, const VarDecl *V) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S))
    return Use->getDecl() == V;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && mentions(Child, V);
  });
}

/// Returns true if \p Text contains \p Word as a whole word.
static bool hasWord(StringRef Text, StringRef Word) {
  auto isPart = [&](size_t Place) {
    return Place < Text.size() &&
           (llvm::isAlnum(Text[Place]) || Text[Place] == '_');
  };
  for (size_t At = Text.find(Word); At != StringRef::npos;
       At = Text.find(Word, At + 1))
    if (!(At && isPart(At - 1)) && !isPart(At + Word.size()))
      return true;
  return false;
}

/// Returns a pointer to the first element, or the first row, with the type that
/// the struct's member has.
std::string StructWriter::pointer(const HostArray &A) const {
  std::string Text = A.Path.text();
  if (A.Kind == HostArrayKind::Scalar)
    return "&" + Text;
  if (A.Kind == HostArrayKind::Container)
    Text += ".data()";
  if (A.IsThrust)
    Text = "thrust::raw_pointer_cast(" + Text + ")";
  if (A.Row.empty() || (A.HasPlainRows && !A.IsConflict))
    return Text;
  const std::string Type = A.IsConflict ? Body.typeName(A.Element) + " *"
                                        : Body.declare(memberType(A), "");
  return "reinterpret_cast<" + Type + ">(" + Text + ")";
}

/// Returns the type of the member for an array that is no conflict array.
QualType StructWriter::memberType(const HostArray &A) const {
  QualType Element = Body.Template.spell(A.Element);
  if (!A.IsWritten)
    Element.addConst();
  for (uint64_t Length : llvm::reverse(A.Row))
    Element =
        Context.getConstantArrayType(Element, llvm::APInt(64, Length), nullptr,
                                     ArraySizeModifier::Normal, 0);
  return Context.getPointerType(Element);
}

/// Returns the number of elements of a conflict array, rows multiplied out.
std::string StructWriter::size(const HostArray &A) const {
  const std::string Size = "cudaopt::index_t(" + *A.Extent + ")";
  return A.Row.empty() ? Size : Size + " * " + std::to_string(A.partSize(1));
}

std::string StructWriter::firstValue() {
  const HostIterator &I = L.Iterator;
  if (!I.First)
    return "0";
  if (std::optional<llvm::APSInt> Value = getConstant(I.First)) {
    // Convert it to the iterator's type.
    llvm::APSInt Converted = *Value;
    Converted =
        Converted.extOrTrunc(Context.getTypeSize(I.Variable->getType()));
    Converted.setIsSigned(I.Variable->getType()->isSignedIntegerType());
    return llvm::toString(Converted, 10);
  }
  std::string Text = Body.original(I.First);
  if (!Context.hasSameUnqualifiedType(I.First->IgnoreParenImpCasts()->getType(),
                                      I.Variable->getType()))
    Text = Body.convert(I.Variable->getType(), Text);
  return "cudaopt::index_t(" + Text + ")";
}

/// Returns the number of iterations as text; it is not positive if there are
/// none.
std::string StructWriter::count() {
  const HostIterator &I = L.Iterator;
  if (!I.Count.empty())
    return "cudaopt::index_t(" + I.Count + ")";
  std::string Last;
  if (std::optional<llvm::APSInt> Value = getConstant(I.Last);
      Value && !Value->isNegative()) {
    Last = llvm::toString(*Value, 10);
  } else {
    Last = Body.original(I.Last);
    if (!Context.hasSameUnqualifiedType(
            I.Last->IgnoreParenImpCasts()->getType(), I.Comparison))
      Last = Body.convert(I.Comparison, Last);
    Last = "cudaopt::index_t(" + Last + ")";
  }
  const std::string First = firstValue();
  const bool IsUp = I.Step > 0;
  const int64_t Distance = IsUp ? I.Step : -I.Step;
  const int64_t More = I.IncludesLast + Distance - 1;
  // Computed here, since the difference of two literals might overflow int.
  int64_t From = 0, To = 0;
  if (!StringRef(IsUp ? First : Last).getAsInteger(10, From) &&
      !StringRef(IsUp ? Last : First).getAsInteger(10, To) && From <= To)
    return std::to_string((To - From + More) / Distance);
  std::string Text = IsUp ? Last : First;
  if (const std::string &Other = IsUp ? First : Last; Other != "0")
    Text += " - " + (Other[0] == '-' ? "(" + Other + ")" : Other);
  if (More)
    Text += " + " + std::to_string(More);
  return Distance == 1 ? Text : "(" + Text + ") / " + std::to_string(Distance);
}

/// Returns the declarations of the members, in the order of writeValues().
std::string StructWriter::writeMembers() {
  std::string Text;
  for (const HostArray &A : L.Arrays) {
    if (A.IsConflict && isRow())
      continue; // It is a member of the base class.
    if (A.IsConflict) {
      Text += "  cudaopt::array<" + Body.typeName(A.Element) + "> " + A.Name +
              ";\n";
      continue;
    }
    Text += "  " + Body.declare(memberType(A), A.Name) + ";\n";
  }
  for (const HostScalar &S : L.Scalars)
    if (S.IsInBody)
      Text +=
          "  " +
          (S.IsSize
               ? "std::size_t " + S.Name
               : Body.declare(
                     Body.Template.spell(S.Path.type()).getUnqualifiedType(),
                     S.Name)) +
          ";\n";
  if (hasFirstMember() && !isRow())
    Text += "  cudaopt::index_t " + Body.own("first_value") + ";\n";
  return Text;
}

/// Returns the iterator's value as a function of the iteration's number.
std::string StructWriter::iteratorValue() {
  const HostIterator &I = L.Iterator;
  const std::string Number = Body.own("iteration");
  std::string Value = Number;
  if (I.Step != 1)
    Value = std::to_string(I.Step) + " * " + Number;
  const std::string First =
      hasFirstMember() ? Body.own("first_value") : firstValue();
  if (First == "0")
    return Value;
  return First + (I.Step == -1 ? " - " + Number
                  : I.Step < 0
                      ? " - " + std::to_string(-I.Step) + " * " + Number
                      : " + " + Value);
}

/// Returns a member function with the given head and text. It declares the
/// loop's iterator as a function of the iteration's number, and the privatized
/// variables, as far as the text uses them.
std::string StructWriter::writeFunction(StringRef Head, StringRef Argument,
                                        const std::string &Text, bool IsSlice) {
  const HostIterator &I = L.Iterator;
  const QualType Type =
      Body.Template.spell(I.Variable->getType()).getUnqualifiedType();
  // The slice is generated text without comments, so a word search suffices.
  const bool NamesIterator = IsSlice ? hasWord(Text, I.Variable->getName())
                                     : mentions(L.Body, I.Variable);
  const std::string Number = Body.own("iteration");
  const bool NamesNumber = NamesIterator || (IsSlice && hasWord(Text, Number));
  std::string Result = Head.str() + "(cudaopt::index_t" +
                       (NamesNumber ? " " + Number : "") + ",\n      " +
                       Argument.str() + ") const {\n";
  const bool IsElement = I.Range == HostRange::Value;
  if (NamesIterator && (IsElement || I.Range == HostRange::None))
    Result +=
        "    const " +
        Body.declare(Type.getNonReferenceType().getUnqualifiedType(),
                     I.Variable->getName()) +
        " = " +
        Body.convert(I.Variable->getType().getNonReferenceType(),
                     IsElement ? L.Arrays[I.Array].Name + "[" + Number + "]"
                               : iteratorValue()) +
        ";\n";
  for (const VarDecl *V : L.Privates)
    if (IsSlice ? D.Slice.Needed.contains(V) : true)
      Result += "    " +
                Body.declare(Body.Template.spell(V->getType()), V->getName()) +
                ";\n";
  return Result + Text + "  }\n";
}

/// Returns the user's lines, with the directive that gives their line number.
std::string StructWriter::writeBodyText() {
  const SourceManager &SM = Context.getSourceManager();
  std::string Text = renderLoopBody(Body);
  const Stmt *S = L.Body;
  StringRef Rest = Text;
  unsigned MoreLines = 0;
  if (isa<CompoundStmt>(S) && Rest.ltrim(" \t\r").starts_with("\n")) {
    Rest = Rest.substr(Rest.find('\n') + 1);
    MoreLines = 1;
  }
  Text = (isa<CompoundStmt>(S) ? "" : "    ") + Rest.rtrim().str() + "\n";
  return makeLineDirective(S->getBeginLoc(), SM, MoreLines) + Text;
}

/// Returns the member function that hands all pointers, by reference, to a
/// visitor of the runtime.
std::string StructWriter::writeVisits() const {
  const std::string Type = Body.own("Visit"), Visit = Body.own("visit");
  std::string Text = "  template <class " + Type + "> void each_pointer(" +
                     Type + " &&" + Visit + ") {\n";
  for (const HostArray &A : L.Arrays)
    Text += "    " + Visit + "(" +
            (!A.IsConflict ? A.Name
             : isRow()     ? "this->x.data"
                           : A.Name + ".data") +
            ");\n";
  return Text + "  }\n";
}

std::string StructWriter::structHead() const {
  return "/// A loop of " + L.Function->getNameAsString() +
         "(), for the runtime of cuda-opt.\n" + Body.Template.header() +
         "struct " + Name.str();
}

std::string StructWriter::writeRowStruct() {
  // begin(), end() and source() decide which elements are accessed.
  const std::string Functions = renderRowFunctions(Body, *D.Row);
  SliceText = Functions.substr(0, Functions.find(" start("));
  return structHead() + "\n    : cudaopt::row_loop<" + Name.str() +
         Body.Template.arguments() + ", " +
         Body.typeName(L.Arrays[D.Row->X].Element) + "> {\n" + writeMembers() +
         "\n" + renderCopies(Body) + writeRounding() + writeVisits() +
         Functions + "};\n\n";
}

std::string StructWriter::writeStruct() {
  std::string Text =
      structHead() + " {\n" + writeMembers() + "\n" + renderCopies(Body);
  Text += writeRounding();
  if (D.IsIndependent)
    Text += "  static constexpr bool is_independent = true;\n";
  if (D.Slice.IsSelfIndexing)
    Text += "  static constexpr bool is_self_indexing = true;\n";
  std::string Names;
  for (const HostArray &A : L.Arrays)
    if (A.IsConflict)
      Names += (Names.empty() ? "" : ", ") + A.Name;
  Text += "  cudaopt::extents arrays() const { return cudaopt::extents_of(" +
          Names + "); }\n";
  Text += writeVisits();
  const std::string Touch = Body.own("Touch"), Memory = Body.own("Memory");
  SliceText = writeFunction(
      "  template <class " + Touch + ">\n  CUDAOPT_HOST_DEVICE void slice",
      Touch + " &" + Body.own("touch"), renderLoopSlice(Slice), true);
  Text += SliceText;
  Text += writeFunction(
      "  template <class " + Memory + ">\n  CUDAOPT_HOST_DEVICE void body",
      Memory + " &" + Body.own("memory"), writeBodyText(), false);
  return Text + "};\n\n";
}

/// Returns the initial values of the members.
std::string StructWriter::writeValues() {
  std::vector<std::string> Values;
  unsigned Number = 0;
  if (isRow()) {
    const HostArray &X = L.Arrays[D.Row->X];
    Values.push_back("{{" + pointer(X) + ", " + size(X) + ", 0}, " +
                     firstValue() + ", " + std::to_string(L.Iterator.Step) +
                     "}");
  }
  for (const HostArray &A : L.Arrays)
    if (!(A.IsConflict && isRow()))
      Values.push_back(A.IsConflict ? "{" + pointer(A) + ", " + size(A) + ", " +
                                          std::to_string(Number++) + "}"
                                    : pointer(A));
  for (const HostScalar &S : L.Scalars)
    if (S.IsInBody)
      Values.push_back(S.Path.text() + (S.IsSize ? ".size()" : ""));
  if (hasFirstMember() && !isRow())
    Values.push_back(firstValue());
  return llvm::join(Values, ", ");
}

/// Returns what else the loop uses; the runtime checks that none of it overlaps
/// what the loop writes. An array that the slice reads is an index.
std::string StructWriter::writeUses() {
  std::vector<std::string> Uses;
  for (const HostArray &A : L.Arrays)
    if (!A.IsConflict)
      Uses.push_back((A.IsWritten                  ? "cudaopt::out("
                      : hasWord(SliceText, A.Name) ? "cudaopt::index("
                                                   : "cudaopt::in(") +
                     pointer(A) + ", " + *A.Extent + ")");
  for (const HostScalar &S : L.Scalars) {
    // A store through a pointer may change it, unless it is a constant.
    const bool IsFixed = S.IsSize || S.Path.isConstant() || !S.MayBeReached;
    if (!IsFixed)
      Uses.push_back("cudaopt::fixed(" + S.Path.text() + ")");
  }
  return "{" + llvm::join(Uses, ", ") + "}";
}

/// Returns the values on which an earlier inspection depends: it can be reused
/// if what the slice reads is the same.
std::string StructWriter::writeReuse() {
  std::string Text = ".reused(" + planName();
  if (hasFirstMember() &&
      (isRow() || hasWord(SliceText, Body.own("first_value"))))
    Text += ", " + firstValue();
  for (const HostScalar &S : L.Scalars)
    if (hasWord(SliceText, S.Name))
      Text += ", " + S.Path.text() + (S.IsSize ? ".size()" : "");
  return Text + ")";
}

std::string StructWriter::writeOptions() {
  std::string Text;
  if (L.Mark.IsReassociated)
    Text += ".reassociated()";
  else if (L.Mark.IsApproximate)
    Text += ".approximate()";
  if (L.Mark.IsResident)
    Text += ".resident()";
  if (!L.Mark.Strategy.empty())
    Text += ".forced(cudaopt::strategy::" + L.Mark.Strategy + ")";
  if (!L.Mark.Reused.empty())
    Text += writeReuse();
  return Text.empty() ? "" : ", cudaopt::loop_options()" + Text;
}

/// Returns the condition under which the program runs its own loop: there are
/// few iterations, or the runtime declines. The pointers are in the order of
/// each_pointer().
std::string StructWriter::writeCondition() {
  const SourceManager &SM = Context.getSourceManager();
  const unsigned Column = SM.getSpellingColumnNumber(L.Loop->getBeginLoc()) - 1;
  const std::string Break = "\n" + std::string(Column + 8, ' ');
  const std::string Loop = Name.str() + Body.Template.arguments();
  std::string Pointers;
  for (const HostArray &A : L.Arrays)
    Pointers += ", " + pointer(A);
  const std::string Guard = readsBehindPointers(L) ? count() + " <= 0 || " : "";
  return Guard + "cudaopt::is_small<" + Loop + ">(" + count() + Pointers +
         ") ||" + Break.substr(0, Break.size() - 4) + "!cudaopt::run_loop(" +
         Break + Loop + "{" + writeValues() + "}," + Break + count() + "," +
         Break + writeUses() + writeOptions() + ")";
}

/// nvcc does not compile kernels over types of an unnamed namespace that is
/// nested in another one.
static bool isInUnnamedNamespace(const FunctionDecl *F) {
  for (const DeclContext *C = F->getLexicalDeclContext(); C;
       C = C->getLexicalParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(C))
      if (Space->isAnonymousNamespace())
        return true;
  return false;
}

LoopTexts StructWriter::write() {
  LoopTexts Result;
  Result.Refused = findNameRefusal(L, Body.Template, Context);
  if (!Result.Refused)
    Result.Refused = findUnreached(L);
  if (Result.Refused)
    return Result;
  Result.Struct = isRow() ? writeRowStruct() : writeStruct();
  if (!isInUnnamedNamespace(L.Function))
    Result.Struct = "namespace {\n\n" + Result.Struct + "} // namespace\n\n";
  Result.Condition = writeCondition();
  if (!L.Mark.Reused.empty())
    Result.Plan = "static thread_local cudaopt::plan " + planName() + "; ";
  Result.Refused = Body.Failure ? Body.Failure : Slice.Failure;
  return Result;
}

LoopTexts makeLoopTexts(const LevelizeDecision &D, StringRef Name,
                        const ASTContext &Context) {
  LevelizeDecision Renamed = D;
  renameMembers(Renamed.Loop, Context);
  return StructWriter(Renamed, Name, Context).write();
}

} // namespace cudaopt
