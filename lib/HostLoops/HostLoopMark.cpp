// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the marks of host loops. Sizes of arrays are kept as text: the
/// generated code evaluates them where the loop stands.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/HostLoopMark.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cudaopt {

static constexpr StringLiteral MarkPrefix = "cudaopt::levelize=";

/// The strategies of the runtime (cudaopt/levelize/status.hpp).
static constexpr StringLiteral Strategies[] = {
    "automatic",   "sequential",       "doall",
    "last_writer", "atomic_reduction", "ordered_reduction",
    "chains",      "levels_graph",     "levels_cooperative",
    "owner",       "renaming",         "tickets",
    "reserve",     "paper_levels"};

std::optional<std::string> HostLoopMark::findExtent(StringRef Array) const {
  for (const MarkedExtent &Each : Extents)
    if (Each.Array == Array)
      return Each.Size;
  return std::nullopt;
}

std::optional<StringRef> findMark(const clang::AttributedStmt *S) {
  for (const clang::Attr *Each : S->getAttrs())
    if (const auto *Mark = dyn_cast<clang::AnnotateAttr>(Each))
      if (StringRef Text = Mark->getAnnotation();
          Text.consume_front(MarkPrefix))
        return Text;
  return std::nullopt;
}

/// Splits \p Text at the commas that no bracket encloses; returns std::nullopt
/// if brackets do not match.
static std::optional<std::vector<StringRef>> splitClauses(StringRef Text) {
  std::vector<StringRef> Clauses;
  std::string Open;
  size_t Begin = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    const char C = Text[I];
    if (C == '(' || C == '[' || C == '{')
      Open += C == '(' ? ')' : C == '[' ? ']' : '}';
    else if (C == ')' || C == ']' || C == '}') {
      if (Open.empty() || Open.back() != C)
        return std::nullopt;
      Open.pop_back();
    } else if (C == ',' && Open.empty()) {
      Clauses.push_back(Text.slice(Begin, I).trim());
      Begin = I + 1;
    }
  }
  if (!Open.empty())
    return std::nullopt;
  if (StringRef Last = Text.substr(Begin).trim(); !Last.empty() || Begin)
    Clauses.push_back(Last);
  return Clauses;
}

/// Returns true if \p Size can be evaluated any number of times: the characters
/// allowed here spell no assignment, string, or statement. (A call may still
/// have effects; its author vouches for it.)
static bool isHarmless(StringRef Size) {
  return !Size.empty() && !Size.contains("++") && !Size.contains("--") &&
         all_of(Size, [](char C) {
           return isAlnum(C) || StringRef("_ .:()[]+-*/%<>,&").contains(C);
         });
}

/// Returns true for the characters of `a`, `a.b` and `this->b`.
static bool isPath(StringRef Name) {
  return !Name.empty() && !isDigit(Name.front()) && all_of(Name, [](char C) {
    return isAlnum(C) || StringRef("_.->").contains(C);
  });
}

/// Parses `x[0:n]`.
static Expected<MarkedExtent> parseExtent(StringRef Clause) {
  auto [Array, Rest] = Clause.split('[');
  Array = Array.rtrim();
  Rest = Rest.ltrim();
  if (!isPath(Array) || !Rest.consume_back("]"))
    return createStringError("'" + Clause +
                             "' is no clause: give x[0:n], reuse(x), exact, "
                             "approx, reassoc, resident or strategy(name)");
  auto [First, Size] = Rest.split(':');
  if (First.trim() != "0" || !isHarmless(Size.trim()))
    return createStringError("'" + Clause +
                             "' is no extent: give x[0:n], n an expression "
                             "without effects");
  return MarkedExtent{Array.str(), Size.trim().str()};
}

/// Parses one clause into \p Mark.
static Error parseClause(StringRef Clause, HostLoopMark &Mark) {
  StringRef Arguments = Clause;
  if (Clause == "exact" || Clause == "reassoc") {
    Mark.IsReassociated = Mark.IsApproximate = Clause == "reassoc";
  } else if (Clause == "approx") {
    Mark.IsApproximate = true;
  } else if (Clause == "resident") {
    Mark.IsResident = true;
  } else if (Arguments.consume_front("reuse") &&
             (Arguments = Arguments.ltrim()).consume_front("(") &&
             Arguments.consume_back(")")) {
    for (StringRef Name : split(Arguments, ','))
      Mark.Reused.push_back(Name.trim().str());
  } else if (Arguments = Clause;
             Arguments.consume_front("strategy") &&
             (Arguments = Arguments.ltrim()).consume_front("(") &&
             Arguments.consume_back(")")) {
    Mark.Strategy = Arguments.trim().str();
    if (!is_contained(Strategies, Mark.Strategy))
      return createStringError("'" + Mark.Strategy + "' is no strategy");
  } else {
    Expected<MarkedExtent> Extent = parseExtent(Clause);
    if (!Extent)
      return Extent.takeError();
    if (Mark.findExtent(Extent->Array))
      return createStringError("'" + Extent->Array + "' has two extents");
    Mark.Extents.push_back(std::move(*Extent));
  }
  return Error::success();
}

Expected<HostLoopMark> parseMark(StringRef Text) {
  HostLoopMark Mark;
  std::optional<std::vector<StringRef>> Clauses = splitClauses(Text);
  if (!Clauses)
    return createStringError("its brackets do not match");
  for (StringRef Clause : *Clauses)
    if (Error E = parseClause(Clause, Mark))
      return E;
  return Mark;
}

std::string separateClauses(StringRef Text) {
  std::string Result;
  unsigned Depth = 0;
  for (Text = Text.trim(); !Text.empty(); Text = Text.drop_front()) {
    const char C = Text.front();
    Depth += C == '(' || C == '[' || C == '{';
    Depth -= (C == ')' || C == ']' || C == '}') && Depth > 0;
    const StringRef Rest = Text.ltrim();
    const bool Separates = Depth == 0 && isSpace(C) &&
                           !StringRef("([,.-").contains(Rest.front()) &&
                           !StringRef(",.>").contains(Result.back());
    Result += Separates ? ',' : C;
    if (isSpace(C))
      Text = Text.take_back(Rest.size() + 1);
  }
  return Result;
}

} // namespace cudaopt
