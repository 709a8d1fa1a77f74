// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the numbers of a text file, row by row, and says what is wrong where.
//===----------------------------------------------------------------------===//

#ifndef CELLS_ROWS_H
#define CELLS_ROWS_H

#include <stdexcept>
#include <string>
#include <vector>

namespace cells {

/// Wrong input of the user; what() is the message for them.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Row {
  std::string where; ///< "file:line".
  std::vector<double> numbers;
};

/// Returns the rows of a file. Empty lines and those that begin with '#' are
/// skipped. Throws InputError, also if there is no row.
std::vector<Row> readRows(const std::string &path);

/// Returns the number that the whole of \p text is. Throws InputError, in whose
/// message \p where names the place.
double parseNumber(const std::string &text, const std::string &where);

/// Throws an InputError: "where: what".
[[noreturn]] void refuse(const std::string &where, const std::string &what);

} // namespace cells

#endif // CELLS_ROWS_H
