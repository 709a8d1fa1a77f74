// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Renders parts of a host loop for the struct that the runtime gets: the
/// user's text, with accesses to conflict arrays and some names replaced.
///
///     x[p[i]] * 2       becomes       memory.load(x, p[i]) * 2
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZETEXT_H
#define CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZETEXT_H

#include "LevelizeTemplate.h"
#include "LevelizeUses.h"
#include "cudaopt/Plan/LoopDecision.h"

#include "llvm/ADT/DenseMap.h"
#include <map>
#include <string>
#include <vector>

namespace cudaopt {

/// Renders the text of one loop, either for the body or for the slice.
class LevelizeText {
public:
  /// Elements are read by a member function of \p Object, which is "memory" or
  /// "touch".
  LevelizeText(const LevelizeDecision &D, const clang::ASTContext &Context,
               llvm::StringRef Object)
      : D(D), L(D.Loop), Context(Context), Template(D.Loop.Function, Context),
        Taken(collectIdentifiers(D.Loop, Context)),
        Load(own(Object) + ".load") {}

  /// Returns the text of an expression whose reads of conflict arrays have a
  /// defined order, or need none.
  std::string render(const clang::Stmt *S);
  /// Returns the user's text, for use at the loop itself.
  std::string original(const clang::Stmt *S);
  /// Like render(), for a whole expression. Declarations that must stand in
  /// front of it, to order its reads, are appended to \p Front.
  std::string renderWhole(const clang::Expr *E, std::string &Front);
  /// Appends to \p Front declarations with the values of all elements that \p E
  /// reads, in the order of the text.
  void hoist(const clang::Expr *E, std::string &Front);
  /// Returns true if \p E reads elements in an order that C++ does not define.
  bool isUnordered(const clang::Expr *E) const;
  /// Returns how many elements of conflict arrays \p S reads.
  unsigned countReads(const clang::Stmt *S) const;

  /// Returns the arguments that name an element: "x, e".
  std::string renderElement(const HostAccess &A);
  /// Returns how many elements of conflict arrays the subscripts of \p A read.
  unsigned countPlaceReads(const HostAccess &A) const;
  /// Returns true if they do so in an order that C++ does not define.
  bool isPlaceUnordered(const HostAccess &A) const;
  void hoistPlace(const HostAccess &A, std::string &Front);
  /// Returns an assignment to a conflict array as a statement without its
  /// semicolon.
  std::string renderStore(const HostAccess &A, std::string &Front);
  /// Returns the runtime's function object for an update: "cudaopt::plus{}".
  std::string operation(const HostAccess &A) const;
  /// Returns true for a write that reads the old value, as `x /= v` does.
  bool readsToo(const HostAccess &A) const;
  /// Returns the name of std::min or std::max in device code.
  static std::string minMaxName(const clang::CallExpr *Call);
  /// Gives the element that \p A reads a name, which replaces the read from now
  /// on.
  std::string nameRead(const HostAccess &A) {
    return Hoisted[A.Ref] = freshName(A);
  }

  /// Returns the function, with its parenthesis, that rounds the product or
  /// quotient \p E by itself.
  static llvm::StringRef roundedName(const clang::BinaryOperator *E);
  /// Returns `T(Text)`.
  std::string convert(clang::QualType To, const std::string &Text) const;
  std::string typeName(clang::QualType Type) const;
  /// Returns true if the file uses \p Name.
  bool isTaken(llvm::StringRef Name) const { return Taken.contains(Name); }
  /// Returns the name of an entity of the generated code: \p Name, or a variant
  /// of it if the file uses that.
  std::string own(llvm::StringRef Name) const;
  /// Returns the declaration of \p Name with type \p Type.
  std::string declare(clang::QualType Type, llvm::StringRef Name) const;

  /// A replacement for a range of the text.
  struct Splice {
    unsigned Begin, End; ///< Offsets in the main file.
    std::string Text;
  };
  /// Returns the text between two offsets with \p Splices applied.
  std::string apply(unsigned Begin, unsigned End, std::vector<Splice> Splices);
  void collect(const clang::Stmt *S, std::vector<Splice> &Splices);
  /// Returns the offsets of \p S; fails if a macro writes a part of it.
  std::optional<std::pair<unsigned, unsigned>> offsets(const clang::Stmt *S);
  /// The same, also with the semicolon that follows.
  std::optional<std::pair<unsigned, unsigned>>
  statementOffsets(const clang::Stmt *S);
  /// Notes the first reason why something cannot be rendered. The texts are
  /// then not used.
  void fail(Reason Why, const clang::Stmt *S, llvm::StringRef Detail = "");

  /// std::nullopt as long as everything could be rendered.
  std::optional<Refusal> Failure;

  const LevelizeDecision &D;
  const HostLoop &L;
  const clang::ASTContext &Context;
  const LevelizeTemplate Template;

private:
  std::string renderPlace(const HostAccess &A);
  std::string renderPlain(const HostAccess &A);
  void collectProduct(const clang::BinaryOperator *E,
                      std::vector<Splice> &Splices);
  void hoistInside(const clang::Stmt *S, bool IsConditional,
                   std::string &Front);
  std::string freshName(const HostAccess &A);

  const llvm::StringSet<> Taken; ///< Names that the user's text uses.
  const std::string Load;
  std::map<std::string, unsigned> NumNames;
  /// Names of hoisted reads, by element.
  llvm::DenseMap<const clang::Expr *, std::string> Hoisted;
};

/// Returns the body of the loop for the runtime, with the user's lines.
std::string renderLoopBody(LevelizeText &Text);
/// Returns one statement of the body.
std::string renderStatement(LevelizeText &Text, const clang::Stmt *S);
/// Returns the functions of a loop over rows (row_loop of the runtime).
std::string renderRowFunctions(LevelizeText &Text, const RowForm &Row);
/// Returns true if the loop uses names that row_loop uses itself.
bool hasRowNames(const HostLoop &L);
/// Returns copies of the host functions that the loop calls.
std::string renderCopies(LevelizeText &Text);
/// Returns the slice of the loop, with a line for each statement.
std::string renderLoopSlice(LevelizeText &Text);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZETEXT_H
