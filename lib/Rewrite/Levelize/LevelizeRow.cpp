// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes the functions of a loop over rows, as the runtime's row_loop needs
/// them. In terms of these the loop is:
///
///     sum = start(i);
///     for (k = begin(i); k < end(i); ++k)
///       sum = step(i, k, x[source(k)], sum);
///     x[i] = finish(i, sum);
//===----------------------------------------------------------------------===//

#include "LevelizeStruct.h"
#include "LevelizeText.h"

#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

static bool mentions(const Stmt *S, const VarDecl *V) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S))
    return Use->getDecl() == V;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && mentions(Child, V);
  });
}

namespace {

/// Writes one struct's functions. A parameter gets a name only if the function
/// uses it, to avoid warnings.
class RowWriter {
public:
  RowWriter(LevelizeText &Text, const RowForm &Row)
      : Text(Text), Row(Row), I(Text.L.Iterator.Variable),
        Value(Text.typeName(Text.L.Arrays[Row.X].Element)) {}

  std::string write() {
    const std::string Index = "cudaopt::index_t";
    std::string Result =
        function(Index, "begin", {I, Row.K->getInit()}, Row.K->getInit()) +
        function(Index, "end", {I, Row.End}, Row.End) +
        function(Index, "source", {Row.K, Row.Source->getOnlySubscript()},
                 Row.Source->getOnlySubscript()) +
        function(Value, "start", {I, Row.Sum->getInit()}, Row.Sum->getInit());
    return Result + writeStep() + writeFinish();
  }

private:
  struct Parameter {
    const VarDecl *Variable;
    const Stmt *User; ///< The parameter has a name if this mentions it.
  };
  std::string parameter(const Parameter &P) const {
    return "cudaopt::index_t" + (mentions(P.User, P.Variable)
                                     ? " " + P.Variable->getNameAsString()
                                     : "");
  }
  std::string head(const std::string &Type, StringRef Name,
                   const std::string &Parameters) const {
    return "  CUDAOPT_HOST_DEVICE " + Type + " " + Name.str() + "(" +
           Parameters + ") const {\n";
  }
  std::string function(const std::string &Type, StringRef Name, Parameter P,
                       const Expr *E) {
    return head(Type, Name, parameter(P)) + "    return " + Text.render(E) +
           ";\n  }\n";
  }
  std::string writeStep() {
    const std::string Element = Text.nameRead(*Row.Source);
    const std::string Sum = Row.Sum->getNameAsString();
    const Stmt *Body = Row.Terms->getBody();
    const SourceManager &SM = Text.Context.getSourceManager();
    std::string Lines = renderStatement(Text, Body);
    return head(Value, "step",
                parameter({I, Body}) + ", " + parameter({Row.K, Body}) +
                    ",\n      " + Value + " " + Element + ", " + Value + " " +
                    Sum) +
           makeLineDirective(Body->getBeginLoc(), SM) + "    " + Lines +
           "\n    return " + Sum + ";\n  }\n";
  }
  std::string writeFinish() {
    const std::string Sum =
        mentions(Row.Result, Row.Sum) ? " " + Row.Sum->getNameAsString() : "";
    return head(Value, "finish",
                parameter({I, Row.Result}) + ", " + Value + Sum) +
           "    return " + Text.render(Row.Result) + ";\n  }\n";
  }

  LevelizeText &Text;
  const RowForm &Row;
  const VarDecl *I;
  const std::string Value; ///< The type of an element.
};

} // namespace

std::string renderRowFunctions(LevelizeText &Text, const RowForm &Row) {
  return RowWriter(Text, Row).write();
}

bool hasRowNames(const HostLoop &L) {
  static constexpr llvm::StringLiteral Taken[] = {
      "first",  "stride", "row",  "iteration", "begin",     "end",
      "source", "start",  "step", "finish",    "value_type"};
  auto isTaken = [&](StringRef Name, bool IsX) {
    return llvm::is_contained(Taken, Name) || (Name == "x" && !IsX);
  };
  return llvm::any_of(
             L.Locals,
             [&](const VarDecl *V) { return isTaken(V->getName(), false); }) ||
         llvm::any_of(L.Arrays,
                      [&](const HostArray &A) {
                        return isTaken(A.Name, A.IsConflict);
                      }) ||
         llvm::any_of(
             L.Scalars,
             [&](const HostScalar &S) { return isTaken(S.Name, false); }) ||
         isTaken(L.Iterator.Variable->getName(), false);
}

} // namespace cudaopt
