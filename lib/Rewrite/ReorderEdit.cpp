// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes the statements of a kernel in another order, line by line: each keeps
/// its text and the comments in front of it. If a loop is split, each part gets
/// the loop's header, and the first part its comments.
//===----------------------------------------------------------------------===//

#include "StatementText.h"
#include "cudaopt/Rewrite/RewriteKernel.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::Error;
using llvm::StringRef;

namespace cudaopt {
namespace {

/// Writes the body of one kernel.
class OrderWriter {
public:
  OrderWriter(const OrderDecision &Order, const CompoundStmt *Body,
              ASTContext &Context)
      : Order(Order), Body(Body), Context(Context) {}

  Error run(Edits &E);

private:
  using Items = std::vector<OrderedItem>;

  llvm::Expected<std::string> write(const Items &Sequence,
                                    const BlockLines &Block);
  llvm::Expected<std::string> writePart(const OrderedItem &Item,
                                        const StatementLines &Loop);
  void noteUsed(const Items &Sequence);
  std::string takeLostComments(const BlockLines &Block, size_t Index) const;

  const OrderDecision &Order;
  const CompoundStmt *Body;
  ASTContext &Context;
  llvm::DenseSet<const Stmt *> Used,
      /// Statements that the new order contains, and loops of which a part has
      /// been written.
      Begun;
};

} // namespace

static const CompoundStmt *getLoopBody(const Stmt *Loop) {
  if (const auto *Attributed = dyn_cast<AttributedStmt>(Loop))
    Loop = Attributed->getSubStmt();
  return cast<CompoundStmt>(cast<ForStmt>(Loop)->getBody());
}

void OrderWriter::noteUsed(const Items &Sequence) {
  for (const OrderedItem &Item : Sequence) {
    Used.insert(Item.Statement);
    noteUsed(Item.Parts);
  }
}

/// Returns the comments of the statements right in front of the one at \p Index
/// that are not part of the new order: barriers.
std::string OrderWriter::takeLostComments(const BlockLines &Block,
                                          size_t Index) const {
  std::string Lost;
  for (; Index > 0; --Index) {
    const auto &Before = Block.Statements[Index - 1];
    if (Used.contains(Before.Statement))
      break;
    Lost = Before.comments() + Lost;
  }
  return Lost;
}

/// Returns a barrier on a line of its own, indented like the block's first
/// statement.
static std::string writeBarrier(const BlockLines &Block) {
  const StringRef Model = Block.Statements.front().Own;
  const StringRef Indent =
      Model.take_front(Model.size() - Model.ltrim(" \t").size());
  return (Indent + "__syncthreads();" +
          (Model.ends_with("\r\n") ? "\r\n" : "\n"))
      .str();
}

/// Returns the text of a sequence of statements, whose lines \p Block has.
llvm::Expected<std::string> OrderWriter::write(const Items &Sequence,
                                               const BlockLines &Block) {
  std::string Text;
  for (const OrderedItem &Item : Sequence) {
    if (!Item.Statement) {
      Text += writeBarrier(Block);
      continue;
    }
    const StatementLines *Lines = Block.find(Item.Statement);
    if (!Lines)
      return llvm::createStringError("a statement is not found");
    const std::string Lost =
        takeLostComments(Block, Lines - Block.Statements.data());
    if (Item.Parts.empty()) {
      Text += Lost + (Lines->Front + Lines->Own).str();
      continue;
    }
    const bool IsFirst = Begun.insert(Item.Statement).second;
    llvm::Expected<std::string> Part = writePart(Item, *Lines);
    if (!Part)
      return Part.takeError();
    Text += IsFirst ? Lost + Lines->Front.str() : Lines->pragmas();
    Text += *Part;
  }
  return Text;
}

/// Returns one part of a split loop: the loop's own text, with only the
/// statements of \p Item.Parts in its body.
llvm::Expected<std::string> OrderWriter::writePart(const OrderedItem &Item,
                                                   const StatementLines &Loop) {
  const CompoundStmt *LoopBody = getLoopBody(Item.Statement);
  llvm::Expected<BlockLines> Block = readBlock(LoopBody, Context);
  if (!Block)
    return Block.takeError();
  llvm::Expected<std::string> Inner = write(Item.Parts, *Block);
  if (!Inner)
    return Inner.takeError();
  StringRef Text = *Inner;
  // Drop blank lines that separated this part from the one before.
  while (Text.ltrim(" \t\r").starts_with("\n"))
    Text = Text.drop_front(Text.find('\n') + 1);
  const SourceManager &SM = Context.getSourceManager();
  const StringRef Buffer =
      SM.getBufferData(SM.getFileID(LoopBody->getLBracLoc()));
  const unsigned Begin = Loop.Own.data() - Buffer.data();
  return (Buffer.slice(Begin, Block->Begin) + Text +
          Buffer.slice(Block->End, Begin + Loop.Own.size()))
      .str();
}

/// Returns the number of bytes in the whole lines that \p A and \p B begin
/// with.
static size_t countCommonLines(StringRef A, StringRef B) {
  size_t Common = 0;
  while (Common != A.size()) {
    const size_t End = std::min(A.find('\n', Common), A.size() - 1) + 1;
    if (A.slice(Common, End) != B.slice(Common, End))
      break;
    Common = End;
  }
  return Common;
}

/// Returns the number of bytes in the whole lines that \p A and \p B end with.
static size_t countCommonLinesAtEnd(StringRef A, StringRef B) {
  size_t Common = 0, Lines = 0;
  while (Common < std::min(A.size(), B.size()) &&
         A[A.size() - 1 - Common] == B[B.size() - 1 - Common]) {
    ++Common;
    const size_t Begin = A.size() - Common;
    const bool IsLineOfBoth =
        (Begin == 0 || A[Begin - 1] == '\n') &&
        (Common == B.size() || B[B.size() - 1 - Common] == '\n');
    if (IsLineOfBoth)
      Lines = Common;
  }
  return Lines;
}

/// Replaces only the lines that differ, so that the edit is small.
Error OrderWriter::run(Edits &E) {
  llvm::Expected<BlockLines> Block = readBlock(Body, Context);
  if (!Block)
    return Block.takeError();
  noteUsed(Order.Items);
  llvm::Expected<std::string> Text = write(Order.Items, *Block);
  if (!Text)
    return Text.takeError();
  const SourceManager &SM = Context.getSourceManager();
  const FileID File = SM.getFileID(Body->getLBracLoc());
  StringRef New = *Text,
            Old = SM.getBufferData(File).slice(Block->Begin, Block->End);
  const size_t Front = countCommonLines(Old, New);
  Old = Old.drop_front(Front);
  New = New.drop_front(Front);
  const size_t Back = countCommonLinesAtEnd(Old, New);
  Old = Old.drop_back(Back);
  New = New.drop_back(Back);
  const SourceLocation Begin =
      SM.getLocForStartOfFile(File).getLocWithOffset(Block->Begin + Front);
  return E.replace(
      CharSourceRange::getCharRange(Begin, Begin.getLocWithOffset(Old.size())),
      New);
}

Error rewriteOrder(const Kernel &K, const OrderDecision &Order,
                   ASTContext &Context, Edits &E) {
  const FunctionDecl *Owner = K.Instances.front()->Decl;
  return OrderWriter(Order, cast<CompoundStmt>(Owner->getBody()), Context)
      .run(E);
}

} // namespace cudaopt
