// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of a host loop's parts inside of the struct that the runtime gets:
/// the user's, with accesses to conflict arrays and some names replaced.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZETEXT_H
#define CUDAOPT_LIB_REWRITE_LEVELIZETEXT_H

#include "LevelizeTemplate.h"
#include "LevelizeUses.h"
#include "cudaopt/Transforms/Levelize.h"

#include "llvm/ADT/DenseMap.h"
#include <map>
#include <string>
#include <vector>

namespace cudaopt {

class LevelizeText {
public:
  /// Elements are read by a member function of \p Object, "memory" or "touch".
  LevelizeText(const LevelizeDecision &D, const clang::ASTContext &Context,
               llvm::StringRef Object)
      : D(D), L(D.Loop), Context(Context), Template(D.Loop.Function, Context),
        Taken(collectIdentifiers(D.Loop, Context)),
        Load(own(Object) + ".load") {}

  /// The text of an expression whose reads of conflict arrays have an order, or
  /// need none.
  std::string render(const clang::Stmt *S);
  /// The user's text, for the place where it stands.
  std::string original(const clang::Stmt *S);
  /// The same for a whole expression; declarations that must stand in front of
  /// it, to give its reads an order, are added to \p Front.
  std::string renderWhole(const clang::Expr *E, std::string &Front);
  /// Declares the values of all elements that \p E reads, one after the other.
  void hoist(const clang::Expr *E, std::string &Front);
  /// True if \p E reads elements in an order that C++ does not define.
  bool isUnordered(const clang::Expr *E) const;
  unsigned countReads(const clang::Stmt *S) const;

  /// What an access is to: "x, e".
  std::string renderElement(const HostAccess &A);
  /// The reads of conflict arrays in the subscripts of \p A.
  unsigned countPlaceReads(const HostAccess &A) const;
  /// True if it has some in an order that C++ does not define.
  bool isPlaceUnordered(const HostAccess &A) const;
  void hoistPlace(const HostAccess &A, std::string &Front);
  /// An assignment to a conflict array as a statement without its semicolon.
  std::string renderStore(const HostAccess &A, std::string &Front);
  /// "cudaopt::plus{}" for an update.
  std::string operation(const HostAccess &A) const;
  bool readsToo(const HostAccess &A) const;
  /// What std::min and std::max are called on the device.
  static std::string minMaxName(const clang::CallExpr *Call);
  /// Gives the element that \p A reads a name, which stands for it from now on.
  std::string nameRead(const HostAccess &A) {
    return Hoisted[A.Ref] = freshName(A);
  }

  /// What rounds the product, or the quotient, that \p E computes.
  static llvm::StringRef roundedName(const clang::BinaryOperator *E);
  /// `T(Text)`
  std::string convert(clang::QualType To, const std::string &Text) const;
  std::string typeName(clang::QualType Type) const;
  /// True if the file uses \p Name.
  bool isTaken(llvm::StringRef Name) const { return Taken.contains(Name); }
  /// What a thing of the generated code is called, that would be \p Name if
  /// the file had none of this name.
  std::string own(llvm::StringRef Name) const;
  /// Declares \p Name, of \p Type.
  std::string declare(clang::QualType Type, llvm::StringRef Name) const;

  /// Replaces the text of \p Range in what is rendered next.
  struct Splice {
    unsigned Begin, End; ///< Offsets in the main file.
    std::string Text;
  };
  /// The text between two offsets, with \p Splices.
  std::string apply(unsigned Begin, unsigned End, std::vector<Splice> Splices);
  void collect(const clang::Stmt *S, std::vector<Splice> &Splices);
  /// The offsets of \p S; fails where macros write parts of it.
  std::optional<std::pair<unsigned, unsigned>> offsets(const clang::Stmt *S);
  /// The same, also with the semicolon that follows.
  std::optional<std::pair<unsigned, unsigned>>
  statementOffsets(const clang::Stmt *S);
  void fail(Reason Why, const clang::Stmt *S, llvm::StringRef Detail = "");

  Blocker Failure; ///< None as long as all could be rendered.

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

  const llvm::StringSet<> Taken; ///< Names of the user's.
  const std::string Load;
  std::map<std::string, unsigned> NumNames;
  llvm::DenseMap<const clang::Expr *, std::string> Hoisted; ///< By element.
};

/// The body of the loop for the runtime, with the user's lines.
std::string renderLoopBody(LevelizeText &Text);
/// One statement of the body.
std::string renderStatement(LevelizeText &Text, const clang::Stmt *S);
/// The functions of a loop over rows (row_loop of the runtime).
std::string renderRowFunctions(LevelizeText &Text, const RowForm &Row);
/// True if the loop uses names that row_loop has for its own things.
bool hasRowNames(const HostLoop &L);
/// What the loop calls and the device has not.
std::string renderCopies(LevelizeText &Text);
/// The slice of the loop, a line for each statement.
std::string renderLoopSlice(LevelizeText &Text);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZETEXT_H
