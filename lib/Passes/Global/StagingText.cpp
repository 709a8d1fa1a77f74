// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes the text of a staged loop.
//===----------------------------------------------------------------------===//

#include "StagingText.h"
#include "cudaopt/Machine/BankMap.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace cudaopt {
namespace {

/// Writes the text of one loop.
class StagingWriter {
public:
  explicit StagingWriter(const StagedLoop &L) : L(L) {}

  std::string write() const;

private:
  /// The columns behind the first one of a tile that the loop compares with.
  unsigned ahead() const { return L.Tile.Columns - (L.IncludesEnd ? 1 : 0); }
  /// The rows that one request of the warp copies.
  unsigned rowsAtOnce() const { return WarpSize / L.Tile.Columns; }
  std::string deeper(unsigned Levels) const;
  std::string writeCondition() const;
  std::string writeChecks() const;
  std::string writeCopy(const std::string &Copied, unsigned Depth) const;
  std::string writeLoads(const StagedRow &Row, unsigned Depth) const;
  std::string writeStores(const StagedRow &Row, unsigned Depth) const;
  std::string writeRow(const StagedRow &Row) const;
  std::string writeSource(const StagedRow &Row) const;
  std::string writeTiles() const;
  std::string thread() const;

  const StagedLoop &L;
};

} // namespace

/// Returns the white space in front of a line that is \p Levels deeper than the
/// loop.
std::string StagingWriter::deeper(unsigned Levels) const {
  return L.Indent + (StringRef(L.Indent).ends_with("\t")
                         ? std::string(Levels, '\t')
                         : std::string(2 * Levels, ' '));
}

/// Returns the number of the thread in its block.
std::string StagingWriter::thread() const {
  return L.Tile.IsInRow ? "threadIdx.x"
                        : "(threadIdx.x + blockDim.x * (threadIdx.y + "
                          "blockDim.y * threadIdx.z))";
}

/// Returns the condition on which a warp stages its rows: it has a tile, and
/// all its lanes are here.
std::string StagingWriter::writeCondition() const {
  std::string Condition = llvm::formatv("{0} >= {1} && ", L.End, ahead());
  if (L.First != "0")
    Condition += llvm::formatv("{0} <= {1} - {2} && ", L.Begin, L.End, ahead());
  Condition += "__activemask() == 0xffffffff &&\n" + deeper(2);
  Condition +=
      L.Tile.IsInRow
          ? llvm::formatv(
                "blockDim.x <= {0} && blockDim.y == 1 && blockDim.z == 1",
                L.Tile.MaxThreads)
          : llvm::formatv("blockDim.x * blockDim.y * blockDim.z <= {0}",
                          L.Tile.MaxThreads);
  return Condition;
}

/// Returns the conditions that all lanes test: rows are equally far apart, and
/// what the loop stores is not in them.
std::string StagingWriter::writeChecks() const {
  std::string Checks;
  const auto add = [&](const std::string &Check) {
    Checks += (Checks.empty() ? "" : " &&\n" + deeper(5)) + Check;
  };
  const std::string Length = llvm::formatv("({0} - {1}{2})", L.End, L.Begin,
                                           L.IncludesEnd ? " + 1" : "");
  for (const StagedRow &Row : L.Rows)
    add(llvm::formatv("(long long){0} == {1} + {2} * {3} * int(sizeof({4}))",
                      Row.Row, Row.First, L.Lane, Row.Pitch, Row.Type));
  for (const StagedRow &Row : L.Rows)
    if (!Row.Last.empty())
      add(llvm::formatv("&{0} == {1} + {2} - 1", Row.Last, Row.Row, Length));
  for (const StagedStore &Store : L.Stores)
    for (const StagedRow &Row : L.Rows) {
      const auto lies = [&](const char *Form) {
        std::string Text = llvm::formatv(Form, Store.First, Row.Row, Length);
        if (Store.Last != Store.First)
          Text +=
              " && " + llvm::formatv(Form, Store.Last, Row.Row, Length).str();
        return Text;
      };
      add("(" + lies("(char *)(&{0} + 1) <= (char *){1}") + " ||\n" +
          deeper(5) + " " + lies("(char *)&{0} >= (char *)({1} + {2})") + ")");
    }
  return Checks;
}

/// Returns the text that repeats \p Copied for each element of a tile that a
/// lane copies.
std::string StagingWriter::writeCopy(const std::string &Copied,
                                     unsigned Depth) const {
  return llvm::formatv("#pragma unroll\n"
                       "{0}for (int {1} = 0; {1} < {2}; ++{1})\n"
                       "{0}  {3};\n",
                       deeper(Depth), L.Turn, L.Tile.Columns, Copied);
}

/// Returns the text that loads the part of the next tile of \p Row that the
/// lane copies: lanes side by side load elements side by side.
std::string StagingWriter::writeLoads(const StagedRow &Row,
                                      unsigned Depth) const {
  return writeCopy(
      llvm::formatv("{0}[{1}] = {2}[{1} * {3}{4}]", Row.Next, L.Turn, Row.From,
                    rowsAtOnce() == 1 ? "" : llvm::utostr(rowsAtOnce()) + " * ",
                    Row.Pitch),
      Depth);
}

/// Returns the text that stores it.
std::string StagingWriter::writeStores(const StagedRow &Row,
                                       unsigned Depth) const {
  const std::string Place =
      rowsAtOnce() == 1
          ? llvm::formatv("[{0}][{1}]", L.Turn, L.Lane).str()
          : llvm::formatv("[{0} * {2} + {1} / {3}][{1} % {3}]", L.Turn, L.Lane,
                          rowsAtOnce(), L.Tile.Columns)
                .str();
  return writeCopy(llvm::formatv("{0}[{1}]{2} = {3}[{4}]", Row.Tile, L.Warp,
                                 Place, Row.Next, L.Turn),
                   Depth);
}

/// Returns the text that finds out how the rows of the warp lie.
std::string StagingWriter::writeRow(const StagedRow &Row) const {
  return llvm::formatv(
      "{0}const {1} *const {2} = &{3};\n"
      "{0}const long long {4} = __shfl_sync(0xffffffff, (long long){2}, 0);\n"
      "{0}const long long {5} =\n"
      "{0}    (__shfl_sync(0xffffffff, (long long){2}, 1) - {4}) / "
      "int(sizeof({1}));\n",
      deeper(1), Row.Type, Row.Row, Row.Element, Row.First, Row.Pitch);
}

/// Returns the declarations of what the lane copies of \p Row.
std::string StagingWriter::writeSource(const StagedRow &Row) const {
  const bool IsWhole = rowsAtOnce() == 1;
  const std::string From =
      IsWhole
          ? llvm::formatv("{0} - {1} * {2} + {1}", Row.Row, L.Lane, Row.Pitch)
                .str()
          : llvm::formatv("{0} + ({1} / {3} - {1}) * {2} + {1} % {3}", Row.Row,
                          L.Lane, Row.Pitch, L.Tile.Columns)
                .str();
  return llvm::formatv("{0}const {1} *{2} = {3};\n"
                       "{0}{1} {4}[{5}];\n",
                       deeper(2), Row.Type, Row.From, From, Row.Next,
                       L.Tile.Columns);
}

/// Returns \p Text with all lines but the first moved to the right, unless some
/// are parts of a literal or a macro.
static std::string indent(StringRef Text, StringRef By) {
  if (Text.contains("R\"") || Text.contains("\\\n"))
    return Text.str();
  llvm::SmallVector<StringRef, 8> Lines;
  Text.split(Lines, '\n');
  return llvm::join(Lines, ("\n" + By).str());
}

/// Returns the loop over the tiles. While the threads work on one, the elements
/// of the next are on their way to registers.
std::string StagingWriter::writeTiles() const {
  std::string Text, Move;
  for (const StagedRow &Row : L.Rows)
    Text += writeSource(Row);
  // Lanes may have written to their own rows.
  Text += deeper(2) + "__syncwarp();\n";
  for (const StagedRow &Row : L.Rows) {
    Text += writeLoads(Row, 2);
    Move +=
        llvm::formatv("{0}{1} += {2};\n", deeper(4), Row.From, L.Tile.Columns);
  }
  Text += llvm::formatv("{0}for (; {1} <= {2} - {3}; {1} += {4}) {{\n"
                        "{5}__syncwarp();\n",
                        deeper(2), L.Begin, L.End, ahead(), L.Tile.Columns,
                        deeper(3));
  for (const StagedRow &Row : L.Rows)
    Text += writeStores(Row, 3);
  Text +=
      llvm::formatv("{0}__syncwarp();\n"
                    "{0}if ({1} + {2} <= {3} - {4}) {{\n{5}",
                    deeper(3), L.Begin, L.Tile.Columns, L.End, ahead(), Move);
  for (const StagedRow &Row : L.Rows)
    Text += writeLoads(Row, 4);
  Text += llvm::formatv(
      "{0}}\n{0}{1}{2}{3}\n{4}}\n", deeper(3), L.Head,
      L.IsBlock ? " " : "\n" + deeper(4),
      indent(L.Body, StringRef(deeper(3)).drop_front(L.Indent.size())),
      deeper(2));
  return Text;
}

std::string StagingWriter::write() const {
  std::string Text =
      "// The warp reads its rows in tiles: lanes side by side, elements side "
      "by side.\n";
  for (const StagedRow &Row : L.Rows)
    Text += llvm::formatv("{0}__shared__ {1} {2}[{3}][32][{4}];\n", L.Indent,
                          Row.Type, Row.Tile, L.Tile.MaxThreads / WarpSize,
                          L.Tile.pitch());
  Text += llvm::formatv("{0}const int {1} = {2} / 32, {3} = {2} % 32;\n"
                        "{0}{4} {5} = {6};\n"
                        "{0}if ({7}) {{\n",
                        L.Indent, L.Warp, thread(), L.Lane, L.Type, L.Begin,
                        L.First, writeCondition());
  for (const StagedRow &Row : L.Rows)
    Text += writeRow(Row);
  Text += llvm::formatv("{0}if (__all_sync(0xffffffff,\n{1}{2})) {{\n{3}"
                        "{0}}\n{4}}\n{4}",
                        deeper(1), deeper(5), writeChecks(), writeTiles(),
                        L.Indent);
  return Text;
}

std::string writeStaging(const StagedLoop &Loop) {
  return StagingWriter(Loop).write();
}

} // namespace cudaopt
